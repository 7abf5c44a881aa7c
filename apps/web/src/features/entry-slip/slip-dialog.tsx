/** Print slip: the dialog with one slip for each child. */
import type { Child } from '@haris/contract/objects';
import { useTranslation } from 'react-i18next';
import { SlipPrinting } from '../../entry-slip/slip-printing.tsx';
import { Dialog } from '../../ui/dialog.tsx';

export interface SlipDialogProps {
  opened: boolean;
  onClose: () => void;
  /** Children in order of check-in, one slip each. They are neither stored nor part of an address. */
  items: readonly Child[];
}

export function SlipDialog({ opened, onClose, items }: SlipDialogProps) {
  const { t } = useTranslation('entry-slip');
  return (
    <Dialog opened={opened} onClose={onClose} title={items.length > 1 ? t('titleMany') : t('title')}>
      <SlipPrinting items={items} onClose={onClose} />
    </Dialog>
  );
}
