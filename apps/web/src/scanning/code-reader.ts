/** Reads QR codes from a playing video, with the browser's detector or a bundled one. */

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

interface DetectorClass {
  new (options: { formats: 'qr_code'[] }): Detector;
  getSupportedFormats(): Promise<readonly string[]>;
}

/** Milliseconds between two scans: people hold a slip for a second or more. */
const PAUSE_MS = 120;

async function makeDetector(): Promise<Detector> {
  const own = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
  // Some browsers have the class but support no formats.
  const formats = (await own?.getSupportedFormats().catch(() => [])) ?? [];
  if (own !== undefined && formats.includes('qr_code')) return new own({ formats: ['qr_code'] });
  const { BarcodeDetector } = await import('qr/decode.js');
  return new BarcodeDetector({ formats: ['qr_code'] });
}

/**
 * Calls `onText` with the text of each code, repeatedly while one is in view, until `stop` is aborted. Rejects if the
 * decoder cannot be loaded.
 */
export async function readCodes(
  video: HTMLVideoElement,
  onText: (text: string) => void,
  stop: AbortSignal,
): Promise<void> {
  const detector = await makeDetector();
  while (!stop.aborted) {
    // The frame is missing or unreadable; try the next one.
    const found = await detector.detect(video).catch(() => []);
    if (stop.aborted) return;
    for (const { rawValue } of found) onText(rawValue);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
