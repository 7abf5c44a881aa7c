/** The sound of an alarm, made by the browser itself. Browsers let a page be heard only after somebody has touched it. */

/** Two tones that rise, as sirens of buildings do; hertz. */
const TONES = [660, 880] as const;
const TONE_SECONDS = 0.28;
const EVERY_MS = 2_500;
const VOLUME = 0.25;

let context: AudioContext | null = null;

function unlock(): void {
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume().catch(() => {});
}

/** Makes the page able to be heard from its first press or key on. Answers the way to stop listening. */
export function listenForFirstTouch(): () => void {
  // It may have been touched before this was loaded.
  if (navigator.userActivation?.hasBeenActive) unlock();
  const stopping = new AbortController();
  const options = { capture: true, signal: stopping.signal };
  addEventListener('pointerdown', unlock, options);
  addEventListener('keydown', unlock, options);
  return () => stopping.abort();
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
    // Without a ramp each tone would begin and end with a crack.
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(VOLUME, from + 0.03);
    gain.gain.linearRampToValueAtTime(0, from + TONE_SECONDS);
  }
}

/** Sounds at once and again until the answer is called. Silent on a page that nobody has touched yet. */
export function soundAlarm(): () => void {
  playOnce();
  const timer = setInterval(playOnce, EVERY_MS);
  return () => clearInterval(timer);
}
