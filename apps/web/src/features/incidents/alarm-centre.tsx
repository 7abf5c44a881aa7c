/**
 * Alarms of whoever is signed in, on every screen: what the server raised, and what the page finds itself. One dialog per
 * alarm, whoever found it.
 */
import type { Incident } from '@haris/contract/http/incidents';
import type { ReadingMessage } from '@haris/contract/live/readings';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLiveEvents } from '../../client/live-provider.tsx';
import { serverNow } from '../../client/server-clock.ts';
import { notifyBlank, notifyError } from '../../ui/toast.ts';
import { AIR_CHECKS, type AirAlarms, type AirKind, acknowledgeAir, alarmKey, checkAir } from './air-check.ts';
import { AlarmDialogs, type ShownAlarm } from './alarm-dialogs.tsx';
import { listenForFirstTouch } from './alarm-sound.ts';
import { useLimits, useOpenIncidents } from './api.ts';
import { EvacuationNotice } from './evacuation-notice.tsx';
import { RollCall } from './roll-call.tsx';
import { useAnswers } from './use-answers.ts';
import { useIncidentWords } from './use-incident-words.ts';
import { useMeasure } from './use-measure.ts';

const NO_ALARMS: AirAlarms = new Map();
const NO_INCIDENTS: readonly Incident[] = [];
const KINDS: readonly AirKind[] = ['temperature', 'air'];

export interface AlarmCentreProps {
  /** The latest of each sensor. */
  readings: () => Iterable<ReadingMessage>;
  /** Whether this person hears of the air. */
  isWatching: boolean;
  /** The signed-in member of staff; null for a parent. */
  staffId: string | null;
}

/** The page's own checks, every 8 and every 12 seconds (spec §4). */
function useAirAlarms({ readings, isWatching, staffId }: AlarmCentreProps) {
  const [alarms, setAlarms] = useState(NO_ALARMS);
  const limitOf = useLimits(staffId !== null);
  // The timers keep their beat when the settings change.
  const limits = useRef(limitOf);
  limits.current = limitOf;
  useEffect(() => {
    if (!isWatching) {
      setAlarms(NO_ALARMS);
      return;
    }
    const timers = KINDS.map((kind) => {
      const check = () =>
        setAlarms((known) => checkAir(known, kind, readings(), serverNow(), limits.current));
      return setInterval(check, AIR_CHECKS[kind].everyMs);
    });
    return () => timers.forEach(clearInterval);
  }, [readings, isWatching]);
  const acknowledge = useCallback(
    (key: string) => setAlarms((known) => acknowledgeAir(known, key, serverNow())),
    [],
  );
  return { alarms, acknowledge };
}

function isAir(incident: Incident): incident is Incident & { kind: AirKind; area: string } {
  return (incident.kind === 'temperature' || incident.kind === 'air') && incident.area !== null;
}

/** Kinds that stop everything else; the others are a notice and stand in the list. */
function hasDialog({ severity, kind }: Incident): boolean {
  return severity === 'safety' && kind !== 'evacuation';
}

/** Whether it is told in passing: a stay's end is said where its time is shown. */
function isNoticed(incident: Incident): boolean {
  const { kind } = incident;
  return !hasDialog(incident) && kind !== 'evacuation' && kind !== 'stay_due' && kind !== 'time_up';
}

/** Tells in passing what has begun and what somebody else has taken on. */
function useNews(incidents: readonly Incident[] | undefined, staffId: string | null): void {
  const { t } = useTranslation('incidents');
  const wordsOf = useIncidentWords();
  const known = useRef<ReadonlyMap<string, Incident> | null>(null);
  useEffect(() => {
    if (incidents === undefined || staffId === null) return;
    const before = known.current;
    known.current = new Map(incidents.map((incident) => [incident._id, incident]));
    // What was going on when the page opened is no news.
    if (before === null) return;
    for (const incident of incidents) {
      const { title, text } = wordsOf(incident);
      const old = before.get(incident._id);
      const by = incident.acknowledgedBy;
      if (old === undefined && isNoticed(incident))
        (incident.severity === 'care' ? notifyError : notifyBlank)(`${title}: ${text}`, incident._id);
      if (old?.acknowledgedAt === null && by !== null && by._id !== staffId)
        notifyBlank(t('acknowledgedBy', { title, name: by.name }), incident._id);
    }
  }, [incidents, staffId, wordsOf, t]);
}

