/** A paired kiosk: shows its steps. */
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { LeaveButton } from '../../tablet/leave-button.tsx';
import type { TabletPairing } from '../../tablet/paired-device.ts';
import styles from '../../tablet/tablet.module.css';
import { useLockedPage } from '../../tablet/use-locked-page.ts';
import { useDocumentTitle } from '../../ui/document-title.ts';
import { useWakeLock } from '../../ui/use-wake-lock.ts';
import { ChildrenStep } from './children-step.tsx';
import { createKioskCalls } from './kiosk-calls.ts';
import { PinStep } from './pin-step.tsx';
import { ScanStep } from './scan-step.tsx';
import { StartStep } from './start-step.tsx';
import { type KioskSteps, useKioskSteps } from './use-kiosk-steps.ts';
import { VisitStep } from './visit-step.tsx';

export interface KioskHomeProps {
  pairing: TabletPairing;
  onUnpaired: () => void;
  onLeft: () => void;
}

export function KioskHome({ pairing, onUnpaired, onLeft }: KioskHomeProps) {
  const { t } = useTranslation('kiosk');
  useDocumentTitle(t('title'));
  const calls = useMemo(() => createKioskCalls(pairing.token), [pairing.token]);
  useWakeLock(true);
  useLockedPage(true);
  const steps = useKioskSteps(calls, pairing, onUnpaired);
  const { step, isOffline, left } = steps;

  if (isOffline)
    return (
      <main className={styles.screen}>
        <div className={styles.panel} role="alert">
          <h1 className={styles.title}>{t('offline.title')}</h1>
          <p className={styles.lead}>{t('offline.text')}</p>
        </div>
        <LeaveButton as="kiosk" calls={calls} onLeft={onLeft} />
      </main>
    );
  return (
    <main className={styles.screen} data-step={step.at}>
      <StepOf steps={steps} name={pairing.name} calls={calls} />
      {left === null || step.at === 'visit' ? null : (
        <p className={styles.idle} role="status">
          {t('idle', { count: left })}
        </p>
      )}
      {step.at === 'start' ? <LeaveButton as="kiosk" calls={calls} onLeft={onLeft} /> : null}
    </main>
  );
}

interface StepOfProps {
  steps: KioskSteps;
  /** The kiosk's name. */
  name: string;
  calls: ReturnType<typeof createKioskCalls>;
}

function StepOf({ steps, name, calls }: StepOfProps) {
  const { step, isBusy, reset, open } = steps;
  switch (step.at) {
    case 'start':
      return (
        <StartStep name={name} failure={step.failure} onPin={() => open('pin')} onScan={() => open('scan')} />
      );
    case 'pin':
      return (
        <PinStep
          failure={step.failure}
          isBusy={isBusy}
          onProof={(digits, pin) => void steps.identify({ digits, pin })}
          onBack={reset}
        />
      );
    case 'scan':
      return (
        <ScanStep failure={step.failure} onCode={steps.onScanned} onPin={() => open('pin')} onBack={reset} />
      );
    case 'children':
      return (
        <ChildrenStep
          family={step.family}
          isBusy={isBusy}
          onBack={reset}
          onAsk={(kind, childIds, durationInMinutes) =>
            void steps.ask(step.family, {
              kind,
              childIds,
              ...(kind === 'check_in' ? { durationInMinutes } : {}),
            })
          }
        />
      );
    case 'visit':
      return (
        <VisitStep
          visit={step.visit}
          calls={calls}
          onVisit={steps.showVisit}
          onFailure={steps.endVisit}
          onDone={reset}
        />
      );
  }
}
