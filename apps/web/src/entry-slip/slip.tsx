/** One entry slip: child, check-in time, due time, and the code for checkout. */
import type { SignedAllergy } from '@haris/contract/care-card';
import type { Child } from '@haris/contract/objects';
import { useTranslation } from 'react-i18next';
import { AllergenIcon } from '../care/allergen-icon.tsx';
import { useAllergyWords } from '../care/words.ts';
import { UnconfirmedMark, type UnconfirmedMarkProps } from '../child/unconfirmed-mark.tsx';
import { dueAt } from '../countdown/remaining.ts';
import { useClockFormat } from '../countdown/use-clock-format.ts';
import { momentFormat } from '../i18n/locale.ts';
import { productName } from '../i18n/product-name.ts';
import { usePublicName } from '../start/facility-name.ts';
import { QrCode } from '../ui/qr-code.tsx';
import classes from './slip.module.css';

/** What a slip says of a child who is inside. */
export type SlipChild = Pick<
  Child,
  '_id' | 'name' | 'isInside' | 'entryTime' | 'duration' | 'uniqueEntryId' | 'slipCode'
> &
  UnconfirmedMarkProps['of'] & {
    /** Where the allergies are not known: there is a care card all the same, or nobody knows whether there is one. */
    readonly careCard?: 'elsewhere' | 'unknown';
  };

export interface SlipProps {
  child: SlipChild;
  /** Printed only where the facility wants it. */
  allergies: readonly SignedAllergy[];
}

/** Shows neither the parent's name nor a photo, because slips get lost easily. */
export function Slip({ child, allergies }: SlipProps) {
  const { t, i18n } = useTranslation('entry-slip');
  const format = useClockFormat();
  const date = momentFormat(i18n.language, { dateStyle: 'medium' });
  const facility = usePublicName();
  const due = dueAt(child);
  if (child.entryTime === null || child.uniqueEntryId === null || due === null) return null;
  return (
    <article className={classes.slip} aria-label={t('slipOf', { name: child.name })}>
      <header className={classes.head}>
        <strong>
          <bdi>{facility ?? productName(i18n.language)}</bdi>
        </strong>
        <time dateTime={child.entryTime}>{date.format(new Date(child.entryTime))}</time>
      </header>
      <p className={classes.name} dir="auto">
        {child.name}
      </p>
      <UnconfirmedMark of={child} />
      <dl className={classes.times}>
        <div>
          <dt>{t('entry')}</dt>
          <dd>{format.timeOfDay(child.entryTime)}</dd>
        </div>
        <div>
          <dt>{t('due')}</dt>
          <dd>{format.endOfStay(due, Date.parse(child.entryTime))}</dd>
        </div>
      </dl>
      <Allergies allergies={allergies} />
      {child.careCard === undefined ? null : <p className={classes.ask}>{t(`careCard.${child.careCard}`)}</p>}
      <QrCode className={classes.code} text={child.slipCode ?? child.uniqueEntryId} label={t('code')} />
      <p className={classes.hint}>{t('hint')}</p>
    </article>
  );
}

function Allergies({ allergies }: Pick<SlipProps, 'allergies'>) {
  const { t } = useTranslation('care-card');
  const { nameOf } = useAllergyWords();
  if (allergies.length === 0) return null;
  return (
    <ul className={classes.allergies} aria-label={t('part.allergies')}>
      {allergies.map((allergy) => (
        <li key={JSON.stringify(allergy)}>
          <AllergenIcon allergen={allergy.allergen} size={18} />
          <span>
            <b>
              <bdi>{nameOf(allergy)}</bdi>
            </b>{' '}
            {t(`severity.${allergy.severity}`)}
          </span>
        </li>
      ))}
    </ul>
  );
}
