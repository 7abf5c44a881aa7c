/** Which ends of a stay a check-in offers besides the periods of the specification. */
import { STAY_ENDS, type StayEndKind } from '@haris/contract/fields';
import { operationRoutes } from '@haris/contract/http/operations';
import { Checkbox, Stack, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys, refetchStale } from '../../calls/query-client.ts';
import { Card } from '../../ui/card.tsx';
import { notifySuccess } from '../../ui/toast.ts';

export function StayEndsPanel({ offered }: { offered: readonly StayEndKind[] }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (stayEnds: StayEndKind[]) => call(operationRoutes.updateSettings, { body: { stayEnds } }),
    onSuccess: async () => {
      notifySuccess(t('saved'));
      await refetchStale(client, [keys.settings]);
    },
    onError: (error) => showFailure(error),
  });
  // What was pressed shows at once.
  const shown = save.isPending ? save.variables : offered;
  return (
    <Card component="section" aria-labelledby="stay-ends-title" mt="md">
      <Stack gap="sm">
        <Title order={2} fz="lg" id="stay-ends-title">
          {t('stayEnds.title')}
        </Title>
        <Checkbox.Group size="md" label={t('stayEnds.label')} value={[...shown]}>
          <Stack gap="sm" mt="xs">
            {STAY_ENDS.map((kind) => (
              <Checkbox
                size="md"
                key={kind}
                value={kind}
                disabled={save.isPending}
                label={t(`stayEnds.${kind}`)}
                description={t(`stayEnds.${kind}Hint`)}
                onChange={({ currentTarget: { checked } }) =>
                  save.mutate(STAY_ENDS.filter((one) => (one === kind ? checked : shown.includes(one))))
                }
              />
            ))}
          </Stack>
        </Checkbox.Group>
      </Stack>
    </Card>
  );
}
