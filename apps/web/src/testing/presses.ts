/** Counts what somebody presses and types, for the promises of docs/design.md ("Keys and presses"). */
import { onTestFinished } from 'vitest';

export interface Presses {
  /** Presses of the mouse or thumb, and of keys that type nothing; holding counts as one. */
  readonly presses: number;
  /** Letters typed into fields. */
  readonly letters: number;
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLInputElement && ['text', 'search'].includes(target.type);

/** Counts from now until the test ends; the answer is kept up to date. */
export function countPresses(): Presses {
  const count = { presses: 0, letters: 0 };
  const onPointer = () => {
    count.presses++;
  };
  const onKey = ({ key, target, repeat }: KeyboardEvent) => {
    if (key.length === 1 && isField(target)) count.letters++;
    else if (!repeat) count.presses++;
  };
  addEventListener('pointerdown', onPointer, true);
  addEventListener('keydown', onKey, true);
  onTestFinished(() => {
    removeEventListener('pointerdown', onPointer, true);
    removeEventListener('keydown', onKey, true);
  });
  return count;
}
