/** Warns while links in mails open on the server's own machine only, and says how to start Haris so that they open. */
import type { Setup } from '@haris/contract/http/setup';
import { Alert, Code, Stack, Text } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../session/may.ts';
import { useAddressesForPhones } from '../../setup/addresses.ts';
import { useIsDemo } from '../../start/config-answer.ts';
import classes from './settings.module.css';

/** Renders nothing in a demo, which sends no mail, and for staff who cannot have it changed. */
export function LocalLinks({ setup }: { setup: Setup }) {
  const { t } = useTranslation('settings');
  const addresses = useAddressesForPhones(setup);
  const isDemo = useIsDemo();
  const mayManage = useMay()('settings.manage');
  const { links, seen } = setup.reach;
  if (!links.onlyHere || isDemo || !mayManage) return null;
  // Best the address that a phone has used, else one that it could.
  const address = seen?.url ?? addresses[0] ?? 'https://haris.example.org';
  return (
    <Alert
      color="saffron"
      variant="light"
      icon={<IconLinkOff size={20} aria-hidden />}
      title={t('links.title')}
    >
      <Stack gap="xs">
        <Text size="sm">{t('links.text', { url: links.url })}</Text>
        <Code block className={classes.code ?? ''} dir="ltr">
          {`PUBLIC_URL=${address} npm start`}
        </Code>
        <Text size="sm">{t('links.service')}</Text>
      </Stack>
    </Alert>
  );
}
