/** An adult who may take the child, with the photo, which a press enlarges to compare the face. */
import type { HandOverChoice } from '@haris/contract/http/hand-over';
import { Button, UnstyledButton } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
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
    <WithLargePhoto adult={adult}>
      <UnstyledButton
        className={classes.adult}
        disabled={isBusy || !adult.isToday}
        data-autofocus={isFirst || undefined}
        onClick={onPress}
      >
        <AdultWords adult={adult} />
      </UnstyledButton>
    </WithLargePhoto>
  );
}

export interface ChosenAdultProps {
  adult: HandOverChoice;
  isBusy: boolean;
  onBack: () => void;
}

/** The adult who was chosen, and the way back to the list. */
export function ChosenAdult({ adult, isBusy, onBack }: ChosenAdultProps) {
  const { t } = useTranslation('hand-over');
  return (
    <div className={classes.chosen}>
      <WithLargePhoto adult={adult}>
        <AdultWords adult={adult} />
      </WithLargePhoto>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<IconArrowBackUp size={17} className={classes.mirror ?? ''} aria-hidden />}
        disabled={isBusy}
        onClick={onBack}
      >
        {t('change')}
      </Button>
    </div>
  );
}

/** The photo beside what is said about the adult; a press shows it large below. */
export function WithLargePhoto({
  adult: { name, photo },
  children,
}: {
  adult: Pick<HandOverChoice, 'name' | 'photo'>;
  children: ReactNode;
}) {
  const { t } = useTranslation('hand-over');
  const [isLarge, setLarge] = useState(false);
  const id = useId();
  return (
    <div className={classes.person}>
      <div className={classes.line}>
        {photo === null ? (
          <Photo name={name} path={null} size={64} shape="rounded" />
        ) : (
          <UnstyledButton
            className={classes.photo}
            aria-label={t('enlarge', { name })}
            aria-expanded={isLarge}
            aria-controls={id}
            onClick={() => setLarge(!isLarge)}
          >
            <Photo name={name} path={photo} size={64} shape="rounded" />
          </UnstyledButton>
        )}
        {children}
      </div>
      <div id={id} hidden={!isLarge}>
        {isLarge ? <Photo name={name} path={photo} size="min(20rem, 70vw)" shape="rounded" isWhole /> : null}
      </div>
    </div>
  );
}

/** Name, relation, phone, and what to look out for. */
function AdultWords({ adult }: { adult: HandOverChoice }) {
  const { t } = useTranslation('hand-over');
  const { name, relation, phone, isToday, isConfirmed } = adult;
  return (
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
  );
}
