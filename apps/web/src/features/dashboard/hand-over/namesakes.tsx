/** Shows the child beside others inside who have the same first name, so that nobody hands over the wrong one. */
import type { HandOverNamesake } from '@haris/contract/http/hand-over';
import type { Child } from '@haris/contract/objects';
import { Text } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Photo } from '../../../photos/photo.tsx';
import classes from './hand-over.module.css';

/** How many fit above the list of adults. */
const SHOWN = 4;

export interface NamesakesProps {
  child: Pick<Child, '_id' | 'name' | 'photo'>;
  namesakes: readonly HandOverNamesake[];
}

export function Namesakes({ child, namesakes }: NamesakesProps) {
  const { t } = useTranslation('hand-over');
  const id = useId();
  const isThis = (one: { _id: string }) => one._id === child._id;
  return (
    <div className={classes.namesakes} role="note">
      <Text size="sm" fw={600} id={id}>
        {t('namesakes')}
      </Text>
      <ul className={classes.faces} aria-labelledby={id}>
        {[child, ...namesakes.slice(0, SHOWN)].map((one) => (
          <li key={one._id} className={classes.face} data-this={isThis(one) || undefined}>
            <Photo name={one.name} path={one.photo} size={48} shape="rounded" />
            <span>
              <bdi>{one.name}</bdi>
              {isThis(one) ? <span className={classes.detail}> {t('thisChild')}</span> : null}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
