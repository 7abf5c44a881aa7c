/** A paired desk tablet while nobody is signed in. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListState } from '../../desk-list/kept-list.ts';
import { useKeepList } from '../../desk-list/use-keep-list.ts';
import { currentLanguage, followLanguage } from '../../i18n/i18n.ts';
import { PasskeyCancelled } from '../../second-factor/passkeys.ts';
import { LeaveButton } from '../../tablet/leave-button.tsx';
import type { TabletPairing } from '../../tablet/paired-device.ts';
import tablet from '../../tablet/tablet.module.css';
import { useConnection } from '../../tablet/use-connection.ts';
import { useIdle } from '../../tablet/use-idle.ts';
import { useLockedPage } from '../../tablet/use-locked-page.ts';
import { useDocumentTitle } from '../../ui/document-title.ts';
import { useWakeLock } from '../../ui/use-wake-lock.ts';
import styles from './desk.module.css';
import {
  createDeskCalls,
  type Desk,
  type DeskFailure,
  type DeskStaff,
  deskFailureOf,
  type SignedInAtDesk,
} from './desk-calls.ts';
import { DeskClock } from './desk-clock.tsx';
import { DeskDangers } from './desk-dangers.tsx';
import { DeskEvacuate } from './desk-evacuate.tsx';
import { DeskPin } from './desk-pin.tsx';
import { DeskSound, SoundSettings, useDeskAlarm, useSoundChoice } from './desk-sound.tsx';
import { EntriesWords } from './entries-words.tsx';
import { WhoGrid } from './who-grid.tsx';

/** A danger must not wait long; the tablet has no event stream while nobody is signed in. Milliseconds. */
const LOOK_MS = 5_000;

const NONE: Desk['dangers'] = [];

export interface DeskHomeProps {
  pairing: TabletPairing;
  onUnpaired: () => void;
  onLeft: () => void;
  onSignedIn: (signedIn: SignedInAtDesk) => void;
}

export function DeskHome({ pairing, onUnpaired, onLeft, onSignedIn }: DeskHomeProps) {
  const { t } = useTranslation('desk');
  useDocumentTitle(t('title'));
  useWakeLock(true);
  useLockedPage(true);
  const [desk, setDesk] = useState<Desk | null>(null);
  const [who, setWho] = useState<DeskStaff | null>(null);
  const [failure, setFailure] = useState<DeskFailure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const calls = useMemo(() => {
    const made = createDeskCalls(pairing.token);
    return {
      ...made,
      async look() {
        const found = await made.look();
        setDesk(found);
        return found;
      },
    };
  }, [pairing.token]);
  useKeepList(pairing.token);
  const listState = useListState();
  const { isOffline, lost } = useConnection(calls, true, onUnpaired, LOOK_MS);
  const reset = useCallback(() => {
    setWho(null);
    setFailure(null);
  }, []);
  const left = useIdle(who !== null, reset);
  const [hasSound, setSound] = useSoundChoice();
  const alarm = useDeskAlarm(desk, hasSound);
  useEffect(() => {
    // The former person may have had another language.
    if (currentLanguage() !== pairing.language) void followLanguage(pairing.language).catch(() => {});
  }, [pairing.language]);

  async function signIn(work: () => Promise<SignedInAtDesk>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      const signedIn = await work();
      // From here on the screens of the person sound.
      alarm.silence();
      onSignedIn(signedIn);
    } catch (error) {
      if (error instanceof PasskeyCancelled) return;
      const failed = deskFailureOf(error);
      if (failed.why === 'unpaired') return onUnpaired();
      if (failed.why === 'offline') lost();
      setFailure(failed);
    } finally {
      setBusy(false);
    }
  }

  return (
    <main className={`${tablet.screen} ${styles.screen}`}>
      <div className={styles.top}>
        <DeskDangers dangers={desk?.dangers ?? NONE} />
        <DeskSound isOn={hasSound} alarm={alarm} />
        <DeskClock facility={desk?.facility ?? pairing.name} />
        <DeskEvacuate calls={calls} since={desk?.evacuatingSince ?? null} onUnpaired={onUnpaired} />
        <div role="status" className={styles.entries}>
          <EntriesWords isCut={isOffline} />
        </div>
      </div>
      {isOffline ? (
        <div className={styles.offline} role="alert">
          <h1 className={styles.heading}>{t('offline.title')}</h1>
          <p>{t('offline.text')}</p>
          {listState === 'kept' ? <p>{t('list.shut')}</p> : null}
        </div>
      ) : who !== null ? (
        <DeskPin
          key={who._id}
          who={who}
          calls={calls}
          failure={failure}
          isBusy={isBusy}
          onPin={(pin) => void signIn(() => calls.signInByPin(who._id, pin))}
          onPasskey={() => void signIn(() => calls.signInByPasskey(who._id))}
          onBack={reset}
        />
      ) : (
        <WhoGrid staff={desk?.staff ?? null} calls={calls} onChoose={setWho} />
      )}
      {left === null ? null : (
        <p className={tablet.idle} role="status">
          {t('idle', { count: left })}
        </p>
      )}
      {who === null ? (
        <LeaveButton
          as="desk"
          calls={calls}
          onLeft={onLeft}
          settings={<SoundSettings isOn={hasSound} onChange={setSound} />}
        />
      ) : null}
    </main>
  );
}
