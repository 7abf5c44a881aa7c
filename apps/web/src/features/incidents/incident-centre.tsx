/**
 * Incidents of the signed-in person, on every screen: those of the server and the page's own findings. Each incident
 * has one dialog, even if both found it.
 */
import type { ReadingMessage } from '@haris/contract/live/readings';
import { useCallback, useEffect, useEffectEvent, useMemo, useReducer, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverNow } from '../../calls/server-clock.ts';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useLiveEvents } from '../../live/live-provider.tsx';
import { useMay } from '../../session/may.ts';
import { listenForFirstTouch } from '../../ui/alarm-sound.ts';
import { markDocumentTitle } from '../../ui/document-title.ts';
import { notifyBlank } from '../../ui/toast.ts';
import { AIR_CHECKS, type AirIncident, type AirKind } from './air-check.ts';
import { useEvacuation, useLimits, useOpenIncidents } from './api.ts';
import classes from './banners.module.css';
import { DangerBanner } from './danger/danger-banner.tsx';
import { DangerDialog, type DangerParts } from './danger/danger-dialog.tsx';
import { publishDangers, type ShownDanger } from './danger/shown-danger.ts';
import { EvacuationBanner } from './evacuation-banner.tsx';
import {
  dangersOf,
  type IncidentAction,
  type IncidentState,
  NO_INCIDENTS,
  reduceIncidents,
} from './incident-state.ts';
import { RollCall } from './roll-call/roll-call.tsx';
import type { ShownIncident } from './shown-incident.ts';
import { useAcknowledgements } from './use-acknowledgements.ts';
import { useIncidentWords } from './use-incident-words.ts';
import { useMeasure } from './use-measure.ts';

const KINDS: readonly AirKind[] = ['temperature', 'air'];
const NONE: readonly ShownIncident[] = [];
const NO_DANGERS: readonly ShownDanger[] = [];

export interface IncidentCentreProps extends DangerParts {
  /** The latest reading of each sensor. */
  readings: () => Iterable<ReadingMessage>;
  /** Whether this person sees incidents about the air. */
  isWatching: boolean;
  /** The signed-in staff member; null for a parent. */
  staffId: string | null;
}

type Dispatch = (action: IncidentAction) => void;

/** Runs the page's own checks every 8 and every 12 seconds (spec §4). */
function useAirChecks({ readings, isWatching, staffId }: IncidentCentreProps, dispatch: Dispatch): void {
  const limitOf = useLimits(staffId !== null);
  // An effect event, so that new settings do not restart the timers.
  const check = useEffectEvent((kind: AirKind) =>
    dispatch({ type: 'checked', kind, readings: [...readings()], limitOf, now: serverNow() }),
  );
  useEffect(() => {
    if (!isWatching) {
      dispatch({ type: 'unwatched' });
      return;
    }
    const timers = KINDS.map((kind) => setInterval(() => check(kind), AIR_CHECKS[kind].everyMs));
    return () => timers.forEach(clearInterval);
  }, [isWatching, dispatch]);
}

/** Shows a toast for an incident that somebody else acknowledged. */
function useNews(incidents: readonly ShownIncident[] | undefined, staffId: string | null): void {
  const { t } = useTranslation('incidents');
  const wordsOf = useIncidentWords();
  const known = useRef<ReadonlyMap<string, ShownIncident> | null>(null);
  useEffect(() => {
    if (incidents === undefined || staffId === null) return;
    const before = known.current;
    known.current = new Map(incidents.map((incident) => [incident._id, incident]));
    if (before === null) return;
    for (const incident of incidents) {
      const by = incident.acknowledgedBy;
      if (before.get(incident._id)?.acknowledgedAt !== null || by === null || by._id === staffId) continue;
      // One toast per person: somebody may have acknowledged all of them at once.
      notifyBlank(t('acknowledgedBy', { title: wordsOf(incident).title, name: by.name }), `by ${by._id}`);
    }
  }, [incidents, staffId, wordsOf, t]);
}

/**
 * The dangers with their texts in the current language. A barred person, a missing child and a doubtful release are nothing for
 * parents, whatever was sent.
 */
