/** Puts every element in sight, because jsdom lays nothing out. */
import { act } from '@testing-library/react';
import { vi } from 'vitest';

class SeesAll {
  readonly #callback: (entries: { isIntersecting: true; target: Element }[]) => void;
  constructor(callback: (entries: { isIntersecting: true; target: Element }[]) => void) {
    this.#callback = callback;
  }
  observe(target: Element): void {
    setTimeout(() => act(() => this.#callback([{ isIntersecting: true, target }])));
  }
  unobserve(): void {}
  disconnect(): void {}
}

/** Until the test ends. */
export function seeEverything(): void {
  vi.stubGlobal('IntersectionObserver', SeesAll);
}
