/**
 * Shown before staff add the first child of a self-registered account: how it was registered, and how to vouch for it.
 */
import { Alert, Stack, Text } from '@mantine/core';
import { IconUserQuestion } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useRegistration, Vouching, wantsVouching } from '../../vouching/vouching.tsx';

export function FirstChildHint({ parentId, name }: { parentId: string; name: string | null }) {
  const { t } = useTranslation('vouching');
  const { data: registration, refetch } = useRegistration(parentId, true);
  if (registration === undefined || !wantsVouching(registration)) return null;
  if (registration.children > 0 && registration.disownedAt === null) return null;
  return (
    <Alert
      color="saffron"
      mb="lg"
      icon={<IconUserQuestion aria-hidden />}
      title={t('firstChild')}
      role="region"
      aria-label={t('firstChild')}
    >
      <Stack gap="sm">
        <Vouching
          parentId={parentId}
          name={`\u2068${name ?? t('thisParent')}\u2069`}
          registration={registration}
          onDone={() => void refetch()}
        />
        {registration.hasProvenPassword ? null : <Text size="sm">{t('unproven')}</Text>}
      </Stack>
    </Alert>
  );
}
