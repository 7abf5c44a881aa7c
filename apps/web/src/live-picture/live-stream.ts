/** Keeps one live stream open while the page is visible. */
import { pause } from '../live/live.ts';
import { createSource, meaningOf } from './live-source.ts';
import { isLookedAt, watchPage } from './page-watch.ts';
import {
  type EndReason,
  noStream,
  type StreamHandlers,
  type StreamTarget,
  type StreamView,
} from './stream-view.ts';

export interface LiveStream {
  /** Reports that the image element failed: the stream reconnects. */
  imageFailed: () => void;
  stop: () => void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/** Back-off before attempt `attempt` (0 first), in milliseconds: 500 doubling to 15,000, spread by `random` (0–1) to 75–100 %. */
function pauseMs(attempt: number, random: number): number {
  const full = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10), LONGEST_PAUSE_MS);
  return full * (0.75 + random * 0.25);
}

/** Opens the stream and keeps it open. `ended` is final; after any other outcome the stream reconnects. */
export function openLiveStream(target: StreamTarget, handlers: StreamHandlers): LiveStream {
  const stopping = new AbortController();
  let view = noStream;
  /** Aborted while the page is hidden. */
  let sitting = new AbortController();
  const source = createSource(target, show, handlers.onPicture);

  function show(change: Partial<StreamView>): void {
    view = { ...view, ...change };
    if (!stopping.signal.aborted) handlers.onView(view);
  }

  /** Reconnects until the page is hidden or the stream has ended. Returns the reason for the end. */
  async function sit(signal: AbortSignal): Promise<EndReason | null> {
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        const outcome = await source.follow(signal);
        if (outcome.kind === 'ended') return outcome.reason;
        if (outcome.kind === 'broken' && outcome.shown) attempt = 0;
        if (!signal.aborted) show({ link: 'lost', imageUrl: null });
      } catch (error) {
        if (signal.aborted) return null;
        const meaning = meaningOf(error);
        if (meaning !== null && 'ended' in meaning) return meaning.ended;
        if (meaning === null) show({ link: 'lost', imageUrl: null });
        else show({ link: 'open', waiting: meaning.waiting, imageUrl: null });
      }
      await pause(pauseMs(attempt, Math.random()), signal);
    }
    return null;
  }

  async function startSitting(): Promise<void> {
    sitting = new AbortController();
    const mine = sitting.signal;
    show({ link: 'connecting', ended: null });
    const ended = await sit(mine);
    if (ended === null || mine.aborted) return;
    stop();
    view = { ...view, link: 'ended', ended, waiting: null, imageUrl: null };
    handlers.onView(view);
  }

  const stopWatching = watchPage((isSeen) => {
    const isPaused = sitting.signal.aborted;
    if (isSeen && isPaused) void startSitting();
    if (isSeen || isPaused) return;
    sitting.abort();
    show({ link: 'paused', imageUrl: null });
  });

  function stop(): void {
    if (stopping.signal.aborted) return;
    stopping.abort();
    stopWatching();
    sitting.abort();
  }

  if (isLookedAt()) void startSitting();
  else {
    sitting.abort();
    show({ link: 'paused' });
  }
  return { imageFailed: source.imageFailed, stop };
}
