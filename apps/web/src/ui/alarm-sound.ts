/** The sound of a danger, synthesized in the browser. Browsers allow sound only after a first press on the page. */
import { useSyncExternalStore } from 'react';

/** Frequencies of the two rising tones, in hertz. */
const TONES = [660, 880] as const;
const TONE_SECONDS = 0.28;
const EVERY_MS = 2_500;
const VOLUME = 0.25;

/** Longest time for a sound that no acknowledgement ends. Milliseconds. */
export const SOUND_MS = 5 * 60_000;

let context: AudioContext | null = null;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Resolves when the browser has answered, either way. */
async function unlock(): Promise<void> {
  if (context === null) {
    context = new AudioContext();
    context.addEventListener('statechange', tell);
    tell();
  }
  // Besides `suspended`, Safari has `interrupted`, as by a call.
  if (context.state === 'running') return;
  await context.resume().catch(() => {});
  tell();
}

/** Unlocks sound at the first click or key press. Returns a function that stops listening. */
export function listenForFirstTouch(): () => void {
  const onTouch = () => void unlock();
  // The person may have interacted before this module loaded.
  if (navigator.userActivation?.hasBeenActive) onTouch();
  const stopping = new AbortController();
  const options = { capture: true, signal: stopping.signal };
  addEventListener('pointerdown', onTouch, options);
  addEventListener('keydown', onTouch, options);
  return () => stopping.abort();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the browser plays nothing yet: nobody has pressed on the page, or it refused. */
export function useSoundLocked(): boolean {
  return useSyncExternalStore(subscribe, () => context?.state !== 'running');
}

function playOnce(): void {
  if (context === null || context.state !== 'running') return;
  const gain = context.createGain();
  gain.connect(context.destination);
  const start = context.currentTime;
  for (const [index, frequency] of [...TONES, ...TONES].entries()) {
    const tone = context.createOscillator();
    const from = start + index * TONE_SECONDS;
    tone.frequency.value = frequency;
    tone.connect(gain);
    tone.start(from);
    tone.stop(from + TONE_SECONDS);
    // Without a ramp each tone would start and end with a click.
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(VOLUME, from + 0.03);
    gain.gain.linearRampToValueAtTime(0, from + TONE_SECONDS);
  }
}

/** Plays the sound once, as a test; call it from a press. */
export async function testSound(): Promise<void> {
  await unlock();
  playOnce();
}

/** Who wants the sound now: several want one sound. */
const wanting = new Set<symbol>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Plays the sound repeatedly until the returned function is called. Silent while it is locked. */
export function startSound(): () => void {
  const me = Symbol();
  if (wanting.size === 0) {
    playOnce();
    timer = setInterval(playOnce, EVERY_MS);
  }
  wanting.add(me);
  return () => {
    wanting.delete(me);
    if (wanting.size === 0) clearInterval(timer);
  };
}
