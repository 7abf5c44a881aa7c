/**
 * The name of the chosen adult sounds like that of a barred one: staff who may see the bars say whether it is the same person;
 * others go back and fetch one of them. A similar name alone is no reason to alert everybody.
 */
import type { HandOverChoice } from '@haris/contract/http/hand-over';
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp, IconUserCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { BarredPhoto } from '../../../barred/barred-photo.tsx';
import { useBarred } from '../../../barred/use-barred.ts';
import { failureText } from '../../../calls/failure.ts';
import { ErrorState } from '../../../ui/states.tsx';
import { ChosenAdult } from './adult-button.tsx';
import classes from './hand-over.module.css';

export interface DoubtStepProps {
  childId: string;
  /** The adult who was chosen, with at least one doubt; without `doubts` where this account may not read them. */
  adult: HandOverChoice;
  isBusy: boolean;
  onBack: () => void;
  /** It is the barred person. */
  onSame: () => void;
  /** It is another person than all whom the doubts are about. */
  onOther: () => void;
}

export function DoubtStep({ childId, adult, isBusy, onBack, onSame, onOther }: DoubtStepProps) {
  const { t } = useTranslation('hand-over');
  return (
    <Stack gap="md">
      <ChosenAdult adult={adult} isBusy={isBusy} onBack={onBack} />
      {adult.doubts === undefined ? (
        <>
          <Text role="note">{t('doubt.unknown', { name: adult.name })}</Text>
          <Button
            leftSection={<IconArrowBackUp size={19} className={classes.mirror ?? ''} aria-hidden />}
            disabled={isBusy}
            onClick={onBack}
          >
            {t('doubt.back')}
          </Button>
          <div className={classes.apart}>
            <HelpButton label={t('doubt.help')} variant="light" isBusy={isBusy} onPress={onSame} />
          </div>
        </>
      ) : (
        <Alike childId={childId} doubts={adult.doubts} isBusy={isBusy} onOther={onOther} onSame={onSame} />
      )}
    </Stack>
  );
}

interface AlikeProps extends Pick<DoubtStepProps, 'childId' | 'isBusy' | 'onSame' | 'onOther'> {
  doubts: NonNullable<HandOverChoice['doubts']>;
}

/** The barred adults who may be this one, and both answers. */
function Alike({ childId, doubts, isBusy, onOther, onSame }: AlikeProps) {
  const { t } = useTranslation('hand-over');
  const { data, error, isFetching, refetch } = useBarred(childId);
  const alike = data?.barred.filter(({ _id }) => doubts.some(({ barredId }) => barredId === _id));
  // Nobody can say "another person" about somebody who is not shown.
  const isWhole = alike?.length === doubts.length;
  if (!isWhole && !isFetching)
    return (
      <>
        <ErrorState
          text={error === null ? t('doubt.changed') : failureText(error)}
          onRetry={() => void refetch()}
        />
        <HelpButton label={t('doubt.same')} isBusy={isBusy} onPress={onSame} />
      </>
    );
  if (!isWhole) return <Skeleton height={96} role="status" aria-label={t('doubt.loading')} />;
  return (
    <>
      <section className={classes.doubt} aria-label={t('doubt.title')}>
        <Text fw={600}>{t('doubt.title')}</Text>
        <Text size="sm">{t('doubt.lead')}</Text>
        <ul className={classes.barred}>
          {alike.map(({ _id, name, phone, note, photo }) => (
            <li key={_id}>
              <BarredPhoto name={name} path={photo} />
              <span className={classes.name}>
                <bdi>{name}</bdi>
              </span>
              {phone === null ? null : (
                <span className={classes.detail}>
                  <bdi dir="ltr">{phone}</bdi>
                </span>
              )}
              {note === '' ? null : (
                <span className={classes.note}>
                  <bdi>{note}</bdi>
                </span>
              )}
            </li>
          ))}
        </ul>
      </section>
      <div className={classes.others}>
        <HelpButton label={t('doubt.same')} isBusy={isBusy} onPress={onSame} />
        <Button
          variant="default"
          leftSection={<IconUserCheck size={19} aria-hidden />}
          disabled={isBusy}
          onClick={onOther}
        >
          {t('doubt.other')}
        </Button>
      </div>
    </>
  );
}

interface HelpButtonProps {
  label: string;
  /** `light` where it is not the first choice. */
  variant?: 'filled' | 'light';
  isBusy: boolean;
  onPress: () => void;
}

/** Says that it is the barred person, which raises a danger on every screen of staff. */
function HelpButton({ label, variant = 'filled', isBusy, onPress }: HelpButtonProps) {
  return (
    <Button
      color="clay"
      variant={variant}
      classNames={{
        root: classes.help ?? '',
        inner: classes.helpWords ?? '',
        label: classes.helpWords ?? '',
      }}
      leftSection={<IconAlertTriangle size={19} aria-hidden />}
      disabled={isBusy}
      onClick={onPress}
    >
      {label}
    </Button>
  );
}
