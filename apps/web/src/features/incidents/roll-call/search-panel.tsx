/** Asks above the foot of the roll call: alert all staff to a child who is marked missing, or end the search for one. */
import { incidentRoutes } from '@haris/contract/http/incidents';
import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { useOnline } from '../../../ui/use-online.ts';
import type { MissingDanger } from '../danger/shown-danger.ts';
import classes from './roll-call.module.css';
import type { RollEntry } from './roll-list.ts';

const isolated = (name: string) => `\u2068${name}\u2069`;

export interface SearchPanelProps {
  /** The child. */
  entry: RollEntry;
  /** The alert to end; undefined: none is open, so one is raised. */
  search: MissingDanger | undefined;
  /** The list is one that this device kept: nobody is known to be signed in. */
  isKept: boolean;
  /** After the alert was raised here; `incidentId`: the alert. */
  onReported: (incidentId: string) => void;
  onClose: (childId: string) => void;
  /** After it has left with the focus in it. */
  onGone: (childId: string) => void;
}

/**
 * Inline, because a dialog of the page would open below the roll call, and at the foot, so that no row moves. Marks are
 * queued without a connection, the alert is not: sent late, it would call for a child who has long been found.
 */
export function SearchPanel({ entry: { id, name, room, seenAt }, search, ...props }: SearchPanelProps) {
  const { t } = useTranslation('emergency');
  const { isKept, onReported, onClose, onGone } = props;
  const format = useClockFormat();
  const client = useQueryClient();
  const titleId = useId();
  const isOnline = useOnline() && !isKept;
  const cancel = useRef<HTMLButtonElement>(null);
  const giveBack = useEffectEvent(() => onGone(id));
  useEffect(() => {
    // Not the other button: a stray Enter must neither alert everybody nor end a search.
    cancel.current?.focus();
    return () => {
      if (document.activeElement === document.body) giveBack();
    };
  }, []);
  const send = useMutation({
    mutationFn: async () => {
      if (search !== undefined) {
        await call(incidentRoutes.markChildFound, { params: { id: search.key }, body: {} });
        return;
      }
      const { incident } = await call(incidentRoutes.reportMissingChild, { params: { id } });
      onReported(incident._id);
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [keys.incidents] });
      onClose(id);
    },
  });
  const isAlert = search === undefined;
  return (
    <section className={classes.foot} data-asking aria-labelledby={titleId}>
      <div>
        <Text fw={600} id={titleId}>
          {t(isAlert ? 'search.question' : 'search.endQuestion', { name: isolated(name) })}
        </Text>
        {isAlert ? (
          <Text size="sm">
            {room === null
              ? t('group.unknownRoom')
              : seenAt === null
                ? t('missing.room', { room: isolated(room) })
                : t('rollCall.lastSeen', { area: isolated(room), time: format.timeOfDay(seenAt) })}
            {' · '}
            {t('search.lead')}
          </Text>
        ) : null}
        <div role="alert">
          {isOnline ? null : (
            <Text size="sm" fw={600}>
              {t(isAlert ? 'search.offline' : 'search.endOffline')}
            </Text>
          )}
          {send.isError ? (
            <Text size="sm" c="var(--mantine-color-error)">
              {failureText(send.error)} {isAlert ? t('search.byVoice') : null}
            </Text>
          ) : null}
        </div>
      </div>
      <Group gap="sm">
        <Button variant="default" ref={cancel} onClick={() => onClose(id)} disabled={send.isPending}>
          {t('search.notNow')}
        </Button>
        <Button
          color={isAlert ? 'clay' : 'pine'}
          onClick={() => send.mutate()}
          loading={send.isPending}
          disabled={!isOnline}
        >
          {t(isAlert ? 'search.confirm' : 'missing.confirm')}
        </Button>
      </Group>
    </section>
  );
}
