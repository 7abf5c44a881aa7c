/** Features of a painted child, derived only from the seed, so that light and turn do not change them. */
import { scramble, seeded } from './random.ts';

export interface Features {
  readonly skin: string;
  readonly skinDark: string;
  readonly skinLight: string;
  readonly hair: string;
  readonly hairStyle: 'short' | 'long' | 'curly' | 'fringe' | 'bun' | 'pigtails' | 'scarf';
  readonly scarf: string;
  readonly shirt: string;
  readonly iris: string;
  readonly lips: string;
  readonly blush: string;
  /** Lengths in units of the head's height (1). */
  readonly headWidth: number;
  /** As a fraction of the head's width. */
  readonly jawWidth: number;
  /** Half of the chin's flat part, as a fraction of the jaw's half width, less 0.35. */
  readonly chin: number;
  /** Factor for the height above the eyes. */
  readonly foreheadHeight: number;
  readonly eyeDistance: number;
  readonly eyeHeight: number;
  readonly eyeWidth: number;
  /** Half the height of an eye, as a fraction of half its width. */
  readonly eyeOpen: number;
  /** Degrees; positive: outer corners up. */
  readonly eyeTilt: number;
  readonly browThickness: number;
  readonly browHeight: number;
  readonly browAngle: number;
  readonly noseLength: number;
  readonly noseWidth: number;
  readonly noseBridge: number;
  readonly mouthWidth: number;
  readonly mouthHeight: number;
  readonly lipThickness: number;
  readonly smile: number;
  readonly teeth: boolean;
  /** Opacity of the blush, 0–1. */
  readonly cheeks: number;
  readonly freckles: boolean;
  readonly glasses: 'none' | 'round' | 'square';
  readonly frame: string;
  readonly earSize: number;
}

interface Complexion {
  readonly skin: string;
  readonly skinDark: string;
  readonly skinLight: string;
  readonly lips: string;
  readonly blush: string;
}

type Pair<T> = readonly [T, T];
type Level = 0 | 1 | 2;

/** Two similar skin colours for each level: light, brown, dark. */
const complexions: readonly [Pair<Complexion>, Pair<Complexion>, Pair<Complexion>] = [
  [
    { skin: '#f6d8c3', skinDark: '#d3a284', skinLight: '#fff1e6', lips: '#cf8079', blush: '#ee8f80' },
    { skin: '#ecc09d', skinDark: '#bd875f', skinLight: '#fbdec4', lips: '#c27368', blush: '#e5806b' },
  ],
  [
    { skin: '#d9a57c', skinDark: '#a06f47', skinLight: '#f0c6a2', lips: '#b0655a', blush: '#d5705a' },
    { skin: '#bd8354', skinDark: '#855532', skinLight: '#dba87b', lips: '#9a5548', blush: '#c3614a' },
  ],
  [
    { skin: '#93603c', skinDark: '#5f3b21', skinLight: '#b8835b', lips: '#7e4238', blush: '#a5503c' },
    { skin: '#70462c', skinDark: '#432817', skinLight: '#946545', lips: '#693730', blush: '#88432f' },
  ],
];

/** Dark, brown, fair or red. */
const hairColours: readonly [Pair<string>, Pair<string>, Pair<string>] = [
  ['#1d1511', '#2f2018'],
  ['#4a2f1f', '#6f4a2b'],
  ['#cfa862', '#8a3a1d'],
];

/**
 * The child of a seed (an integer from 0 to 2^32 - 1). Each feature that distinguishes faces takes one of three
 * levels, read as a digit of the scrambled seed. Faces therefore differ strongly, and distant ones can be searched
 * for; the rest is random.
 */
export function featuresOf(seed: number): Features {
  const genome = scramble(seed);
  const r = seeded(genome);
  let rest = genome;
  const level = (): Level => {
    const digit = rest % 3;
    rest = Math.floor(rest / 3);
    return digit as Level;
  };
  /** Near the low end, the middle or the high end of the range. */
  const measure = (low: number, high: number): number =>
    low + (high - low) * Math.min(1, Math.max(0, level() / 2 + r.between(-0.07, 0.07)));

  const skinLevel = level();
  const complexion = r.pick(complexions[skinLevel]);
  const headWidth = measure(0.66, 0.93);
  const eyeDistance = measure(0.29, 0.46);
  const eyeHeight = measure(-0.04, 0.08);
  const noseLength = measure(0.14, 0.3);
  // Keeps the mouth between nose and chin.
  const mouthHeight = Math.max(0.075, Math.min(measure(0.09, 0.17), 0.38 - eyeHeight - noseLength));
  const glasses = (['none', 'none', 'some'] as const)[level()];
  const smile = measure(0.035, 0.085);
  return {
    ...complexion,
    headWidth,
    eyeDistance,
    eyeHeight,
    noseLength,
    mouthHeight,
    smile,
    // Fair hair on dark skin would look like a costume.
    hair: r.pick(hairColours[Math.min(level(), 2 - skinLevel) as Level]),
    jawWidth: measure(0.7, 0.97),
    foreheadHeight: measure(0.94, 1.12),
    eyeWidth: measure(0.12, 0.21),
    eyeOpen: measure(0.36, 0.72),
    eyeTilt: measure(-13, 13),
    browThickness: measure(0.012, 0.05),
    browHeight: measure(0.08, 0.165),
    browAngle: measure(-18, -2),
    noseWidth: measure(0.09, 0.22),
    noseBridge: measure(0.015, 0.07),
    mouthWidth: measure(0.18, 0.36),
    chin: r.between(0.1, 0.34),
    lipThickness: r.between(0.015, 0.05),
    teeth: smile > 0.04 && r.chance(0.5),
    cheeks: r.between(0.1, 0.4),
    freckles: r.chance(0.2),
    earSize: r.between(0.08, 0.13),
    glasses: glasses === 'some' ? r.pick(['round', 'square']) : 'none',
    frame: r.pick(['#2a2a30', '#8c3b3b', '#2f5d8a']),
    hairStyle: r.pick([
      'short',
      'long',
      'curly',
      'fringe',
      'pigtails',
      'short',
      'long',
      'curly',
      'fringe',
      'bun',
      'scarf',
    ]),
    scarf: r.pick(['#46658a', '#a3566b', '#5f7a52', '#d8cfc0', '#5a5a78']),
    shirt: r.pick(['#3f7d74', '#c9793f', '#6c6fa8', '#b65a62', '#e0b84c', '#4d7fa6']),
    iris: r.pick(['#3a2414', '#5b3a1e', '#4f6b4a', '#486a8a', '#2b1a10']),
  };
}
