/** The steps of a paired kiosk, and when it forgets everything. */
import type { KioskVisit } from '@haris/contract/http/kiosk';
import { useCallback, useState } from 'react';
import { currentLanguage, followLanguage } from '../../i18n/i18n.ts';
import type { TabletPairing } from '../../tablet/paired-device.ts';
import { useConnection } from '../../tablet/use-connection.ts';
import { useIdle } from '../../tablet/use-idle.ts';
import { type createKioskCalls, type FamilyAtKiosk, failureOf, type KioskFailure } from './kiosk-calls.ts';
import { useScannedCode } from './use-scanned-code.ts';

type KioskCalls = ReturnType<typeof createKioskCalls>;
type Proof = Parameters<KioskCalls['identify']>[0];
type Wish = Omit<Parameters<KioskCalls['ask']>[0], 'grant'>;

/** The step that the kiosk shows. Names are in here and nowhere else. */
type Step =
  | { readonly at: 'start' | 'pin' | 'scan'; readonly failure: KioskFailure | null }
  | { readonly at: 'children'; readonly family: FamilyAtKiosk }
  | { readonly at: 'visit'; readonly visit: KioskVisit };

const START: Step = { at: 'start', failure: null };

export interface KioskSteps {
  readonly step: Step;
  readonly isBusy: boolean;
  readonly isOffline: boolean;
  /** Whole seconds until the kiosk returns to the start, shortly before it does; null before. */
  readonly left: number | null;
  /** Returns to the start and forgets the family. */
  readonly reset: () => void;
  /** Shows the step for the PIN or for the camera. */
  readonly open: (at: 'pin' | 'scan') => void;
  readonly identify: (proof: Proof) => Promise<void>;
  /** Identifies the family by a scanned code; null is any other code. */
  readonly onScanned: (code: string | null) => void;
  /** Asks the desk for a check-in or a pick-up of the family's children. */
  readonly ask: (family: FamilyAtKiosk, wish: Wish) => Promise<void>;
  readonly showVisit: (visit: KioskVisit) => void;
  /** Ends a visit whose call failed. */
  readonly endVisit: (failure: KioskFailure) => void;
}

export function useKioskSteps(calls: KioskCalls, pairing: TabletPairing, onUnpaired: () => void): KioskSteps {
  const [step, setStep] = useState<Step>(START);
  const [isBusy, setBusy] = useState(false);
  const reset = useCallback(() => {
    setStep(START);
    setBusy(false);
    if (currentLanguage() !== pairing.language) void followLanguage(pairing.language).catch(() => {});
  }, [pairing.language]);
  const { isOffline, lost } = useConnection(calls, step.at === 'start', onUnpaired);
  const isOwnLanguage = currentLanguage() === pairing.language;
  // The start screen counts too while it shows a message or another language.
  const isTouched = step.at !== 'start' || step.failure !== null || !isOwnLanguage;
  const left = useIdle(isTouched && step.at !== 'visit', reset);

  function endVisit(failure: KioskFailure): void {
    if (failure === 'unpaired') {
      onUnpaired();
      return;
    }
    reset();
    if (failure === 'offline') lost();
  }

  /** Runs a call of a family. A call without an answer ends the visit. */
  async function run<T>(
    work: () => Promise<T>,
    onFailure: (failure: KioskFailure) => void,
  ): Promise<T | null> {
    if (isBusy) return null;
    setBusy(true);
    try {
      return await work();
    } catch (error) {
      const failure = failureOf(error);
      if (failure === 'unpaired' || failure === 'offline') endVisit(failure);
      else onFailure(failure);
      return null;
    } finally {
      setBusy(false);
    }
  }

  async function identify(proof: Proof): Promise<void> {
    const at = 'code' in proof ? (step.at === 'scan' ? 'scan' : 'start') : 'pin';
    const family = await run(
      () => calls.identify(proof),
      (failure) => setStep({ at, failure }),
    );
    if (family !== null) setStep({ at: 'children', family });
  }

  async function ask({ grant }: FamilyAtKiosk, wish: Wish): Promise<void> {
    const visit = await run(
      () => calls.ask({ grant, ...wish }),
      (failure) => setStep({ at: 'start', failure }),
    );
    if (visit !== null) setStep({ at: 'visit', visit });
  }

  function onScanned(code: string | null): void {
    if (code !== null) void identify({ code });
    else if (!isBusy) setStep({ at: step.at === 'scan' ? 'scan' : 'start', failure: 'notACode' });
  }
  useScannedCode(!isOffline && !isBusy && step.at !== 'children' && step.at !== 'visit', onScanned);

  return {
    step,
    isBusy,
    isOffline,
    left,
    reset,
    open: (at) => setStep({ at, failure: null }),
    identify,
    onScanned,
    ask,
    showVisit: (visit) => setStep({ at: 'visit', visit }),
    endVisit,
  };
}
