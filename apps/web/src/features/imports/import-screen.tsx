/** Import of families: a file or pasted cells, a look at what will happen, and all of it or nothing. */
import { Button, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { PreviewStep } from './preview-step.tsx';
import { type Source, SourceStep } from './source-step.tsx';

export default function ImportScreen() {
  const { t } = useTranslation('imports');
  const [source, setSource] = useState<Source | null>(null);
  const [created, setCreated] = useState<number | null>(null);
  return (
    <Page
      title={t('title')}
      description={t('lead')}
      actions={<BackLink to="/adminDashboard">{t('back')}</BackLink>}
    >
      {created !== null ? (
        <Done
          created={created}
          onAgain={() => {
            setCreated(null);
            setSource(null);
          }}
        />
      ) : source === null ? (
        <SourceStep onRead={setSource} />
      ) : (
        <PreviewStep source={source} onBack={() => setSource(null)} onDone={setCreated} />
      )}
    </Page>
  );
}

function Done({ created, onAgain }: { created: number; onAgain: () => void }) {
  const { t } = useTranslation('imports');
  const heading = useRef<HTMLHeadingElement>(null);
  // What was pressed is gone; the keyboard and the screen reader go on here.
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card component="section">
      <Stack align="center" ta="center" gap="sm" py="md">
        <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
          <IconCheck size={30} />
        </ThemeIcon>
        <Title order={2} fz="h3" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          {t('done', { count: created })}
        </Title>
        <Text maw={520}>{t('mailsOnTheirWay')}</Text>
        <Text maw={520} c="dimmed">
          {t('childrenLater')}
        </Text>
        <Group gap="sm" mt="sm" justify="center">
          <Button variant="default" onClick={onAgain}>
            {t('again')}
          </Button>
          <Button component={Link} to="/adminDashboard">
            {t('toFamilies')}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
