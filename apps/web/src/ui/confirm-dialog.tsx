/** Asks for confirmation of an action that cannot be undone. */
import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  /** Consequences of the action, as a sentence or richer content. */
  children: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** Marks a destructive action: the confirm button is red. */
  dangerous?: boolean;
  /** While the call runs: the button spins and nothing closes the dialog. */
  busy?: boolean;
  /** See {@link Dialog}. */
  returnFocus?: boolean;
}

/** Cancel has the initial focus, so that Enter alone destroys nothing. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation('common');
  const { busy = false, dangerous = false, returnFocus = true } = props;
  return (
    <Dialog
      opened={props.opened}
      onClose={busy ? () => {} : props.onClose}
      title={props.title}
      returnFocus={returnFocus}
    >
      <Stack gap="lg">
        {typeof props.children === 'string' ? <Text>{props.children}</Text> : props.children}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={props.onClose} disabled={busy} data-autofocus>
            {props.cancelLabel ?? t('cancel')}
          </Button>
          <Button color={dangerous ? 'clay' : 'pine'} onClick={props.onConfirm} loading={busy}>
            {props.confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
