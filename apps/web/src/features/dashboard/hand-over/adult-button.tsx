/** An adult who may take the child, large enough to compare the face. */
import type { HandOverChoice } from '@haris/contract/http/hand-over';
import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Photo } from '../../../photos/photo.tsx';
import classes from './hand-over.module.css';

export interface AdultButtonProps {
  adult: HandOverChoice;
  /** Gets the focus when the dialog opens. */
  isFirst: boolean;
  isBusy: boolean;
  onPress: () => void;
}

export function AdultButton({ adult, isFirst, isBusy, onPress }: AdultButtonProps) {
  return (
    <UnstyledButton
      className={classes.adult}
      disabled={isBusy || !adult.isToday}
      data-autofocus={isFirst || undefined}
      onClick={onPress}
    >
      <AdultLine adult={adult} />
    </UnstyledButton>
  );
}

/** Photo, name, relation, phone, and what to look out for. */
export function AdultLine({ adult }: { adult: HandOverChoice }) {
  const { t } = useTranslation('hand-over');
  const { name, relation, phone, photo, isToday, isConfirmed } = adult;
  return (
    <span className={classes.line}>
      <Photo name={name} path={photo} size={64} shape="rounded" />
      <span className={classes.words}>
        <span className={classes.name}>
          <bdi>{name}</bdi>
        </span>
        <span className={classes.detail}>
          <bdi>{relation ?? t('guardian')}</bdi>
          {phone === null ? null : (
            <>
              {' · '}
              <bdi dir="ltr">{phone}</bdi>
            </>
          )}
        </span>
        {isToday ? null : <span className={classes.warning}>{t('notToday')}</span>}
        {isToday && !isConfirmed ? <span className={classes.warning}>{t('first')}</span> : null}
      </span>
    </span>
  );
}
