/** An audio context for page tests that counts what it plays. As in a browser, it is locked until it is resumed. */
import { vi } from 'vitest';

/** All contexts of a page are one: it makes a single one, and keeps it. */
export interface HeardAudio {
  /** Number of tones so far. */
  readonly tones: () => number;
  /** As by a call, or a browser that has loaded the page anew: silent until the next press. */
  readonly lock: () => void;
}

const graph = { connect: () => {}, gain: { setValueAtTime: () => {}, linearRampToValueAtTime: () => {} } };

/** Puts it in place of the browser's; call it before the first press of the file. */
export function hearAudio(): HeardAudio {
  let tones = 0;
  let context: FakeAudio | null = null;
  class FakeAudio extends EventTarget {
    state: AudioContextState = 'suspended';
    currentTime = 0;
    destination = {};
    constructor() {
      super();
      context = this;
    }
    change(state: AudioContextState): void {
      this.state = state;
      this.dispatchEvent(new Event('statechange'));
    }
    async resume(): Promise<void> {
      this.change('running');
    }
    createGain() {
      return graph;
    }
    createOscillator() {
      return { frequency: { value: 0 }, connect: () => {}, start: () => tones++, stop: () => {} };
    }
  }
  vi.stubGlobal('AudioContext', FakeAudio);
  return { tones: () => tones, lock: () => context?.change('suspended') };
}
