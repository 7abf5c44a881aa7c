/** The state of a request: waiting for staff, accepted, or to be settled at the desk. First names only. */
import type { KioskVisit } from '@haris/contract/http/kiosk';
import { Button, Loader } from '@mantine/core';
import { IconCircleCheck, IconUserCheck } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../../i18n/locale.ts';
import styles from '../../tablet/tablet.module.css';
import { failureOf, type KioskCalls, type KioskFailure } from './kiosk-calls.ts';

/** How often the kiosk asks for the decision, how long it waits for it, and how long it shows it. Milliseconds. */
const ASK_MS = 1_500;
const WAIT_MS = 60_000;
const SHOW_MS = 8_000;

export interface VisitStepProps {
  visit: KioskVisit;
  calls: KioskCalls;
  onVisit: (visit: KioskVisit) => void;
  onFailure: (failure: KioskFailure) => void;
  onDone: () => void;
}

export function VisitStep({ visit, calls, onVisit, onFailure, onDone }: VisitStepProps) {
  const { t, i18n } = useTranslation('kiosk');
  const [isBusy, setBusy] = useState(false);
  const isWaiting = visit.children.some(({ state }) => state === 'waiting');
  const done = visit.children.filter(({ state }) => state === 'done');
  const others = visit.children.filter(({ state }) => state !== 'done' && state !== 'waiting');
  const namesOf = (some: KioskVisit['children']) =>
    new Intl.ListFormat(localeOf(i18n.language)).format(some.map(({ firstName }) => firstName));
  useDecision(visit.visit, isWaiting, calls, onVisit, onFailure);
  useLater(isWaiting ? WAIT_MS : SHOW_MS, isWaiting, onDone);

  if (isWaiting)
    return (
      <div className={styles.panel} role="status">
        <Loader size={64} aria-hidden />
        <h1 className={styles.title}>{t('visit.waiting')}</h1>
        <p className={styles.names}>
          <bdi>{namesOf(visit.children)}</bdi>
        </p>
        <p className={styles.lead}>{t(`visit.${visit.kind}.waitingText`)}</p>
        <div className={styles.row}>
          <Button
            size="xl"
            variant="default"
            disabled={isBusy}
            onClick={() => {
              setBusy(true);
              calls.cancel(visit.visit).then(onDone, (error: unknown) => onFailure(failureOf(error)));
            }}
          >
            {t('visit.cancel')}
          </Button>
          <Button size="xl" flex="1 0 auto" onClick={onDone} disabled={isBusy}>
            {t('visit.leave')}
          </Button>
        </div>
      </div>
    );
  return (
    <div className={styles.panel} role="status">
      {others.length === 0 ? (
        <IconCircleCheck size={96} stroke={1.5} className={styles.good} aria-hidden />
      ) : (
        <IconUserCheck size={96} stroke={1.5} className={styles.ask} aria-hidden />
      )}
      {done.length === 0 ? null : (
        <h1 className={styles.title}>{t(`visit.${visit.kind}.done`, { names: namesOf(done) })}</h1>
      )}
      {others.length === 0 ? null : done.length === 0 ? (
        <h1 className={styles.title}>{t('visit.desk')}</h1>
      ) : (
        <p className={styles.lead}>{t('visit.deskFor', { names: namesOf(others) })}</p>
      )}
      <Button size="xl" onClick={onDone}>
        {t('visit.ok')}
      </Button>
    </div>
  );
}

/** Asks for the decision while there is none. */
function useDecision(
  id: string,
  isWaiting: boolean,
  calls: KioskCalls,
  onVisit: (visit: KioskVisit) => void,
  onFailure: (failure: KioskFailure) => void,
): void {
  const tell = useEffectEvent(onVisit);
  const fail = useEffectEvent(onFailure);
  useEffect(() => {
    if (!isWaiting) return;
    let isOver = false;
    let isAsking = false;
    const ask = async () => {
      if (isAsking) return;
      isAsking = true;
      try {
        const visit = await calls.read(id);
        if (!isOver) tell(visit);
      } catch (error) {
        if (!isOver) fail(failureOf(error));
      } finally {
        isAsking = false;
      }
    };
    const timer = setInterval(() => void ask(), ASK_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [id, isWaiting, calls]);
}

/** Calls back after a time, which starts again when `phase` changes, and at once when the page is hidden. */
function useLater(ms: number, phase: boolean, onLater: () => void): void {
  const tell = useEffectEvent(onLater);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new phase starts the time again
  useEffect(() => {
    const until = Date.now() + ms;
    const timer = setInterval(() => {
      if (Date.now() >= until) tell();
    }, 500);
    const onHide = () => {
      if (document.visibilityState === 'hidden') tell();
    };
    document.addEventListener('visibilitychange', onHide);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onHide);
    };
  }, [ms, phase]);
}
