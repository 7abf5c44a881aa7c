/** The account's pick-up code in large digits while a child is inside whom it may take. It changes every minute. */
import { PICKUP_CODE_PERIOD_S } from '@haris/contract/http/hand-over';
import { Button, RingProgress, Skeleton, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../../i18n/locale.ts';
import { Card } from '../../ui/card.tsx';
import { useOnline } from '../../ui/use-online.ts';
import styles from './pickup.module.css';
import { usePickupCode, usePickupSecret } from './use-pickup-code.ts';

export interface PickupCodeProps {
  /** Whether a child is inside whom the account may take. */
  isAnyInside: boolean;
  /** Whether the page has heard of all children yet. */
  isKnown: boolean;
}

/** Renders nothing while no child is inside. */
export function PickupCode({ isAnyInside, isKnown }: PickupCodeProps) {
  const { t } = useTranslation(['collectors', 'common']);
  const { secret, query } = usePickupSecret({ isAnyInside, isKnown });
  const id = useId();
  if (!isAnyInside || query.data?.secret === null) return null;
  return (
    <Card component="section" p="md" className={styles.code} aria-labelledby={id}>
      <div className={styles.words}>
        <Title order={2} fz="md" id={id}>
          {t('code.title')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('code.lead')}
        </Text>
      </div>
      {secret !== null ? (
        <Digits secret={secret} />
      ) : query.isError ? (
        <div role="alert" className={styles.failed}>
          <Text size="sm">{t('code.failed')}</Text>
          <Button
            size="sm"
            variant="light"
            leftSection={<IconRefresh size={18} aria-hidden />}
            loading={query.isFetching}
            onClick={() => void query.refetch()}
          >
            {t('common:tryAgain')}
          </Button>
        </div>
      ) : (
        <Skeleton height={56} width={220} role="status" aria-label={t('code.loading')} />
      )}
    </Card>
  );
}

/** The code in the digits of the page's language, in two groups of three. */
export function Digits({ secret }: { secret: string }) {
  const { t, i18n } = useTranslation('collectors');
  const isOnline = useOnline();
  const { code, secondsLeft } = usePickupCode(secret);
  if (code === null) return <Skeleton height={56} width={220} role="status" aria-label={t('code.loading')} />;
  const format = new Intl.NumberFormat(localeOf(i18n.language), {
    minimumIntegerDigits: 3,
    useGrouping: false,
  });
  const shown = [code.slice(0, 3), code.slice(3)].map((group) => format.format(Number(group)));
  return (
    <div className={styles.live}>
      <div>
        <p className={styles.digits} dir="ltr">
          {shown.map((group, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two places that never move
            <span key={index}>{group}</span>
          ))}
        </p>
        <Text size="sm" c="dimmed">
          {t('code.left', { count: secondsLeft })}
          {isOnline ? null : ` · ${t('code.offline')}`}
        </Text>
      </div>
      <RingProgress
        size={52}
        thickness={6}
        roundCaps
        aria-hidden
        sections={[
          {
            value: (secondsLeft / PICKUP_CODE_PERIOD_S) * 100,
            color: secondsLeft <= 10 ? 'saffron' : 'pine',
          },
        ]}
      />
    </div>
  );
}
