/** Lists and removes links of an account to identity providers, both a person's own and a colleague's. */
import type { OidcLink } from '@haris/contract/http/oidc';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { momentFormat } from '../i18n/locale.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

export interface LinksListProps {
  links: readonly OidcLink[];
  /** Whether the account cannot sign in any other way; then nothing can be removed. */
  isOnlyWay: boolean;
  isBusy: boolean;
  /** Explains what the removal of a link ends. */
  consequence: string;
  onRemove: (id: string) => Promise<unknown>;
}

export function LinksList({ links, isOnlyWay, isBusy, consequence, onRemove }: LinksListProps) {
  const { t, i18n } = useTranslation('security');
  const [asked, setAsked] = useState<OidcLink | null>(null);
  const day = momentFormat(i18n.language, { dateStyle: 'medium' });
  return (
    <Stack gap="sm">
      {links.map((link) => (
        <Group key={link._id} justify="space-between" gap="sm">
          <div>
            <Text fw={500}>
              <bdi>{link.provider}</bdi>
            </Text>
            <Text size="sm" c="dimmed">
              {link.endedAt === null
                ? t('links.since', { date: day.format(new Date(link.linkedAt)) })
                : t('links.ended', { date: day.format(new Date(link.endedAt)) })}
            </Text>
          </div>
          {isOnlyWay ? null : (
            <Button
              variant="subtle"
              color="clay"
              leftSection={<IconTrash size={17} aria-hidden />}
              aria-label={t('links.removeOf', { name: link.provider })}
              onClick={() => setAsked(link)}
            >
              {t('links.remove')}
            </Button>
          )}
        </Group>
      ))}
      {isOnlyWay && links.length > 0 ? (
        <Text size="sm" c="dimmed">
          {t('links.onlyWay')}
        </Text>
      ) : null}
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={() => {
          if (asked !== null) void onRemove(asked._id).finally(() => setAsked(null));
        }}
        title={t('links.remove')}
        confirmLabel={t('links.remove')}
        dangerous
        busy={isBusy}
      >
        {consequence}
      </ConfirmDialog>
    </Stack>
  );
}
