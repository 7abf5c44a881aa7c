/** Records that a listed adult with the name or phone number of a barred one is somebody else. */
import { type BarredAdult, barredRoutes, type ListedForBar } from '@haris/contract/http/barred';
import { Radio, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../calls/api-error.ts';
import { fieldErrors, showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys, refetchStale } from '../../../calls/query-client.ts';
import { useCallForm } from '../../../forms/use-call-form.ts';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import { WithLargePhoto } from '../hand-over/adult-button.tsx';
import classes from './sheet.module.css';

export interface NamesakeFormProps {
  adult: BarredAdult;
  /** Listed adults with the same name or phone number; at least one. */
  alike: readonly ListedForBar[];
  onDone: () => void;
}

export function NamesakeForm({ adult: { _id, name }, alike: now, onDone }: NamesakeFormProps) {
  const { t } = useTranslation(['barred', 'common']);
  const client = useQueryClient();
  // Those whom the owner sees: the note is not for another person whom the family puts in the place of one of them meanwhile.
  const [alike] = useState(now);
  const { form, onSubmit, isBusy } = useCallForm({
    // Of several nobody is chosen beforehand: the note lets that person take the child.
    initialValues: { adultId: alike.length === 1 ? (alike[0]?._id ?? '') : '' },
    validate: ({ adultId }): Record<string, string> =>
      adultId === '' ? { adultId: t('namesakeMissing') } : {},
    send: ({ adultId }) =>
      call(barredRoutes.markNamesake, {
        params: { id: _id },
        body: { adultId, version: alike.find((one) => one._id === adultId)?.version ?? '' },
      }),
    onSuccess: () => {
      notifySuccess(t('namesakeNoted'));
      void refetchStale(client, [keys.barred]);
      onDone();
    },
    onFailure(error) {
      showFailure(error);
      if (error instanceof ApiError && error.code === 'collector_changed') {
        // Opened again, the form shows whom the list names now.
        void refetchStale(client, [keys.barred, keys.collectors]);
        onDone();
      }
      return fieldErrors(error);
    },
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <Text>{t('namesakeText', { name })}</Text>
        <Radio.Group
          size="md"
          label={t('namesakeWho')}
          key={form.key('adultId')}
          {...form.getInputProps('adultId')}
        >
          <Stack gap="sm" mt="xs">
            {alike.map((one, index) => (
              <WithLargePhoto key={one._id} adult={one}>
                <Radio
                  size="md"
                  value={one._id}
                  data-autofocus={index === 0 || undefined}
                  label={<bdi className={classes.name}>{one.name}</bdi>}
                  description={one.phone === null ? undefined : <bdi dir="ltr">{one.phone}</bdi>}
                />
              </WithLargePhoto>
            ))}
          </Stack>
        </Radio.Group>
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
