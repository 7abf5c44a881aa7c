/** Import of families: a file or pasted cells, a preview, and the result. */
import { Alert, Button, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { i18n } from '../../i18n/i18n.ts';
import { localeOf } from '../../i18n/locale.ts';
import { Allowed } from '../../session/allowed.tsx';
import { MailNote, useSendsMail } from '../../setup/mail-note.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import type { Imported } from './api.ts';
import { PreviewStep } from './preview-step.tsx';
import { type Source, SourceStep } from './source-step.tsx';

export default function ImportScreen() {
  const { t } = useTranslation('imports');
  const [source, setSource] = useState<Source | null>(null);
  const [imported, setImported] = useState<Imported | null>(null);
  return (
    <Page title={t('title')} description={t('lead')}>
      {imported !== null ? (
        <Done
          imported={imported}
          onAgain={() => {
            setImported(null);
            setSource(null);
          }}
        />
      ) : source === null ? (
        <SourceStep onRead={setSource} />
      ) : (
        <PreviewStep source={source} onBack={() => setSource(null)} onDone={setImported} />
      )}
    </Page>
  );
}

/** Row numbers, starting at 1, as a list in the digits and words of the language. */
function rowNumbers(rows: Imported['leftOut']): string {
  const number = new Intl.NumberFormat(localeOf(i18n.language));
  return new Intl.ListFormat(localeOf(i18n.language)).format(rows.map(({ row }) => number.format(row + 1)));
}

function Done({ imported, onAgain }: { imported: Imported; onAgain: () => void }) {
  const { t } = useTranslation('imports');
  const sendsMail = useSendsMail();
  const heading = useRef<HTMLHeadingElement>(null);
  // The pressed button has disappeared, so focus moves to the heading.
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card component="section">
      <Stack align="center" ta="center" gap="sm" py="md">
        <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
          <IconCheck size={30} />
        </ThemeIcon>
        <Title order={2} fz="h3" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          {t('done', { count: imported.created })}
        </Title>
        {imported.leftOut.length === 0 ? null : (
          <Alert
            icon={<IconAlertTriangle aria-hidden />}
            color="clay"
            title={t('leftOut.title', { count: imported.leftOut.length })}
            ta="start"
          >
            {t('leftOut.text', { rows: rowNumbers(imported.leftOut) })}
          </Alert>
        )}
        {sendsMail ? <Text maw={520}>{t('mailsOnTheirWay')}</Text> : <MailNote to="staff" />}
        <Text maw={520} c="dimmed">
          {t('childrenLater')}
        </Text>
        <Group gap="sm" mt="sm" justify="center">
          <Button variant="default" onClick={onAgain}>
            {t('again')}
          </Button>
          <Allowed to="families.view">
            <Button component={Link} to="/adminDashboard">
              {t('toFamilies')}
            </Button>
          </Allowed>
        </Group>
      </Stack>
    </Card>
  );
}
