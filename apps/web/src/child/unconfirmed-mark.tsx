/** Mark beside a child whose photo or name staff never confirmed. Takes the place of a line of text. */
import type { Child } from '@haris/contract/objects';
import { VisuallyHidden } from '@mantine/core';
import { IconUserQuestion } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './unconfirmed-mark.module.css';

export interface UnconfirmedMarkProps {
  /** A child, or a row made of one. */
  of: { readonly unconfirmed?: Child['unconfirmed'] | true };
  /** Shows the icon only, beside other words on one line; the words are for those who listen or point at it. */
  isShort?: boolean;
}

/** Renders nothing if staff confirmed both. */
export function UnconfirmedMark({ of, isShort = false }: UnconfirmedMarkProps) {
  const { t } = useTranslation('common');
  if (of.unconfirmed === undefined) return null;
  return (
    <span className={classes.mark} title={isShort ? t('notConfirmed') : undefined}>
      <IconUserQuestion size={isShort ? 14 : 16} aria-hidden />
      {isShort ? <VisuallyHidden>{t('notConfirmed')}</VisuallyHidden> : t('notConfirmed')}
    </span>
  );
}
