/** Reads QR codes out of a playing video: with the browser's own detector, or with ours where it has none. */

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

interface DetectorClass {
  new (options: { formats: 'qr_code'[] }): Detector;
  getSupportedFormats(): Promise<readonly string[]>;
}

/** Between two looks, in milliseconds: a slip is held for a second or more. */
const PAUSE_MS = 120;

async function makeDetector(): Promise<Detector> {
  const own = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
  // Some browsers have the class and no formats.
  const formats = (await own?.getSupportedFormats().catch(() => [])) ?? [];
  if (own !== undefined && formats.includes('qr_code')) return new own({ formats: ['qr_code'] });
  const { BarcodeDetector } = await import('qr/decode.js');
  return new BarcodeDetector({ formats: ['qr_code'] });
}

/**
 * Calls `onText` with what each code says, again and again while one is in view, until `stop` is aborted.
 * Rejects where the decoder cannot be loaded.
 */
export async function readCodes(
  video: HTMLVideoElement,
  onText: (text: string) => void,
  stop: AbortSignal,
): Promise<void> {
  const detector = await makeDetector();
  while (!stop.aborted) {
    // A frame that is not there yet, or cannot be read: the next one comes.
    const found = await detector.detect(video).catch(() => []);
    if (stop.aborted) return;
    for (const { rawValue } of found) onText(rawValue);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
