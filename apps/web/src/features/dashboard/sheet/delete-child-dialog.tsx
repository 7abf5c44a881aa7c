/** Asks before a child is deleted, lists the erased data, and requires the typed name. */
import { childRoutes } from '@haris/contract/http/children';
import type { Child } from '@haris/contract/objects';
import { Alert, Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import { oneChildKey } from '../lists/queries.ts';
import { isRefusedOffline } from '../stays/offline.ts';

export interface DeleteChildDialogProps {
  opened: boolean;
  child: Child;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteChildDialog({ opened, ...form }: DeleteChildDialogProps) {
  const { t } = useTranslation('child');
  return (
    <Dialog opened={opened} onClose={form.onClose} title={t('delete.title')}>
      <DeleteChildForm {...form} />
    </Dialog>
  );
}

/** Names are compared as people read them, not by the spaces that they typed. */
function isSameName(typed: string, name: string): boolean {
  const plain = (text: string) => text.normalize('NFC').trim().replace(/\s+/g, ' ');
  return plain(typed) === plain(name);
}

function DeleteChildForm({ child, onClose, onDeleted }: Omit<DeleteChildDialogProps, 'opened'>) {
  const { t } = useTranslation(['child', 'common']);
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const remove = useMutation({
    mutationFn: () => call(childRoutes.deleteChild, { params: { id: child._id } }),
    onSuccess: () => {
      notifySuccess(t('delete.done'));
      onDeleted();
      client.removeQueries({ queryKey: [...oneChildKey, child._id] });
      void client.invalidateQueries({ queryKey: [keys.parents] });
      void client.invalidateQueries({ queryKey: [keys.children] });
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isSameName(typed, child.name) && !remove.isPending && !isRefusedOffline()) remove.mutate();
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {t('delete.question', { name: child.name })}
        </Text>
        <div>
          <Text size="sm">{t('delete.erased')}</Text>
          <List size="sm">
            <List.Item>{t('delete.photos')}</List.Item>
            <List.Item>{t('delete.faces')}</List.Item>
            <List.Item>{t('delete.stays')}</List.Item>
          </List>
        </div>
        <Text size="sm" c="dimmed">
          {t('delete.final')}
        </Text>
        <TextInput
          label={t('delete.typeName')}
          description={<bdi>{child.name}</bdi>}
          autoComplete="off"
          dir="auto"
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {remove.isError ? (
          <Alert color="clay" variant="light" icon={<IconAlertCircle size={20} />} role="alert">
            {failureText(remove.error)}
          </Alert>
        ) : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={remove.isPending}>
            {t('common:cancel')}
          </Button>
          <Button
            type="submit"
            color="clay"
            loading={remove.isPending}
            disabled={!isSameName(typed, child.name)}
          >
            {t('delete.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
