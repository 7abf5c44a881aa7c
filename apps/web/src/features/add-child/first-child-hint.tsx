/**
 * Shown before staff add the first child of a self-registered account: how it was registered, and how to vouch for it.
 */
import { Alert, Stack, Text } from '@mantine/core';
import { IconUserQuestion } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSendsMail } from '../../setup/mail-note.tsx';
import { useRegistration, Vouching, wantsVouching } from '../../vouching/vouching.tsx';

export function FirstChildHint({ parentId }: { parentId: string }) {
  const { t } = useTranslation('vouching');
  const sendsMail = useSendsMail();
  const { data: registration, refetch } = useRegistration(parentId, true);
  if (registration === undefined || !wantsVouching(registration)) return null;
  if (registration.children > 0 && registration.disownedAt === null) return null;
  const isDisowned = registration.disownedAt !== null;
  const title = t(isDisowned ? 'firstChildDisowned' : 'firstChild');
  return (
    <Alert
      color={isDisowned ? 'clay' : 'saffron'}
      mt="md"
      icon={<IconUserQuestion aria-hidden />}
      title={title}
      role="region"
      aria-label={title}
    >
      <Stack gap="sm">
        <Vouching parentId={parentId} registration={registration} onDone={() => void refetch()} />
        {registration.hasProvenPassword || isDisowned ? null : (
          <Text size="sm">{t(sendsMail ? 'unproven' : 'unprovenKept')}</Text>
        )}
      </Stack>
    </Alert>
  );
}
