/** A form that shows its values to staff who may not change them: its fields are switched off, and a line says why. */
import type { Permission } from '@haris/contract/permissions';
import { Alert } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { createContext, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from './may.ts';
import classes from './read-only.module.css';
import { useMayEverywhere, useWork } from './work.ts';

/** Whether the fields around are switched off already, with a line that says why. */
const IsLocked = createContext(false);

export interface ReadOnlyProps {
  /** The permission needed to change the values. */
  unless: Permission;
  children: ReactNode;
}

/** Hide the form's buttons with {@link Allowed}. */
export function ReadOnly({ unless, children }: ReadOnlyProps) {
  const may = useMay();
  const { t } = useTranslation('frame');
  if (may(unless)) return children;
  return <Locked why={t('onlyReads')}>{children}</Locked>;
}

/**
 * Values that all facilities share, so changing them needs the permission at each of them. It may be inside a {@link
 * ReadOnly}.
 */
export function SharedValues({ unless, children }: ReadOnlyProps) {
  const isLocked = useContext(IsLocked);
  const mayEverywhere = useMayEverywhere();
  const hasSeveral = useWork() !== null;
  const { t } = useTranslation('frame');
  if (isLocked || mayEverywhere(unless)) return children;
  return <Locked why={t(hasSeveral ? 'onlyReadsShared' : 'onlyReads')}>{children}</Locked>;
}

function Locked({ why, children }: { why: string; children: ReactNode }) {
  return (
    <>
      <Alert color="gray" variant="light" mb="md" icon={<IconLock size={20} aria-hidden />}>
        {why}
      </Alert>
      <fieldset disabled className={classes.plain}>
        <IsLocked value={true}>{children}</IsLocked>
      </fieldset>
    </>
  );
}
