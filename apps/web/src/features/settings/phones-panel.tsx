/** Connects a phone: a code to scan, whether a phone arrived, and how to get HTTPS. */
import { type Setup, setupRoutes } from '@haris/contract/http/setup';
import { Alert, Button, Code, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { useAtTick } from '../../countdown/use-tick.ts';
import { useAddressesForPhones } from '../../setup/addresses.ts';
import { Card } from '../../ui/card.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { LocalLinks } from './local-links.tsx';
import classes from './settings.module.css';

export function PhonesPanel({ setup }: { setup: Setup }) {
  const addresses = useAddressesForPhones(setup);
  return (
    <Stack gap="md">
      <LocalLinks setup={setup} />
      {addresses.length === 0 ? <NotReachable setup={setup} /> : <Connect setup={setup} urls={addresses} />}
      {addresses.some((url) => url.startsWith('https:')) ? null : <HowToHttps />}
    </Stack>
  );
}

/** No phone can connect, because the server listens only on this machine, or has no network. */
function NotReachable({ setup }: { setup: Setup }) {
  const { t } = useTranslation('settings');
  return (
    <Card>
      <Stack gap="sm">
        <Alert color="saffron" variant="light" icon={<IconAlertTriangle size={20} aria-hidden />}>
          {t(setup.reach.listensToNetwork ? 'phones.noAddress' : 'phones.thisMachine')}
        </Alert>
        {setup.reach.listensToNetwork ? null : (
          <>
            <Text size="sm">{t('phones.listen')}</Text>
            <Code block className={classes.code ?? ''}>
              HOST=0.0.0.0 npm start
            </Code>
          </>
        )}
      </Stack>
    </Card>
  );
}

function Connect({ setup, urls }: { setup: Setup; urls: readonly string[] }) {
  const { t } = useTranslation('settings');
  const [chosen, setChosen] = useState<string | null>(null);
  const url = chosen !== null && urls.includes(chosen) ? chosen : (urls[0] ?? '');
  const { mutate, data, isPending } = useMutation({
    mutationFn: () => call(setupRoutes.createReachCode),
    onError: (error) => showFailure(error),
  });
  const { seen } = setup.reach;
  const [isAgain, setAgain] = useState(false);
  const isDone = seen !== null && !isAgain;
  useEffect(() => {
    if (!isDone) mutate();
  }, [isDone, mutate]);
  // Another phone arrived.
  useEffect(() => {
    if (seen !== null) setAgain(false);
  }, [seen]);
  const isExpired = useAtTick(
    useCallback((now: number) => data !== undefined && Date.parse(data.expiresAt) <= now, [data]),
  );
  if (isDone)
    return (
      <Card>
        <Group justify="space-between" gap="sm">
          <Alert variant="light" flex="1 1 16rem" icon={<IconCheck size={20} aria-hidden />} role="status">
            {t('phones.seen', { url: seen.url })}
          </Alert>
          <Button variant="default" onClick={() => setAgain(true)}>
            {t('phones.again')}
          </Button>
        </Group>
      </Card>
    );
  return (
    <Card>
      <Stack gap="md">
        <Text>{t('phones.lead')}</Text>
        {urls.length > 1 ? (
          <SegmentedControl
            aria-label={t('phones.address')}
            data={urls.map((value) => ({ value, label: <bdi dir="ltr">{value}</bdi> }))}
            value={url}
            onChange={setChosen}
            orientation={urls.length > 2 ? 'vertical' : 'horizontal'}
          />
        ) : null}
        <Group gap="lg" align="center">
          {data === undefined || isExpired ? null : (
            <QrCode text={`${url}/reach/${data.code}`} label={t('phones.qr')} className={classes.qr} />
          )}
          <Stack gap="xs" miw={0} flex="1 1 12rem">
            <Text fw={500} className={classes.reply ?? ''}>
              <bdi dir="ltr">{url}</bdi>
            </Text>
            <Text size="sm" c="dimmed" role="status">
              {isExpired ? t('phones.expired') : t('phones.waiting')}
            </Text>
            {isExpired ? (
              <Button size="sm" onClick={() => mutate()} loading={isPending}>
                {t('phones.newCode')}
              </Button>
            ) : null}
          </Stack>
        </Group>
      </Stack>
    </Card>
  );
}

/** Camera and push need HTTPS; a small proxy gets the certificate. */
function HowToHttps() {
  const { t } = useTranslation('settings');
  return (
    <Card component="section" aria-labelledby="https-title">
      <Stack gap="sm">
        <Title order={2} id="https-title" fz="h4">
          {t('phones.httpsTitle')}
        </Title>
        <Text size="sm">{t('phones.https')}</Text>
        <Text size="sm">{t('phones.httpsHow')}</Text>
        <Code block className={classes.code ?? ''}>
          caddy reverse-proxy --from haris.example.org --to 127.0.0.1:3000
        </Code>
        <Text size="sm">{t('phones.httpsThen')}</Text>
        <Code block className={classes.code ?? ''}>
          {'PUBLIC_URL=https://haris.example.org\nTRUST_PROXY=1'}
        </Code>
      </Stack>
    </Card>
  );
}
