/** Badge that shows whether a child is inside or outside, in text and colour. */
import type { Child } from '@haris/contract/objects';
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export function StatusBadge({ child }: { child: Child }) {
  const { t } = useTranslation('dashboard');
  return child.isInside ? (
    <Badge size="sm" tt="none" variant="light" color="pine">
      {t('families.statusInside')}
    </Badge>
  ) : (
    <Badge size="sm" tt="none" variant="light" color="gray">
      {t('families.statusOutside')}
    </Badge>
  );
}
