/** The sign of a child's allergies: a button that opens the care card. */
import type { CareSign as Sign } from '@haris/contract/http/care';
import { IconClipboardHeart, IconHelpCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../session/may.ts';
import { AllergenIcon } from './allergen-icon.tsx';
import classes from './care.module.css';
import { useFormatCount } from './format.ts';
import { type CareSubject, openCareCard } from './open-card.ts';
import { useCareSigns } from './queries.ts';
import { useAllergyWords } from './words.ts';

export interface CareSignProps {
  child: CareSubject;
  /** Undefined for a child without allergies and without an unseen change: renders nothing. */
  sign: Pick<Sign, 'allergies' | 'isUnseen'> | undefined;
  /** Number of pictures that have room; the others are counted. */
  most?: number;
  /** Opens the card; by default in the dialog of the page. */
  onOpen?: () => void;
}

/** The worst allergies as pictures, in the colour of the worst. */
export function CareSign({ child, sign, most = 3, onOpen = () => openCareCard(child) }: CareSignProps) {
  const { t } = useTranslation('care-card');
  const { listOf } = useAllergyWords();
  if (sign === undefined) return null;
  const { allergies, isUnseen } = sign;
  const words = [
    ...(allergies === null ? [t('sign.unreadable')] : []),
    ...(allergies?.length ? [t('sign.allergies', { list: listOf(allergies) })] : []),
    ...(isUnseen ? [t('sign.unseen')] : []),
  ].join(' ');
  return (
    <button
      type="button"
      className={classes.sign}
      data-severity={allergies === null ? 'unknown' : (allergies[0]?.severity ?? 'none')}
      data-unseen={isUnseen || undefined}
      aria-label={t('sign.openOf', { name: child.name, words })}
      aria-haspopup="dialog"
      title={words}
      onClick={onOpen}
    >
      <Pictures allergies={allergies} most={most} />
    </button>
  );
}

function Pictures({ allergies, most }: { allergies: Sign['allergies']; most: number }): ReactNode {
  const format = useFormatCount();
  if (allergies === null) return <IconHelpCircle size={16} stroke={2} aria-hidden />;
  if (allergies.length === 0) return <IconClipboardHeart size={16} stroke={2} aria-hidden />;
  const kinds = [...new Set(allergies.map(({ allergen }) => allergen))];
  return (
    <>
      {kinds.slice(0, most).map((allergen) => (
        <AllergenIcon key={allergen} allergen={allergen} size={16} />
      ))}
      {kinds.length > most ? <span>+{format(kinds.length - most)}</span> : null}
    </>
  );
}

/** The sign of one child, wherever it is shown alone. Two hundred rows get theirs from {@link useCareSigns} instead. */
export function CareSignOf({ child }: { child: CareSubject }) {
  return <CareSign child={child} sign={useCareSigns().signs.get(child.id)} />;
}

/** Like {@link CareSignOf}, with a neutral sign for a child without allergies: the card is one press away at check-in. */
export function CareEntry({ child }: { child: CareSubject }) {
  const { t } = useTranslation('care-card');
  const maySee = useMay()('care.view');
  const sign = useCareSigns().signs.get(child.id);
  if (!maySee) return null;
  if (sign !== undefined) return <CareSign child={child} sign={sign} />;
  return (
    <button
      type="button"
      className={classes.sign}
      data-severity="none"
      aria-label={t('openOf', { name: child.name })}
      aria-haspopup="dialog"
      title={t('title')}
      onClick={() => openCareCard(child)}
    >
      <IconClipboardHeart size={16} stroke={1.75} aria-hidden />
    </button>
  );
}
