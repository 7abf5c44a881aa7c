/** Raises the danger that a child who is inside is missing: hold, or press and confirm where holding is impossible. */
import { incidentRoutes } from '@haris/contract/http/incidents';
import type { Child } from '@haris/contract/objects';
import { Text } from '@mantine/core';
import { IconUserSearch } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { useMay } from '../../../session/may.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { HoldButton } from '../../../ui/hold-button.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import { Section } from './section.tsx';

/** Renders nothing while the child is outside: nobody misses it then. */
export function MissingPart({ child }: { child: Child }) {
  const { t } = useTranslation('child');
  const client = useQueryClient();
  const mayReport = useMay()('children.check_in');
  const [isAsking, setAsking] = useState(false);
  const report = useMutation({
    mutationFn: () => call(incidentRoutes.reportMissingChild, { params: { id: child._id } }),
    onSuccess: () => {
      setAsking(false);
      // The dialog does not open where the alert is acknowledged already, or during an evacuation.
      notifySuccess(t('missing.reported'));
      // Opens the dialog on this device at once, even if the event stream is down.
      void client.invalidateQueries({ queryKey: [keys.incidents] });
    },
    onError: (error) => showFailure(error),
  });
  if (!child.isInside || !mayReport) return null;
  return (
    <Section title={t('missing.title')}>
      <Text size="sm" mb="xs">
        {t('missing.lead')}
      </Text>
      <HoldButton
        icon={<IconUserSearch size={20} aria-hidden />}
        hint={t('missing.hint')}
        holding={t('missing.holding')}
        onHeld={() => report.mutate()}
        onPressed={() => setAsking(true)}
        disabled={report.isPending}
      >
        {t('missing.button')}
      </HoldButton>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => report.mutate()}
        title={t('missing.question', { name: `\u2068${child.name}\u2069` })}
        confirmLabel={t('missing.confirm')}
        busy={report.isPending}
        dangerous
      >
        <Text>{t('missing.lead')}</Text>
      </ConfirmDialog>
    </Section>
  );
}
