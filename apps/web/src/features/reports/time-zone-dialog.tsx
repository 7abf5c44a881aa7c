/** Sets the facility's time zone, which decides where the days of reports begin. */
import { operationRoutes } from '@haris/contract/http/operations';
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { refetchReports } from './queries.ts';

export interface TimeZoneDialogProps {
  opened: boolean;
  onClose: () => void;
  timeZone: string;
}

export function TimeZoneDialog({ opened, onClose, timeZone }: TimeZoneDialogProps) {
  const { t } = useTranslation('reports');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('zone.title')}>
      <TimeZoneForm timeZone={timeZone} onDone={onClose} />
    </Dialog>
  );
}

function TimeZoneForm({ timeZone, onDone }: { timeZone: string; onDone: () => void }) {
  const { t } = useTranslation('reports');
  const client = useQueryClient();
  const [chosen, setChosen] = useState(timeZone);
  // The server may use an older name of the zone, which browsers do not list.
  const zones = [...new Set([timeZone, ...Intl.supportedValuesOf('timeZone')])].sort();
  const save = useMutation({
    mutationFn: () => call(operationRoutes.updateSettings, { body: { timeZone: chosen } }),
    onSuccess: () => {
      notifySuccess(t('zone.saved'));
      void client.invalidateQueries({ queryKey: [keys.settings] });
      refetchReports(client);
      onDone();
    },
    onError: (error) => showFailure(error),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate();
      }}
    >
      <Stack gap="md">
        <Text>{t('zone.hint')}</Text>
        <Select
          label={t('zone.label')}
          data={zones}
          value={chosen}
          onChange={(zone) => setChosen(zone ?? chosen)}
          searchable
          allowDeselect={false}
          limit={100}
          nothingFoundMessage={t('zone.nothing')}
          // The list opens on input, not with the dialog.
          openOnFocus={false}
          data-autofocus
          dir="ltr"
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onDone} disabled={save.isPending}>
            {t('zone.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('zone.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
