/** Buttons that open a care card. */
import { Button, type ButtonProps } from '@mantine/core';
import { IconClipboardHeart } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type CareSubject, openCareCard } from './open-card.ts';

/** A button with words; callers decide who sees it. */
export function CareButton({ child, ...look }: { child: CareSubject } & ButtonProps) {
  const { t } = useTranslation('care-card');
  return (
    <Button
      size="sm"
      variant="default"
      leftSection={<IconClipboardHeart size={18} aria-hidden />}
      aria-label={t('openOf', { name: child.name })}
      aria-haspopup="dialog"
      onClick={() => openCareCard(child)}
      {...look}
    >
      {t('title')}
    </Button>
  );
}