export default function AlarmCentre(props: AlarmCentreProps) {
  const { staffId } = props;
  const { t } = useTranslation('incidents');
  const measure = useMeasure();
  const wordsOf = useIncidentWords();
  const air = useAirAlarms(props);
  const { data, dataUpdatedAt } = useOpenIncidents();
  const open = data?.incidents ?? NO_INCIDENTS;
  const { answered, answer } = useAnswers(open, dataUpdatedAt, staffId !== null);
  useNews(data?.incidents, staffId);
  useEffect(listenForFirstTouch, []);

  /** The incident of each of the page's own findings, also once it is over. */
  const incidentOf = useRef(new Map<string, string>());
  // One episode, one acknowledgement: what was said of the one counts for the other, whoever said it.
  useEffect(() => {
    for (const key of incidentOf.current.keys()) if (!air.alarms.has(key)) incidentOf.current.delete(key);
    for (const incident of open) {
      if (!isAir(incident)) continue;
      const key = alarmKey(incident.kind, incident.area);
      const own = air.alarms.get(key);
      if (own === undefined) continue;
      incidentOf.current.set(key, incident._id);
      if (incident.acknowledgedAt !== null) air.acknowledge(key);
      else if (
        !answered.has(incident._id) &&
        own.acknowledgedAt !== null &&
        Date.parse(incident.raisedAt) <= own.acknowledgedAt
      )
        answer(incident._id);
    }
  }, [open, air.alarms, air.acknowledge, answered, answer]);

  // Of one that is over the list of open ones says nothing any more.
  const { acknowledge: acknowledgeOwn } = air;
  useLiveEvents(
    useCallback(
      (event) => {
        if (event.type !== 'alert.acknowledged') return;
        for (const [key, id] of incidentOf.current) if (id === event.incidentId) acknowledgeOwn(key);
      },
      [acknowledgeOwn],
    ),
  );

  const shown = useMemo(() => {
    const alarms: ShownAlarm[] = [];
    /** Places that the server speaks of: the page's own finding is no second alarm. */
    const told = new Set<string>();
    for (const incident of open) {
      const own = isAir(incident) ? alarmKey(incident.kind, incident.area) : null;
      if (own !== null) told.add(own);
      if (!hasDialog(incident) || incident.acknowledgedAt !== null || answered.has(incident._id)) continue;
      const now = own === null ? undefined : air.alarms.get(own);
      alarms.push({
        key: incident._id,
        kind: incident.kind,
        ...wordsOf(incident),
        change: now?.isOver === true ? t('dialogs.over', { value: measure(now.kind, now.value) }) : null,
        since: Date.parse(incident.raisedAt),
      });
    }
    for (const [key, { kind, area, value, limit, since, isRaised, acknowledgedAt, isOver }] of air.alarms) {
      if (!isRaised || acknowledgedAt !== null || told.has(key)) continue;
      const words = { area, value: measure(kind, value), limit: measure(kind, limit) };
      alarms.push({
        key,
        kind,
        title: t(`kind.${kind}`),
        text: t(isOver ? `wasOver.${kind}` : `isOver.${kind}`, words),
        change: isOver ? t('dialogs.over', words) : null,
        since,
      });
    }
    return alarms;
  }, [open, answered, air.alarms, measure, wordsOf, t]);

  const close = (key: string) => {
    const incident = open.find(({ _id }) => _id === key);
    if (incident === undefined) {
      air.acknowledge(key);
      // The server took it for over before anybody had said that it was seen: the record has the name all the same.
      const past = incidentOf.current.get(key);
      if (past !== undefined) answer(past);
      return;
    }
    answer(key);
    if (isAir(incident)) air.acknowledge(alarmKey(incident.kind, incident.area));
  };

  const evacuation = open.find(({ kind }) => kind === 'evacuation');
  return (
    <>
      {staffId === null ? (
        <EvacuationNotice isShown={evacuation !== undefined} />
      ) : (
        <RollCall staffId={staffId} />
      )}
      <AlarmDialogs alarms={shown} onAcknowledge={close} />
    </>
  );
}
