/** One family that waits at a kiosk: staff compare each child with the photo, and accept or refuse. */
import type { StayEnd } from '@haris/contract/fields';
import type { KioskRequest } from '@haris/contract/http/kiosk';
import type { Child } from '@haris/contract/objects';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconPhotoQuestion, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CareSignOf } from '../../../care/care-sign.tsx';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { useMinute } from '../../../facilities/use-minute.ts';
import { Photo } from '../../../photos/photo.tsx';
import { Card } from '../../../ui/card.tsx';
import { dialogs } from '../dialogs.ts';
import { EndButtons } from '../entry/end-buttons.tsx';
import { RoomPicker } from '../entry/room-picker.tsx';
import { useEntryRoom } from '../entry/use-entry-room.ts';
import { useStayEnds } from '../entry/use-stay-ends.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import { useAcceptRequests, useRefuseRequests } from './api.ts';
import classes from './kiosk-queue.module.css';

export interface VisitProps {
  requests: readonly KioskRequest[];
  onPrint: (children: readonly Child[]) => void;
  onReview: (child: Child) => void;
}

/** Whether the desk is asked who takes the child before it leaves. */
const asksTaker = ({ asksTaker: asks }: Child, kind: KioskRequest['kind']): boolean =>
  kind === 'pick_up' && asks === true;

/** The requests that one family made together. */
export function Visit({ requests, onPrint, onReview }: VisitProps) {
  const { t } = useTranslation('kiosks');
  const accept = useAcceptRequests(onPrint);
  const refuse = useRefuseRequests();
  const isBusy = accept.isPending || refuse.isPending;
  // A photo or name that nobody has confirmed is compared first, as at the desk; and who takes the child is asked of each by itself.
  const ready = requests.filter(({ child, kind }) => child.pending.length === 0 && !asksTaker(child, kind));
  const coming = ready.map((request) => request.child);
  const room = useEntryRoom(coming);
  const [end, setEnd] = useState<StayEnd | null>(null);
  const [first] = requests;
  if (first === undefined) return null;
  const { kind } = first;
  const send = (some: readonly KioskRequest[]) => {
    if (isBusy || isRefusedOffline()) return;
    const place = kind === 'check_in' ? room.place(some.map((request) => request.child)) : {};
    if (place !== null) accept.mutate({ requests: some, place, end });
  };
  const drop = (some: readonly KioskRequest[]) => {
    if (!isBusy && !isRefusedOffline()) refuse.mutate(some);
  };
  return (
    <Card component="li" p="md" className={classes.visit}>
      <VisitHead request={first} />
      <ul className={classes.children}>
        {requests.map((request) => (
          <WaitingChild
            key={request._id}
            request={request}
            isBusy={isBusy}
            onAccept={() =>
              asksTaker(request.child, kind)
                ? dialogs.handOver({ child: request.child, requestId: request._id })
                : send([request])
            }
            onRefuse={() => drop([request])}
            onReview={() => onReview(request.child)}
          />
        ))}
      </ul>
      {kind === 'check_in' && ready.length > 0 ? (
        <>
          <RoomPicker room={room} coming={ready.length} size="sm" />
          <VisitEnd coming={coming} end={end} onChange={setEnd} />
        </>
      ) : null}
      {requests.length === 1 ? null : (
        <Stack gap="xs">
          <Group gap="xs" grow>
            <Button variant="default" disabled={isBusy} onClick={() => drop(requests)}>
              {t('queue.refuseAll')}
            </Button>
            <Button
              leftSection={<IconCheck size={18} aria-hidden />}
              disabled={ready.length === 0}
              loading={accept.isPending}
              onClick={() => send(ready)}
            >
              {ready.length === requests.length
                ? t(`queue.all.${kind}`)
                : t('queue.acceptSome', { count: ready.length })}
            </Button>
          </Group>
        </Stack>
      )}
    </Card>
  );
}

