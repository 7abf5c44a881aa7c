/** "I'm on my way": tells the nursery when somebody comes to fetch the children who are inside; can be changed and taken back. */
import type { Child } from '@haris/contract/objects';
import { Button, Group, Text } from '@mantine/core';
import { IconCar, IconChecks, IconPhone, IconWalk } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { localeOf } from '../../i18n/locale.ts';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useOnline } from '../../ui/use-online.ts';
import styles from './on-my-way.module.css';
import { PickupForm } from './pickup-form.tsx';
import { useCancelPickup } from './use-pickup.ts';

/**
 * A parent's two actions from outside: announce the pick-up, and call. Empty while no child is inside and no number
 * is known (`phone` null).
 */
export function OnMyWay({ family, phone }: { family: readonly Child[]; phone: string | null }) {
  const { t } = useTranslation('profile');
  const [isOpen, setOpen] = useState(false);
  const isOnline = useOnline();
  const inside = family.filter(({ isInside }) => isInside);
  const announced = inside.filter(({ onMyWay }) => onMyWay !== undefined);
  if (inside.length === 0 && phone === null) return null;
  const actions = (
    <div className={styles.actions} data-brief={inside.length > 0 || undefined}>
      {inside.length === 0 ? null : (
        <Button
          size="md"
          variant={announced.length > 0 ? 'light' : 'filled'}
          leftSection={announced.length > 0 ? undefined : <IconWalk size={20} aria-hidden />}
          aria-haspopup="dialog"
          disabled={!isOnline}
          onClick={() => setOpen(true)}
        >
          {t(announced.length > 0 ? 'way.change' : 'way.open')}
        </Button>
      )}
      {announced.length > 0 ? <CancelButton announced={announced} isOnline={isOnline} /> : null}
      {phone === null ? null : <CallButton phone={phone} />}
    </div>
  );
  return (
    <div className={styles.panel}>
      {announced.length > 0 ? (
        <Card p="md" className={styles.announced ?? ''}>
          <Announced announced={announced} isAll={announced.length === inside.length} />
          {actions}
        </Card>
      ) : (
        actions
      )}
      {isOnline || inside.length === 0 ? null : (
        <Text size="sm" c="dimmed" role="status">
          {t('way.offline')}
        </Text>
      )}
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t('way.open')} size="sm">
        <PickupForm inside={inside} onDone={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}

/** Dials the number. On phones only the icon is shown beside the other buttons. */
function CallButton({ phone }: { phone: string }) {
  const { t } = useTranslation('profile');
  return (
    <Button
      component="a"
      href={`tel:${phone}`}
      size="md"
      variant="default"
      className={styles.call ?? ''}
      aria-label={t('call')}
      title={t('call')}
    >
      <IconPhone size={20} aria-hidden />
      <span className={styles.callWord}>{t('call')}</span>
    </Button>
  );
}

/** The announced times. Children with the same time are named together. */
function Announced({ announced, isAll }: { announced: readonly Child[]; isAll: boolean }) {
  const { t, i18n } = useTranslation('profile');
  const format = useClockFormat();
  const times = [...new Set(announced.map(({ onMyWay }) => onMyWay?.arrivesAt ?? ''))].sort();
  const isSeen = announced.every(({ onMyWay }) => onMyWay?.seenAt !== undefined);
  const names = new Intl.ListFormat(localeOf(i18n.language));
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start" role="status">
      <IconCar size={24} aria-hidden className={styles.icon} />
      <div>
        {times.map((time) => {
          const who = announced.filter(({ onMyWay }) => onMyWay?.arrivesAt === time).map(({ name }) => name);
          return (
            <Text key={time} fw={600}>
              {isAll && times.length === 1
                ? t('way.expected', { time: format.timeOfDay(time) })
                : t('way.expectedFor', { time: format.timeOfDay(time), names: names.format(who) })}
            </Text>
          );
        })}
        {isSeen ? (
          <Text size="sm" className={styles.seen ?? ''}>
            <IconChecks size={16} aria-hidden /> {t('way.seen')}
          </Text>
        ) : (
          <Text size="sm" c="dimmed">
            {t('way.told')}
          </Text>
        )}
      </div>
    </Group>
  );
}

function CancelButton({ announced, isOnline }: { announced: readonly Child[]; isOnline: boolean }) {
  const { t } = useTranslation('profile');
  const cancel = useCancelPickup();
  return (
    <Button
      size="md"
      variant="subtle"
      color="gray"
      disabled={!isOnline}
      loading={cancel.isPending}
      onClick={() => cancel.mutate(announced.map(({ _id }) => _id))}
    >
      {t('way.cancel')}
    </Button>
  );
}
