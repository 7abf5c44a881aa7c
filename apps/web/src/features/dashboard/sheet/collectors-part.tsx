/** Who may pick up the child besides the parent, in the child's sheet. */
import type { Child } from '@haris/contract/objects';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CollectorList } from '../../../collectors/collector-list.tsx';
import { useMay } from '../../../session/may.ts';
import { Section } from './section.tsx';

export function CollectorsPart({ child }: { child: Child }) {
  const { t } = useTranslation('collectors');
  return (
    <Section title={t('title')}>
      <Text size="xs" c="dimmed">
        {t('hintStaff')}
      </Text>
      <CollectorList child={child} mayEdit={useMay()('families.edit')} />
    </Section>
  );
}
