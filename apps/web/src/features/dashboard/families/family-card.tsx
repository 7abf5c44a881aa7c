/** One family: the parent with actions, and the children with their state. */
import type { Child, Parent } from '@haris/contract/objects';
import { Badge, Button, Text } from '@mantine/core';
import { IconMailExclamation, IconMoodKid, IconTrash } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Photo } from '../../../photos/photo.tsx';
import type { Waiting } from '../proposals/use-decision.ts';
import classes from './families.module.css';
import { FamilyChild } from './family-child.tsx';
import { VouchDialog } from './vouch-dialog.tsx';
import { WaitingButton } from './waiting-button.tsx';

export interface FamilyCardProps {
  parent: Parent;
  /** Whether this person adds children and vouches for addresses. */
  mayEdit: boolean;
  /** Null if this person may not delete families. */
  onDelete: ((parent: Parent) => void) | null;
  /** Null if this person may not check children in. */
  onCheckIn: ((parent: Parent, child: Child) => void) | null;
  onWaiting: (waiting: Waiting) => void;
}

/** Memoised, so that a check-in renders one family instead of five hundred. */
export const FamilyCard = memo(function FamilyCard({
  parent,
  mayEdit,
  onDelete,
  onCheckIn,
  onWaiting,
}: FamilyCardProps) {
  const { t } = useTranslation('dashboard');
  return (
    <li className={classes.family}>
      <div className={classes.parent}>
        <Photo name={parent.name} path={parent.photo} size={44} />
        <div>
          <Text component="h3" fw={600} className={classes.name}>
            <bdi>{parent.name}</bdi>
          </Text>
          <Text size="sm" c="dimmed" component="div" className={classes.contact}>
            <bdi>{parent.email}</bdi>
            {parent.phone === null ? (
              <span>{t('families.noPhone')}</span>
            ) : (
              <bdi dir="ltr">{parent.phone}</bdi>
            )}
          </Text>
        </div>
        <div className={classes.actions}>
          {mayEdit ? (
            <Button
              component={Link}
              to={`/addChild?parentId=${encodeURIComponent(parent._id)}`}
              state={{ parentName: parent.name }}
              size="compact-md"
              fz="sm"
              variant="light"
              leftSection={<IconMoodKid size={17} aria-hidden />}
              aria-label={t('families.addChildOf', { name: parent.name })}
            >
              {t('families.addChild')}
            </Button>
          ) : null}
          {onDelete === null ? null : (
            <Button
              size="compact-md"
              fz="sm"
              variant="subtle"
              color="gray"
              leftSection={<IconTrash size={17} aria-hidden />}
              aria-label={t('families.deleteParentOf', { name: parent.name })}
              aria-haspopup="dialog"
              onClick={() => onDelete(parent)}
            >
              {t('families.deleteParent')}
            </Button>
          )}
        </div>
        {parent.emailVerified ? null : <NotVerified parent={parent} mayEdit={mayEdit} />}
        {parent.pending.length === 0 ? null : (
          <div className={classes.badge}>
            <WaitingButton of={parent} onOpen={() => onWaiting({ kind: 'parent', of: parent })} />
          </div>
        )}
      </div>
      {parent.children.length === 0 ? (
        <Text size="sm" c="dimmed" mt="sm">
          {t('families.noChildren')}
        </Text>
      ) : (
        <ul className={classes.children} aria-label={t('families.childrenOf', { name: parent.name })}>
          {parent.children.map((child) => (
            <FamilyChild
              key={child._id}
              child={child}
              onCheckIn={onCheckIn === null ? null : () => onCheckIn(parent, child)}
              onWaiting={() => onWaiting({ kind: 'child', of: child })}
            />
          ))}
        </ul>
      )}
    </li>
  );
});

/**
 * Badge of an unverified e-mail address, with the button for staff who have met the parent at the desk (contract §3,
 * §6).
 */
function NotVerified({ parent, mayEdit }: Pick<FamilyCardProps, 'parent' | 'mayEdit'>) {
  const { t } = useTranslation('dashboard');
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={classes.badge}>
      <Badge
        tt="none"
        color={parent.disownedAt === undefined ? 'saffron' : 'clay'}
        variant="light"
        leftSection={<IconMailExclamation size={14} aria-hidden />}
      >
        {parent.disownedAt === undefined ? t('families.notVerified') : t('families.disowned')}
      </Badge>
      {mayEdit ? (
        <>
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={t('families.markVerifiedOf', { name: parent.name })}
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
          >
            {t('families.markVerified')}
          </Button>
          <VouchDialog parent={parent} opened={isOpen} onClose={() => setOpen(false)} />
        </>
      ) : null}
    </div>
  );
}
