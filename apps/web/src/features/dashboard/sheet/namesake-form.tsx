/** Records that a listed adult with the name or phone number of a barred one is somebody else. */
import { type BarredAdult, barredRoutes } from '@haris/contract/http/barred';
import { NativeSelect, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../calls/http.ts';
import { keys, refetchStale } from '../../../calls/query-client.ts';
import { useCallForm } from '../../../forms/use-call-form.ts';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { notifySuccess } from '../../../ui/toast.ts';

export interface NamesakeFormProps {
  adult: BarredAdult;
  /** Listed adults with the same name or phone number; at least one. */
  alike: readonly { readonly _id: string; readonly name: string }[];
  onDone: () => void;
}

export function NamesakeForm({ adult: { _id, name }, alike, onDone }: NamesakeFormProps) {
  const { t } = useTranslation(['barred', 'common']);
  const client = useQueryClient();
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: { adultId: alike[0]?._id ?? '' },
    validate: () => ({}),
    send: (body) => call(barredRoutes.markNamesake, { params: { id: _id }, body }),
    onSuccess: () => {
      notifySuccess(t('namesakeNoted'));
      void refetchStale(client, [keys.barred]);
      onDone();
    },
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <Text>{t('namesakeText', { name })}</Text>
        <NativeSelect
          size="md"
          label={t('namesakeWho')}
          data-autofocus
          data={alike.map((one) => ({ value: one._id, label: one.name }))}
          key={form.key('adultId')}
          {...form.getInputProps('adultId')}
        />
        <FormButtons
          cancel={t('common:cancel')}
          submit={t('namesakeConfirm')}
          onCancel={onDone}
          isBusy={isBusy}
        />
      </Stack>
    </form>
  );
}
