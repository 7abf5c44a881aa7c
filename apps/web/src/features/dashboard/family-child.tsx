/** A child within its family: photo, state, and the one thing the desk does next. */
import type { Child } from '@haris/contract/objects';
import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Photo } from '../../client/photo.tsx';
import classes from './families.module.css';
import { StatusBadge } from './status-badge.tsx';
import { WaitingButton } from './waiting-button.tsx';

export interface FamilyChildProps {
  child: Child;
  onCheckIn: () => void;
  onWaiting: () => void;
}

export function FamilyChild({ child, onCheckIn, onWaiting }: FamilyChildProps) {
  const { t } = useTranslation('dashboard');
  return (
    <li className={classes.child}>
      <Photo name={child.name} path={child.photo} size={36} />
      <div className={classes.childName}>
        <Text size="sm" fw={500} lineClamp={3} className={classes.name}>
          <bdi>{child.name}</bdi>
        </Text>
        <StatusBadge child={child} />
      </div>
      {child.isInside ? null : (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('families.checkInOf', { name: child.name })}
          onClick={onCheckIn}
        >
          {t('families.checkIn')}
        </Button>
      )}
      {child.proposal === undefined ? null : (
        <div className={classes.waiting}>
          <WaitingButton of={child} onOpen={onWaiting} />
        </div>
      )}
    </li>
  );
}
