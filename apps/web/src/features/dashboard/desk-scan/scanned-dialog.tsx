/** Result of a scanned slip: the checkout of its child, or the reason why there is none. */

import type { Entry } from '@haris/contract/http/stays';
import { stayRoutes } from '@haris/contract/http/stays';
import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertCircle, IconDoorExit } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../calls/api-error.ts';
import { failureText } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { serverNow } from '../../../calls/server-clock.ts';
import { UnconfirmedMark } from '../../../child/unconfirmed-mark.tsx';
import { Countdown } from '../../../countdown/countdown.tsx';
import { dueAt } from '../../../countdown/remaining.ts';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { useIsOver } from '../../../countdown/use-tick.ts';
import { momentFormat } from '../../../i18n/locale.ts';
import { Photo } from '../../../photos/photo.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { useLock } from '../../../ui/use-lock.ts';
import { useCheckOut } from '../hand-over/use-check-out.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import type { Scan } from './scan.ts';
import classes from './scanned.module.css';

export interface ScannedDialogProps {
  opened: boolean;
  onClose: () => void;
  scan: Scan | null;
}

/** The entry of a slip, and the text of its code. */
interface FoundEntry extends Entry {
  readonly code: string;
}

/** The entry of the first known code. Throws the `ApiError` of the last request. */
async function findEntry(codes: readonly string[], signal: AbortSignal): Promise<FoundEntry> {
  const [code = '', ...others] = codes;
  try {
    const { entry } = await call(stayRoutes.findEntry, { body: { uniqueEntryId: code }, signal });
    return { ...entry, code };
  } catch (error) {
    if (others.length > 0 && error instanceof ApiError && error.code === 'not_found')
      return findEntry(others, signal);
    throw error;
  }
}

/**
 * The entry of the code, refetched after each event about a stay, because another desk may check the child out. Not
 * cached.
 */
function useEntry(codes: readonly string[]) {
  return useQuery({
    queryKey: [keys.children, 'entry', codes],
    queryFn: ({ signal }) => findEntry(codes, signal),
    enabled: codes.length > 0,
    staleTime: 0,
    gcTime: 0,
  });
}

export function ScannedDialog({ opened, onClose, scan }: ScannedDialogProps) {
  const { t } = useTranslation('dashboard');
  const entry = useEntry(opened && scan !== null ? scan.codes : NO_CODES);
  const isCheckout = entry.data === undefined ? !entry.isError : entry.data.state === 'inside';
  return (
    <Dialog opened={opened} onClose={onClose} title={isCheckout ? t('scan.title') : t('scan.titleOther')}>
      {/* No button has the focus: a scanner that sends Enter twice must not press any. */}
      <div data-autofocus tabIndex={-1} className={classes.body}>
        <Found entry={entry} onClose={onClose} />
      </div>
    </Dialog>
  );
}

const NO_CODES: readonly string[] = [];

function Found({ entry, onClose }: { entry: ReturnType<typeof useEntry>; onClose: () => void }) {
  const { t } = useTranslation('dashboard');
  if (entry.data !== undefined) {
    return entry.data.state === 'inside' ? (
      <Checkout entry={entry.data} onDone={onClose} />
    ) : (
      <NotInside entry={entry.data} onClose={onClose} />
    );
  }
  if (entry.isError) {
    if (entry.error instanceof ApiError && entry.error.code === 'not_found')
      return <Refusal text={t('scan.unknown')} onClose={onClose} />;
    return (
      <ErrorState
        text={failureText(entry.error)}
        onRetry={() => void entry.refetch()}
        busy={entry.isFetching}
      />
    );
  }
  return (
    <Stack gap="md" role="status" aria-label={t('scan.looking')}>
      <Group gap="md" wrap="nowrap">
        <Skeleton height={112} width={112} circle style={{ flexShrink: 0 }} />
        <Stack gap={10} flex={1}>
          <Skeleton height={22} width="70%" />
          <Skeleton height={14} width="50%" />
          <Skeleton height={14} width="60%" />
        </Stack>
      </Group>
      <Skeleton height={56} />
    </Stack>
  );
}

