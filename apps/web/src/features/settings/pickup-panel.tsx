/** What a checkout asks for: who takes the child, and by which proof (decision 049). */
import { operationRoutes } from '@haris/contract/http/operations';
import type { Settings } from '@haris/contract/objects';
import { HAND_OVER_MODES, type HandOverMode, STAFF_PROOFS, type StaffProof } from '@haris/contract/release';
import { Checkbox, Radio, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { Card } from '../../ui/card.tsx';
import { notifySuccess } from '../../ui/toast.ts';

type Change = Partial<Pick<Settings, 'handover' | 'handoverStaffProofs'>>;

export function PickupPanel({ settings: { handover, handoverStaffProofs } }: { settings: Settings }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (body: Change) => call(operationRoutes.updateSettings, { body }),
    onSuccess: async () => {
      notifySuccess(t('saved'));
      await client.invalidateQueries({ queryKey: [keys.settings] });
    },
    onError: (error) => showFailure(error),
  });
  // What was pressed shows at once.
  const shown = { handover, handoverStaffProofs, ...(save.isPending ? save.variables : {}) };
  const setProof = (proof: StaffProof, isAllowed: boolean) =>
    save.mutate({
      handoverStaffProofs: STAFF_PROOFS.filter((one) =>
        one === proof ? isAllowed : shown.handoverStaffProofs.includes(one),
      ),
    });
  return (
    <Card component="section" aria-labelledby="pickup-title">
      <Stack gap="lg">
        <Title order={2} fz="lg" id="pickup-title">
          {t('pickup.title')}
        </Title>
        <Radio.Group
          size="md"
          label={t('pickup.mode')}
          value={shown.handover}
          onChange={(mode) => save.mutate({ handover: mode as HandOverMode })}
        >
          <Stack gap="sm" mt="xs">
            {HAND_OVER_MODES.map((mode) => (
              <Radio
                size="md"
                key={mode}
                value={mode}
                disabled={save.isPending}
                label={t(`pickup.${mode}`)}
                description={t(`pickup.${mode}Hint`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        <Checkbox.Group
          size="md"
          label={t('pickup.staff')}
          description={t('pickup.staffHint')}
          value={[...shown.handoverStaffProofs]}
        >
          <Stack gap="sm" mt="xs">
            {STAFF_PROOFS.map((proof) => (
              <Checkbox
                size="md"
                key={proof}
                value={proof}
                disabled={save.isPending}
                label={t(`pickup.${proof}`)}
                description={t(`pickup.${proof}Hint`)}
                onChange={({ currentTarget: { checked } }) => setProof(proof, checked)}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        {shown.handover === 'require' && shown.handoverStaffProofs.length === 0 ? (
          <Text size="sm" role="status">
            {t('pickup.none')}
          </Text>
        ) : null}
      </Stack>
    </Card>
  );
}
