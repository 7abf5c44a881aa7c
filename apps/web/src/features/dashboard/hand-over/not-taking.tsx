/** Names the guardians to whom the child is not handed, with their faces: staff know them as its parents. */
import type { HandOverNotTaking } from '@haris/contract/http/hand-over';
import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Photo } from '../../../photos/photo.tsx';
import classes from './hand-over.module.css';

export interface NotTakingProps {
  /** Name of the child. */
  name: string;
  guardians: readonly HandOverNotTaking[];
}

export function NotTaking({ name, guardians }: NotTakingProps) {
  const { t } = useTranslation('hand-over');
  const id = useId();
  return (
    <Alert color="clay" variant="light" role="note" icon={<IconAlertTriangle size={22} aria-hidden />}>
      <span id={id}>{t('notTaking', { name })}</span>
      <ul className={classes.faces} aria-labelledby={id}>
        {guardians.map((guardian) => (
          <li key={guardian._id} className={classes.face}>
            <Photo name={guardian.name} path={guardian.photo} size={48} shape="rounded" />
            <bdi>{guardian.name}</bdi>
          </li>
        ))}
      </ul>
      <Text size="sm">{t('notTakingHint', { name })}</Text>
    </Alert>
  );
}