function useShown(state: IncidentState, isStaff: boolean): ShownDanger[] {
  const { t } = useTranslation(['incidents', 'emergency']);
  const measure = useMeasure();
  const wordsOf = useIncidentWords();
  return useMemo(() => {
    const change = (finding: AirIncident | undefined) =>
      finding?.isOver === true
        ? t('emergency:dialog.over', { value: measure(finding.kind, finding.value) })
        : null;
    return dangersOf(state).flatMap(({ key, isAnswered, incident, finding }): ShownDanger[] => {
      if (incident === null) {
        const { kind, area, value, limit, since, isOver } = finding;
        const words = { area, value: measure(kind, value), limit: measure(kind, limit) };
        const text = t(isOver ? `wasOver.${kind}` : `isOver.${kind}`, words);
        const title = t(`kind.${kind}`);
        const shown = { key, kind, area, about: area, title, text, change: change(finding) };
        return [{ ...shown, since, isAnswered, answeredBy: null }];
      }
      const { area, subject, timeline, acknowledgedBy } = incident;
      const common = {
        key,
        ...wordsOf(incident),
        since: Date.parse(incident.raisedAt),
        isAnswered,
        answeredBy: acknowledgedBy?.name ?? null,
      };
      if (incident.kind === 'unknown') return [{ ...common, kind: 'unknown', about: area }];
      const name = subject?.name ?? null;
      const child = subject === null || name === null ? null : { id: subject._id, name };
      const by = timeline[0]?.by?.name ?? null;
      switch (incident.kind) {
        case 'barred_person':
          return isStaff ? [{ ...common, kind: 'barred_person', about: name, child, atDesk: by }] : [];
        case 'missing_child':
          return isStaff ? [{ ...common, kind: 'missing_child', about: name, child, raisedBy: by }] : [];
        case 'doubtful_release':
          return isStaff ? [{ ...common, kind: 'doubtful_release', about: name, child, releasedBy: by }] : [];
        default: {
          const kind = incident.kind === 'air' ? 'air' : 'temperature';
          return [{ ...common, kind, area, about: area, change: change(finding) }];
        }
      }
    });
  }, [state, isStaff, measure, wordsOf, t]);
}

/**
 * Whether the dialog is open, and what it shows: it opens by itself for unacknowledged dangers, and shows all dangers
 * on request.
 */
function useDangerDialog(dangers: readonly ShownDanger[], isEvacuating: boolean) {
  const [minimised, setMinimised] = useState<ReadonlySet<string>>(new Set());
  const [isAsked, setAsked] = useState(false);
  const unanswered = dangers.filter(({ isAnswered }) => !isAnswered);
  // The roll call has the screen during an evacuation; the banner opens the dialog above it.
  const opensItself = !isEvacuating && unanswered.some(({ key }) => !minimised.has(key));
  const shown = isAsked ? dangers : opensItself ? unanswered : [];
  useEffect(() => {
    if (dangers.length === 0) setAsked(false);
  }, [dangers.length]);
  return {
    shown,
    open: () => setAsked(true),
    minimise: () => {
      setAsked(false);
      setMinimised(new Set(dangers.map(({ key }) => key)));
    },
  };
}

/** Publishes the dangers to the other screens, and counts them in the tab's title until they are over. */
function usePublished(dangers: readonly ShownDanger[]): void {
  const format = useClockFormat();
  useEffect(() => publishDangers(dangers), [dangers]);
  useEffect(() => {
    markDocumentTitle(dangers.length === 0 ? '' : `(${format.count(dangers.length)}) `);
  }, [dangers.length, format]);
  useEffect(
    () => () => {
      publishDangers([]);
      markDocumentTitle('');
    },
    [],
  );
}

/** Publishes the height of the banners, below which the header and the rail stick. */
function useBannerHeight() {
  const banners = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = banners.current;
    if (element === null) return;
    const root = document.documentElement.style;
    const observer = new ResizeObserver(() =>
      root.setProperty('--haris-danger-height', `${element.offsetHeight}px`),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.removeProperty('--haris-danger-height');
    };
  }, []);
  return banners;
}

export default function IncidentCentre(props: IncidentCentreProps) {
  const { staffId, Pictures, Reading } = props;
  const isStaff = staffId !== null;
  const may = useMay();
  const [state, dispatch] = useReducer(reduceIncidents, NO_INCIDENTS);
  const { data, dataUpdatedAt: readAt } = useOpenIncidents();
  const open = data?.incidents ?? NONE;
  useAirChecks(props, dispatch);
  useEffect(() => dispatch({ type: 'listed', open, now: serverNow() }), [open]);
  useAcknowledgements({
    answered: state.answered,
    open,
    readAt,
    isTold: may('incidents.acknowledge'),
    onRefused: (incidentId) => dispatch({ type: 'refused', incidentId }),
  });
  useLiveEvents(
    useCallback(({ type, incidentId }) => {
      if (type === 'alert.acknowledged' && incidentId !== undefined)
        dispatch({ type: 'acknowledged-elsewhere', incidentId, now: serverNow() });
    }, []),
  );
  useNews(data?.incidents, staffId);
  useEffect(listenForFirstTouch, []);
  const dangers = useShown(state, isStaff);
  usePublished(dangers);
  const evacuation = useEvacuation(isStaff).data?.evacuation ?? null;
  const banners = useBannerHeight();
  const dialog = useDangerDialog(dangers, evacuation !== null);

  return (
    <>
      <div className={classes.banners} ref={banners}>
        {isStaff ? (
          <RollCall staffId={staffId} dangers={dangers} />
        ) : (
          <EvacuationBanner isShown={open.some(({ kind }) => kind === 'evacuation')} />
        )}
        <DangerBanner
          dangers={dialog.shown.length > 0 ? NO_DANGERS : dangers}
          isStaff={isStaff}
          Reading={Reading}
          onOpen={dialog.open}
        />
      </div>
      {dialog.shown.length === 0 ? null : (
        <DangerDialog
          dangers={dialog.shown}
          isStaff={isStaff}
          Pictures={Pictures}
          Reading={Reading}
          onAcknowledge={(key) => dispatch({ type: 'acknowledged', key, now: serverNow() })}
          onMinimise={dialog.minimise}
        />
      )}
    </>
  );
}
