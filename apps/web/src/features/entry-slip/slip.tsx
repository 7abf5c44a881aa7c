/** One entry slip: whose, since when, until when, and the code that the desk reads at checkout. */
import type { Child } from '@haris/contract/objects';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { dueAt } from '../../countdown/remaining.ts';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { localeOf } from '../../i18n/locale.ts';
import { productName } from '../../i18n/product-name.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import classes from './slip.module.css';

/** No parent's name and no photo: a slip is lost easily. */
export function Slip({ child }: { child: Child }) {
  const { t, i18n } = useTranslation('entry-slip');
  const format = useClockFormat();
  const date = useMemo(
    () => new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: 'medium' }),
    [i18n.language],
  );
  const due = dueAt(child);
  if (child.entryTime === null || child.uniqueEntryId === null || due === null) return null;
  return (
    <article className={classes.slip} aria-label={t('slipOf', { name: child.name })}>
      <header className={classes.head}>
        <strong>{productName(i18n.language)}</strong>
        <time dateTime={child.entryTime}>{date.format(new Date(child.entryTime))}</time>
      </header>
      <p className={classes.name} dir="auto">
        {child.name}
      </p>
      <dl className={classes.times}>
        <div>
          <dt>{t('entry')}</dt>
          <dd>{format.timeOfDay(child.entryTime)}</dd>
        </div>
        <div>
          <dt>{t('due')}</dt>
          <dd>{format.timeOfDay(due)}</dd>
        </div>
      </dl>
      <QrCode className={classes.code} text={child.uniqueEntryId} label={t('code')} />
      <p className={classes.hint}>{t('hint')}</p>
    </article>
  );
}
