/** A badge beside a child or parent whom staff have to confirm. Pressing it opens the comparison. */
import type { Child, Parent } from '@haris/contract/objects';
import { Button } from '@mantine/core';
import { IconUserQuestion } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

export interface WaitingButtonProps {
  of: Child | Parent;
  onOpen: () => void;
}

/** Renders nothing if everything is confirmed. */
export function WaitingButton({ of, onOpen }: WaitingButtonProps) {
  const { t } = useTranslation(['dashboard', 'common']);
  const [first] = of.pending;
  if (first === undefined) return null;
  const isFirst = 'unconfirmed' in of && of.unconfirmed !== undefined;
  const what = isFirst ? t('common:notConfirmed') : t(`proposals.badge.${first}`);
  return (
    <Button
      size="compact-sm"
      variant="light"
      color="saffron"
      leftSection={<IconUserQuestion size={16} aria-hidden />}
      aria-label={t('proposals.open', { what, name: of.name })}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      {what}
    </Button>
  );
}
