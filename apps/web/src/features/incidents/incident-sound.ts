/** The sound of an incident, synthesized in the browser. Browsers allow sound only after a first interaction. */

/** Frequencies of the two rising tones, in hertz. */
const TONES = [660, 880] as const;
const TONE_SECONDS = 0.28;
const EVERY_MS = 2_500;
const VOLUME = 0.25;

let context: AudioContext | null = null;

function unlock(): void {
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume().catch(() => {});
}

/** Unlocks sound at the first click or key press. Returns a function that stops listening. */
export function listenForFirstTouch(): () => void {
  // The person may have interacted before this module loaded.
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
    // Without a ramp each tone would start and end with a click.
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(VOLUME, from + 0.03);
    gain.gain.linearRampToValueAtTime(0, from + TONE_SECONDS);
  }
}

/** Plays the sound repeatedly until the returned function is called. Silent before the first interaction. */
export function startSound(): () => void {
  playOnce();
  const timer = setInterval(playOnce, EVERY_MS);
  return () => clearInterval(timer);
}
