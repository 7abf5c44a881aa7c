/** Puts every element in sight, because jsdom lays nothing out. */
import { photoRoutes } from '@haris/contract/http/photos';
import { act } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';
import { handle, server } from './contract-server.ts';

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
