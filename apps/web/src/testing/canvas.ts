/**
 * A canvas for page tests, because jsdom has none. Draws nothing, reads as grey, and encodes to a file of a few bytes.
 */
import { vi } from 'vitest';

/** Medium grey: the guide sees it as neither dark nor moving. */
const LUMA = 128;

/** Installs the canvas until the test ends. */
export function giveCanvas(): void {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function context(
    this: HTMLCanvasElement,
  ) {
    return {
      canvas: this,
      drawImage: () => {},
      clearRect: () => {},
      fillRect: () => {},
      createLinearGradient: () => ({ addColorStop: () => {} }),
      getImageData: (_x: number, _y: number, width: number, height: number) => ({
        data: new Uint8ClampedArray(width * height * 4).fill(LUMA),
      }),
    } as never;
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((take, type) =>
    take(new Blob(['picture'], { type: type ?? 'image/png' })),
  );
  vi.stubGlobal('createImageBitmap', async () => ({ width: 4, height: 3, close: () => {} }));
}
