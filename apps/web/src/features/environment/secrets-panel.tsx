/** The secrets of a new device, shown only once, with copy buttons and the complete ESPHome file. */
import { Alert, Button, Code, CopyButton, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './secrets.module.css';

export interface Secret {
  readonly label: string;
  readonly value: string;
}

export interface SecretsPanelProps {
  secrets: readonly Secret[];
  /** A file to copy or download. */
  file?: { readonly name: string; readonly text: string } | undefined;
  onDone: () => void;
}

export function SecretsPanel({ secrets, file, onDone }: SecretsPanelProps) {
  const { t } = useTranslation('environment');
  return (
    <Stack gap="md">
      <Alert
        color="saffron"
        variant="light"
        icon={<IconAlertTriangle size={20} aria-hidden />}
        title={t('secrets.once')}
      >
        {t('secrets.onceHint')}
      </Alert>
      <dl className={classes.list}>
        {secrets.map(({ label, value }) => (
          <div key={label} className={classes.secret}>
            <Text component="dt" size="sm" c="dimmed">
              {label}
            </Text>
            <dd>
              <Code dir="ltr" className={classes.value ?? ''}>
                {value}
              </Code>
              <Copy value={value} label={label} />
            </dd>
          </div>
        ))}
      </dl>
      {file === undefined ? null : (
        <Stack gap="xs">
          <Group justify="space-between">
            <Text fw={500}>{t('secrets.esphome')}</Text>
            <Group gap="xs">
              <Copy value={file.text} label={t('secrets.esphome')} />
              <Button
                size="compact-md"
                variant="light"
                component="a"
                href={`data:text/yaml;charset=utf-8,${encodeURIComponent(file.text)}`}
                download={file.name}
                leftSection={<IconDownload size={16} aria-hidden />}
              >
                {t('secrets.download')}
              </Button>
            </Group>
          </Group>
          <ScrollArea.Autosize mah={220} tabIndex={0} role="region" aria-label={t('secrets.esphome')}>
            <Code block dir="ltr">
              {file.text}
            </Code>
          </ScrollArea.Autosize>
        </Stack>
      )}
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          {t('secrets.done')}
        </Button>
      </Group>
    </Stack>
  );
}

function Copy({ value, label }: Secret) {
  const { t } = useTranslation('environment');
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          size="compact-md"
          variant="light"
          color={copied ? 'pine' : 'gray'}
          onClick={copy}
          aria-label={t(copied ? 'secrets.copiedOf' : 'secrets.copyOf', { label })}
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        >
          {copied ? t('secrets.copied') : t('secrets.copy')}
        </Button>
      )}
    </CopyButton>
  );
}