interface VisitEndProps {
  coming: readonly Child[];
  /** Null for the period that the family asked for. */
  end: StayEnd | null;
  onChange: (end: StayEnd | null) => void;
}

/** The ends that the facility offers instead of the period that the family asked for; empty where it offers none. */
function VisitEnd({ coming, end, onChange }: VisitEndProps) {
  const { t } = useTranslation(['kiosks', 'dashboard']);
  const format = useClockFormat();
  const now = useMinute();
  const ends = useStayEnds(coming);
  // The nursery has closed, or a child of the family has no booking: the acceptance would be refused.
  const isGone = end !== null && !ends.kinds.includes(end.kind);
  return (
    <div>
      <EndButtons ends={ends} chosen={end?.kind ?? null} onChange={onChange} />
      {end === null ? null : (
        <Group gap="xs" mt="xs">
          {isGone ? (
            <Text size="sm" fw={500} role="alert">
              {t('dashboard:entry.end.gone')}
            </Text>
          ) : end.kind === 'until' ? (
            <Text size="sm" fw={500}>
              {t('dashboard:entry.until', { time: format.endOfStay(Date.parse(end.at), now) })}
            </Text>
          ) : null}
          <Button size="compact-md" variant="subtle" onClick={() => onChange(null)}>
            {t('kiosks:queue.asAsked')}
          </Button>
        </Group>
      )}
    </div>
  );
}

/** The family, where and when it asked, and for what. */
function VisitHead({ request }: { request: KioskRequest }) {
  const { t } = useTranslation('kiosks');
  const format = useClockFormat();
  const { kind, child, kiosk, durationInMinutes, at } = request;
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
      <div className={classes.words}>
        <Text fw={600} className={classes.name}>
          <bdi>{child.parent.name}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          {t('queue.from', { name: kiosk.name, time: format.timeOfDay(at) })}
        </Text>
      </div>
      <Badge size="lg" tt="none" fw={500} variant="light" color={kind === 'check_in' ? 'pine' : 'saffron'}>
        {kind === 'pick_up' || durationInMinutes === null
          ? t('queue.pickUp')
          : t('queue.checkIn', { period: t(`queue.periods.${durationInMinutes as 30 | 60 | 120 | 240}`) })}
      </Badge>
    </Group>
  );
}

interface WaitingChildProps {
  request: KioskRequest;
  isBusy: boolean;
  onAccept: () => void;
  onRefuse: () => void;
  /** Compares the family's changes with the confirmed values. */
  onReview: () => void;
}

function WaitingChild({ request, isBusy, onAccept, onRefuse, onReview }: WaitingChildProps) {
  const { t } = useTranslation('kiosks');
  const { name, photo, pending, proposal } = request.child;
  return (
    <li className={classes.child}>
      <Photo name={name} path={photo} size={64} shape="rounded" />
      <Text fw={500} className={classes.name}>
        <bdi>{name}</bdi>
      </Text>
      <CareSignOf child={{ id: request.child._id, name }} />
      {proposal === undefined ? (
        <Button
          size="compact-md"
          variant="light"
          leftSection={<IconCheck size={17} aria-hidden />}
          disabled={isBusy}
          aria-label={t('queue.acceptOf', { name })}
          onClick={onAccept}
        >
          {t('queue.accept')}
        </Button>
      ) : null}
      {pending.length === 0 ? null : (
        <Button
          size="compact-md"
          variant="light"
          color="saffron"
          leftSection={<IconPhotoQuestion size={17} aria-hidden />}
          disabled={isBusy}
          aria-label={t('queue.reviewOf', { name })}
          onClick={onReview}
        >
          {t('queue.review')}
        </Button>
      )}
      <Button
        size="compact-md"
        variant="subtle"
        color="gray"
        px={8}
        disabled={isBusy}
        aria-label={t('queue.refuseOf', { name })}
        onClick={onRefuse}
      >
        <IconX size={18} aria-hidden />
      </Button>
    </li>
  );
}
