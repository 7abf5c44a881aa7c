/** Mark beside a child whose photo or name staff never confirmed. Takes the place of a line of text. */
import type { Child } from '@haris/contract/objects';
import { IconUserQuestion } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './unconfirmed-mark.module.css';

export interface UnconfirmedMarkProps {
  /** A child, or a row made of one. */
  of: { readonly unconfirmed?: Child['unconfirmed'] | true };
}

/** Renders nothing if staff confirmed both. */
export function UnconfirmedMark({ of }: UnconfirmedMarkProps) {
  const { t } = useTranslation('common');
  if (of.unconfirmed === undefined) return null;
  return (
    <span className={classes.mark}>
      <IconUserQuestion size={16} aria-hidden />
      {t('notConfirmed')}
    </span>
  );
}
