/** The dialog that adds a facility: its name and time zone. */
import { facilityRoutes } from '@haris/contract/http/facilities';
import { Select, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../calls/api-error.ts';
import { failureText, fieldErrors, showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { facilityTimeZone } from '../../i18n/locale.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { notifySuccess } from '../../ui/toast.ts';

export function AddFacilityDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('facilities');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('dialog.title')}>
      <AddFacilityForm onDone={onClose} />
    </Dialog>
  );
}

function AddFacilityForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('facilities');
  const client = useQueryClient();
  const here = facilityTimeZone();
  const zones = useMemo(() => [...new Set([here, ...Intl.supportedValuesOf('timeZone')])].sort(), [here]);
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: { name: '', timeZone: here },
    validate: validateWith(facilityRoutes.createFacility.body),
    send: (body) => call(facilityRoutes.createFacility, { body }),
    onSuccess: async () => {
      notifySuccess(t('dialog.done'));
      onDone();
      // The own account tells where its owner may work.
      await client.invalidateQueries({ queryKey: [keys.session] });
      await client.invalidateQueries({ queryKey: [keys.settings] });
    },
    onFailure: (error) => {
      if (error instanceof ApiError && error.code === 'facility_name_taken')
        return { name: failureText(error) };
      showFailure(error);
      return fieldErrors(error);
    },
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <TextInput
          label={t('dialog.name')}
          required
          data-autofocus
          autoComplete="off"
          maxLength={200}
          dir="auto"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <Select
          label={t('dialog.timeZone')}
          data={zones}
          searchable
          allowDeselect={false}
          limit={100}
          nothingFoundMessage={t('dialog.noZone')}
          openOnFocus={false}
          dir="ltr"
          key={form.key('timeZone')}
          {...form.getInputProps('timeZone')}
        />
        <Text size="sm" c="dimmed">
          {t('dialog.hint')}
        </Text>
        <FormButtons
          cancel={t('dialog.cancel')}
          submit={t('dialog.submit')}
          onCancel={onDone}
          isBusy={isBusy}
        />
      </Stack>
    </form>
  );
}
