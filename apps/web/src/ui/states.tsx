/** Placeholders for missing data: empty, failed, loading. */
import { Button, Group, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export interface EmptyStateProps {
  icon: ReactNode;
  /** The spec's empty text, word for word. */
  text: string;
  /** A sentence about what to do next. */
  hint?: string;
  action?: ReactNode;
}

export function EmptyState({ icon, text, hint, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
        {icon}
      </ThemeIcon>
      <Text fw={500} mt="xs">
        {text}
      </Text>
      {hint === undefined ? null : (
        <Text c="dimmed" size="sm" maw={420}>
          {hint}
        </Text>
      )}
      {action === undefined ? null : <Group mt="sm">{action}</Group>}
    </Stack>
  );
}

export interface ErrorStateProps {
  /** Message for the person. */
  text: string;
  onRetry: () => void;
  busy?: boolean;
}

/** Shows a message and a button to retry. */
export function ErrorState({ text, onRetry, busy = false }: ErrorStateProps) {
  const { t } = useTranslation('common');
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center" role="alert">
      <ThemeIcon size={56} radius="xl" variant="light" color="clay" aria-hidden>
        <IconAlertTriangle size={28} />
      </ThemeIcon>
      <Text fw={500} mt="xs">
        {text}
      </Text>
      <Button
        mt="sm"
        variant="light"
        leftSection={<IconRefresh size={18} aria-hidden />}
        onClick={onRetry}
        loading={busy}
      >
        {t('tryAgain')}
      </Button>
    </Stack>
  );
}

/** Placeholder rows shaped like people: a picture and two lines. */
export function PeopleSkeleton({ rows = 3 }: { rows?: number }) {
  const { t } = useTranslation('common');
  return (
    <Stack gap="md" role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without identity that never move
        <Group key={row} gap="md" wrap="nowrap">
          <Skeleton circle height={52} style={{ flexShrink: 0 }} />
          <Stack gap={8} flex={1}>
            <Skeleton height={14} width="45%" />
            <Skeleton height={12} width="28%" />
          </Stack>
        </Group>
      ))}
    </Stack>
  );
}
