/** What is in sight, because jsdom lays nothing out. */
import { photoRoutes } from '@haris/contract/http/photos';
import { act } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';
import { handle, server } from './contract-server.ts';

let seesAll = false;

/**
 * What page tests have for an IntersectionObserver: nothing is in sight until `seeEverything()`. It asks at each element, because a page
 * keeps one observer for all its pictures, and thus from one test to the next.
 */
export class Sight {
  readonly #callback: (entries: { isIntersecting: true; target: Element }[]) => void;
  constructor(callback: (entries: { isIntersecting: true; target: Element }[]) => void) {
    this.#callback = callback;
  }
  observe(target: Element): void {
    if (seesAll) setTimeout(() => act(() => this.#callback([{ isIntersecting: true, target }])));
  }
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): [] {
    return [];
  }
}

/** Until the test ends. */
export function seeEverything(): void {
  seesAll = true;
}

/** Runs after each test. */
export function seeNothing(): void {
  seesAll = false;
}

/** Serves every photo, and draws it as soon as the page has it, until the test ends: jsdom loads no pictures. */
export function drawPhotos(): void {
  server.use(handle(photoRoutes.getPhoto, new Blob(['photo'])));
  vi.spyOn(HTMLImageElement.prototype, 'complete', 'get').mockReturnValue(true);
  vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(256);
  const observer = new MutationObserver(() => {
    for (const image of document.querySelectorAll('img'))
      act(() => void image.dispatchEvent(new Event('load')));
  });
  observer.observe(document.body, { childList: true, subtree: true });
  onTestFinished(() => observer.disconnect());
}
