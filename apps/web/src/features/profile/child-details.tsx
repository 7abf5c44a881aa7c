/** What "View Details" shows of a child. Its first guardian can change the birth date and add a photo. */
import type { Child } from '@haris/contract/objects';
import { Badge, Button, Group, Stack } from '@mantine/core';
import { IconCameraPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Photo } from '../../photos/photo.tsx';
import { BirthDate } from './birth-date.tsx';

export interface ChildDetailsProps {
  child: Child;
  /** The parent is the first guardian. */
  isFirst: boolean;
  /** The card of the child's time, from the stays feature. */
  renderDetails: (child: Child) => ReactNode;
  /** Opens the camera for a further photo of the child, from another angle. */
  onFurtherPhoto: () => void;
}

export function ChildDetails({ child, isFirst, renderDetails, onFurtherPhoto }: ChildDetailsProps) {
  const { t } = useTranslation('profile');
  return (
    <Stack>
      <Group wrap="nowrap">
        <Photo path={child.photo} name={child.name} size={96} shape="rounded" />
        <Badge variant={child.isInside ? 'filled' : 'default'} size="lg" tt="none" fw={500}>
          {child.isInside ? t('inside') : t('outside')}
        </Badge>
      </Group>
      {renderDetails(child)}
      {isFirst ? <BirthDate key={child._id} child={child} /> : null}
      {child.photo === null || !isFirst ? null : (
        <Button
          variant="light"
          leftSection={<IconCameraPlus size={18} aria-hidden />}
          style={{ alignSelf: 'start' }}
          aria-haspopup="dialog"
          onClick={onFurtherPhoto}
        >
          {t('furtherPhoto')}
        </Button>
      )}
    </Stack>
  );
}
