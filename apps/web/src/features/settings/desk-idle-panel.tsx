/** After how many minutes without a press a desk tablet locks itself. */
import { operationRoutes } from '@haris/contract/http/operations';
import { Stack, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { Card } from '../../ui/card.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { notifySuccess } from '../../ui/toast.ts';

const LEAST = 1;
const MOST = 15;

export function DeskIdlePanel({ minutes }: { minutes: number }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const [typed, setTyped] = useState<number | null>(minutes);
  const save = useMutation({
    mutationFn: (deskIdleMinutes: number) =>
      call(operationRoutes.updateSettings, { body: { deskIdleMinutes } }),
    onSuccess: async () => {
      notifySuccess(t('saved'));
      await client.invalidateQueries({ queryKey: [keys.settings] });
    },
    onError: (error) => showFailure(error),
  });
  const isFit = typed !== null && Number.isInteger(typed) && typed >= LEAST && typed <= MOST;
  return (
    <Card component="section" aria-labelledby="desk-idle-title">
      <Stack gap="sm">
        <Title order={2} fz="lg" id="desk-idle-title">
          {t('deskIdle.title')}
        </Title>
        <NumberField
          label={t('deskIdle.label')}
          description={t('deskIdle.hint')}
          maw="20rem"
          allowDecimal={false}
          value={typed}
          onChange={setTyped}
          error={isFit ? null : t('deskIdle.range')}
          disabled={save.isPending}
          onBlur={() => {
            if (isFit && typed !== minutes) save.mutate(typed);
          }}
          onKeyDown={({ key }) => {
            if (key === 'Enter' && isFit && typed !== minutes) save.mutate(typed);
          }}
        />
      </Stack>
    </Card>
  );
}
