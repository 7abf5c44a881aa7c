/** A quiet line that names what staff compare people with and what changed since the child's last stay began. */
import type { Child } from '@haris/contract/objects';
import { Group, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { momentFormat } from '../../../i18n/locale.ts';

export function ChangedSince({ child: { changes = [] } }: { child: Child }) {
  const { t, i18n } = useTranslation('dashboard');
  if (changes.length === 0) return null;
  const day = momentFormat(i18n.language, { dateStyle: 'medium' });
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <IconHistory size={16} stroke={1.75} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
      <div>
        {changes.map(({ what, at }) => (
          <Text key={what} size="sm" c="dimmed">
            {t(`changed.${what}`, { when: day.format(Date.parse(at)) })}
          </Text>
        ))}
      </div>
    </Group>
  );
}
