/** The mail server: where mails go now, and the form for somebody who may change it. */
import { type MailServerView, type Setup, setupRoutes } from '@haris/contract/http/setup';
import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconInfoCircle, IconMailOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { LocalLinks } from './local-links.tsx';
import { MailForm } from './mail-form.tsx';
import { PanelSkeleton } from './skeleton.tsx';

const mailKey = [keys.settings, 'mail-server'];

export function MailPanel({ setup }: { setup: Setup }) {
  const { mayManageMail: mayManage, mail } = setup;
  const server = useQuery({
    queryKey: mailKey,
    queryFn: ({ signal }) => call(setupRoutes.getMailServer, { signal }),
    select: ({ mail }) => mail,
  });
  if (server.data === undefined)
    return server.isError ? (
      <ErrorState
        text={failureText(server.error)}
        onRetry={() => void server.refetch()}
        busy={server.isRefetching}
      />
    ) : (
      <PanelSkeleton />
    );
  const isFixed = server.data.source === 'environment' || server.data.source === 'demo';
  return (
    <Stack gap="md">
      <Where mail={server.data} folder={mail.folder} />
      {mail.isSent && mail.kept > 0 ? <Kept count={mail.kept} folder={mail.folder} /> : null}
      <LocalLinks setup={setup} />
      {isFixed || !mayManage ? (
        <Facts mail={server.data} mayManage={mayManage} />
      ) : (
        // A change of the stored server remounts the form, so that it shows the saved values.
        <MailForm key={JSON.stringify(server.data)} mail={server.data} />
      )}
    </Stack>
  );
}

/** The current destination of mails. */
function Where({ mail, folder }: { mail: MailServerView; folder: string | null }) {
  const { t } = useTranslation('settings');
  if (mail.source === 'outbox' || mail.source === 'demo')
    return (
      <Alert color="saffron" variant="light" icon={<IconMailOff size={20} aria-hidden />}>
        {t(mail.source === 'demo' ? 'mail.demo' : 'mail.none', { folder: folder ?? 'outbox' })}
      </Alert>
    );
  return (
    <Alert variant="light" icon={<IconInfoCircle size={20} aria-hidden />}>
      {mail.host === null ? null : <Text size="sm">{t('mail.set', { host: mail.host })}</Text>}
      {mail.source === 'environment' ? <Text size="sm">{t('mail.environment')}</Text> : null}
    </Alert>
  );
}

/** Mails from before there was a mail server. Most of their links have ended, so they are not sent now. */
function Kept({ count, folder }: { count: number; folder: string | null }) {
  const { t } = useTranslation('settings');
  return (
    <Alert color="saffron" variant="light" icon={<IconMailOff size={20} aria-hidden />}>
      <Text size="sm" fw={500}>
        {t('mail.kept', { count, folder: folder ?? 'outbox' })}
      </Text>
      <Text size="sm">{t('mail.keptWhat')}</Text>
    </Alert>
  );
}

/** The settings of somebody who cannot change them. */
function Facts({ mail, mayManage }: { mail: MailServerView; mayManage: boolean }) {
  const { t } = useTranslation('settings');
  if (!mayManage) return <Text c="dimmed">{t('mail.notYours')}</Text>;
  if (mail.host === null) return null;
  const rows = [
    [t('mail.host'), mail.host],
    [t('mail.port'), String(mail.port)],
    [t('mail.user'), mail.user ?? '–'],
    [t('mail.from'), mail.from ?? '–'],
  ];
  return (
    <Card>
      <Stack gap="xs">
        {rows.map(([label, value]) => (
          <Group key={label} justify="space-between" gap="md">
            <Text size="sm" c="dimmed">
              {label}
            </Text>
            <Text size="sm">
              <bdi dir="ltr">{value}</bdi>
            </Text>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
