/** Asks before deleting a parent with all children, photos and face data. */
import { accountRoutes } from '@haris/contract/http/accounts';
import type { Parent } from '@haris/contract/objects';
import { Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { localeOf } from '../../../i18n/locale.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import { withoutParent } from '../lists/children-cache.ts';
import { type Families, familiesKey } from '../lists/queries.ts';

export interface DeleteParentDialogProps {
  opened: boolean;
  /** Kept while the dialog fades out; null if the dialog was never opened. */
  parent: Parent | null;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteParentDialog({ opened, parent, onClose, onDeleted }: DeleteParentDialogProps) {
  const { t, i18n } = useTranslation('dashboard');
  const client = useQueryClient();
  // The deleted parent. The list rerenders late, and until then the focus would return to the button that opened the
  // dialog.
  const [goneId, setGoneId] = useState<string | null>(null);
  const remove = useMutation({
    mutationFn: () => call(accountRoutes.deleteParent, { params: { id: parent?._id ?? '' } }),
    onSuccess: () => {
      notifySuccess(t('deleteParent.success'));
      setGoneId(parent?._id ?? null);
      client.setQueriesData<Families>(
        { queryKey: familiesKey },
        (families) => families && { ...families, pages: withoutParent(families.pages, parent?._id ?? '') },
      );
      void client.invalidateQueries({ queryKey: [keys.parents] });
      void client.invalidateQueries({ queryKey: [keys.children] });
      onDeleted();
    },
    onError: (error) => showFailure(error, t('deleteParent.failed')),
  });
  const children = parent?.children ?? [];
  const names = new Intl.ListFormat(localeOf(i18n.language)).format(children.map((child) => child.name));

  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      title={t('deleteParent.title')}
      confirmLabel={t('deleteParent.confirm')}
      cancelLabel={t('deleteParent.cancel')}
      busy={remove.isPending}
      returnFocus={goneId !== parent?._id}
      dangerous
    >
      <Stack gap="xs">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {t('deleteParent.question', { name: parent?.name ?? '' })}
        </Text>
        {children.length === 0 ? null : (
          <Text>{t('deleteParent.withChildren', { count: children.length, names })}</Text>
        )}
        <Text c="dimmed">{t('deleteParent.final')}</Text>
      </Stack>
    </ConfirmDialog>
  );
}