function Who({ entry }: { entry: Entry }) {
  const { t } = useTranslation('dashboard');
  const { t: stays } = useTranslation('stays');
  const format = useClockFormat();
  const { child } = entry;
  const due = entry.state === 'inside' ? dueAt(child) : null;
  return (
    <Group gap="md" align="center">
      <Photo name={child.name} path={child.photo} size={112} />
      <div className={classes.who}>
        <Text fw={600} fz="xl" lh={1.25}>
          <bdi>{child.name}</bdi>
        </Text>
        <UnconfirmedMark of={child} />
        <dl className={classes.facts}>
          <dt>{t('scan.parent')}</dt>
          <dd>
            <bdi>{child.parent.name}</bdi>
          </dd>
          <dt>{t('scan.entered')}</dt>
          <dd>
            <time dateTime={entry.entryTime}>{format.timeOfDay(entry.entryTime)}</time>
          </dd>
          {due === null ? null : (
            <>
              <dt>{t('scan.due')}</dt>
              <dd>
                <time dateTime={new Date(due).toISOString()}>
                  {format.endOfStay(due, Date.parse(entry.entryTime))}
                </time>
                {' · '}
                <Countdown stay={child} label={`${stays('timeLeft')} ${child.name}`} />
              </dd>
            </>
          )}
        </dl>
      </div>
    </Group>
  );
}

function Checkout({ entry, onDone }: { entry: FoundEntry; onDone: () => void }) {
  const { t } = useTranslation('dashboard');
  const { child } = entry;
  const isOver = useIsOver(child);
  const checkOut = useCheckOut();
  const lock = useLock();

  function press() {
    if (isRefusedOffline() || !lock.take()) return;
    // A slip from an older version, or one that was printed later for a child with a bar, has the entry alone.
    const slip = entry.code.includes('.') ? entry.code : undefined;
    checkOut.mutate(child, { slip, onSuccess: onDone, onSettled: lock.release });
  }

  return (
    <Stack gap="md">
      <Who entry={entry} />
      <Text size="sm" c="dimmed">
        {t('scan.compare')}
      </Text>
      <Button
        size="xl"
        fullWidth
        color={isOver ? 'clay' : 'pine'}
        leftSection={<IconDoorExit size={26} className={classes.mirror ?? ''} aria-hidden />}
        loading={checkOut.isPending}
        onClick={press}
      >
        {t('scan.checkout')}
      </Button>
    </Stack>
  );
}

function NotInside({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { t } = useTranslation('dashboard');
  const reason = useReason(entry);
  return (
    <Stack gap="md">
      <Who entry={entry} />
      <Refusal text={reason} more={entry.child.isInside ? t('scan.insideAnew') : null} onClose={onClose} />
    </Stack>
  );
}

/** Reason why checkout is impossible: the entry is void, or the child has left (with the date unless it was today). */
function useReason({ state, exitTime }: Entry): string {
  const { t, i18n } = useTranslation('dashboard');
  const format = useClockFormat();
  const { language } = i18n;
  if (state === 'void' || exitTime === null) return t('scan.void');
  const ended = new Date(exitTime);
  const day = momentFormat(language, { dateStyle: 'short' });
  if (day.format(ended) === day.format(serverNow()))
    return t('scan.left', { time: format.timeOfDay(exitTime) });
  const date = momentFormat(language, { dateStyle: 'long', timeStyle: 'short' });
  return t('scan.leftEarlier', { date: date.format(ended) });
}

interface RefusalProps {
  text: string;
  more?: string | null;
  onClose: () => void;
}

function Refusal({ text, more = null, onClose }: RefusalProps) {
  const { t } = useTranslation('dashboard');
  return (
    <Stack gap="md">
      <Alert color="clay" variant="light" icon={<IconAlertCircle size={22} />} role="alert">
        <Text>{text}</Text>
        {more === null ? null : <Text mt={4}>{more}</Text>}
      </Alert>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('scan.close')}
        </Button>
      </Group>
    </Stack>
  );
}
