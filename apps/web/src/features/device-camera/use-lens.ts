/** Opens this device's lens while it is wanted, closes it otherwise, and lists the lenses. */
import { useCallback, useEffect, useState } from 'react';
import { isSecurePage } from '../../ui/secure-page.ts';

export type Lens =
  | { status: 'off' }
  | { status: 'starting' }
  | { status: 'on'; stream: MediaStream; lensId: string | null }
  /** `unsafe`: the browser denies camera access to a page without https. */
  | { status: 'failed'; why: 'denied' | 'none' | 'busy' | 'unsafe' };

export interface LensChoice {
  readonly id: string;
  /** The browser's name for the lens; empty before the first permission. */
  readonly label: string;
}

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Opens the requested lens, or else the rear lens; never with sound. */
async function openLens(lensId: string | null): Promise<MediaStream> {
  const size = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 15, max: 30 } };
  const which = lensId === null ? { facingMode: { ideal: 'environment' } } : { deviceId: { exact: lensId } };
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: false, video: { ...size, ...which } });
  } catch (error) {
    const isGone = lensId !== null && nameOf(error) === 'OverconstrainedError';
    if (!isGone) throw error;
    // The selected lens no longer exists.
    return openLens(null);
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : '';
}

function whyOf(error: unknown): Extract<Lens, { status: 'failed' }>['why'] {
  const name = nameOf(error);
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  return name === 'NotFoundError' ? 'none' : 'busy';
}

export function useLens(
  wanted: boolean,
  lensId: string | null,
): { lens: Lens; choices: readonly LensChoice[]; retry: () => void } {
  const [lens, setLens] = useState<Lens>({ status: 'off' });
  const [choices, setChoices] = useState<readonly LensChoice[]>([]);
  const [tries, setTries] = useState(0);
  const retry = useCallback(() => setTries((count) => count + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry is a new opening
  useEffect(() => {
    if (!wanted) return;
    if (!isSecurePage() || navigator.mediaDevices === undefined) {
      setLens({ status: 'failed', why: 'unsafe' });
      return;
    }
    let isLeft = false;
    let opened: MediaStream | null = null;
    setLens({ status: 'starting' });
    const open = async () => {
      try {
        const stream = await openLens(lensId);
        if (isLeft) return stop(stream);
        opened = stream;
        const track = stream.getVideoTracks()[0];
        // Unplugged, or in use by the system (a call): retry later.
        track?.addEventListener('ended', () => setLens({ status: 'failed', why: 'busy' }));
        setLens({ status: 'on', stream, lensId: track?.getSettings().deviceId ?? null });
        const devices = await navigator.mediaDevices.enumerateDevices();
        if (isLeft) return;
        setChoices(
          devices
            .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
            .map(({ deviceId, label }) => ({ id: deviceId, label })),
        );
      } catch (error) {
        if (!isLeft) setLens({ status: 'failed', why: whyOf(error) });
      }
    };
    void open();
    return () => {
      isLeft = true;
      if (opened !== null) stop(opened);
      setLens({ status: 'off' });
    };
  }, [wanted, lensId, tries]);

  useEffect(() => {
    if (lens.status !== 'failed' || lens.why === 'denied' || lens.why === 'unsafe') return;
    const timer = setTimeout(retry, RETRY_MS);
    return () => clearTimeout(timer);
  }, [lens, retry]);

  return { lens, choices, retry };
}

/** Retry interval: nobody stands beside a room camera to press a button. Milliseconds. */
const RETRY_MS = 5_000;
