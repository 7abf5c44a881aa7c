/** A child within its family: photo, state, and the next action of the desk. */
import type { Child } from '@haris/contract/objects';
import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CareSignOf } from '../../../care/care-sign.tsx';
import { ChildLink } from '../../../child/child-link.tsx';
import { Photo } from '../../../photos/photo.tsx';
import classes from './families.module.css';
import { StatusBadge } from './status-badge.tsx';
import { WaitingButton } from './waiting-button.tsx';

export interface FamilyChildProps {
  child: Child;
  /** Null if this person may not check children in. */
  onCheckIn: (() => void) | null;
  onWaiting: () => void;
}

export function FamilyChild({ child, onCheckIn, onWaiting }: FamilyChildProps) {
  const { t } = useTranslation('dashboard');
  return (
    <li className={classes.child}>
      <Photo name={child.name} path={child.photo} size={36} />
      <div className={classes.childName}>
        <Text size="sm" fw={500} lineClamp={3} className={classes.name} dir="auto">
          <ChildLink id={child._id}>{child.name}</ChildLink>
        </Text>
        <StatusBadge child={child} />
      </div>
      <CareSignOf child={{ id: child._id, name: child.name }} />
      {child.isInside || onCheckIn === null ? null : (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('families.checkInOf', { name: child.name })}
          onClick={onCheckIn}
        >
          {t('families.checkIn')}
        </Button>
      )}
      {child.pending.length === 0 ? null : (
        <div className={classes.waiting}>
          <WaitingButton of={child} onOpen={onWaiting} />
        </div>
      )}
    </li>
  );
}
