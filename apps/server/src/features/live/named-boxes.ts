/**
 * Draws boxes and names into staff's pictures, for programs that show nothing but the picture; our own page writes them
 * over it instead. The font comes with the program: a server may have none. Knows no rights.
 */
import { fileURLToPath } from 'node:url';
import sharp, { type OverlayOptions } from 'sharp';

export interface NamedBox {
  /** Parts (0–1) of the picture: x, y, width, height. */
  readonly box: readonly [number, number, number, number];
  /** Null is unknown: a dashed box without words, since a stream has no language. */
  readonly name: string | null;
}

interface Label {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
}

const FONT = 'Readex Pro SemiBold';
/** Latin and Arabic, in one file that the text layout can read: it takes no WOFF. */
const fontfile = fileURLToPath(
  import.meta.resolve('@expo-google-fonts/readex-pro/600SemiBold/ReadexPro_600SemiBold.ttf'),
);
const KNOWN = '#7fe0b9';
const UNKNOWN = '#f2c14e';
const LABEL_GROUND = '#17594a';
const NAME_MAX_LETTERS = 24;
const LABELS_KEPT = 200;
const QUALITY = 80;
/** What the face engine sends is at most this large. */
const PIXELS_MAX = 1280 * 1280;

// One picture is one thread's work: the others answer calls.
sharp.concurrency(1);

const letters = new Intl.Segmenter();
const labels = new Map<string, Promise<Label>>();

function shorten(name: string): string {
  const all = [...letters.segment(name.replaceAll(/\p{Cc}/gu, ' '))].map(({ segment }) => segment);
  return all.length <= NAME_MAX_LETTERS ? all.join('') : `${all.slice(0, NAME_MAX_LETTERS - 1).join('')}…`;
}

async function paintLabel(name: string, size: number): Promise<Label> {
  const text = shorten(name).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const [side, top] = [Math.round(size * 0.4), Math.round(size * 0.2)];
  const { data, info } = await sharp({
    // At 72 dots per inch a point is a pixel.
    text: {
      text: `<span foreground="white">${text}</span>`,
      font: `${FONT} ${size}`,
      fontfile,
      rgba: true,
      dpi: 72,
    },
  })
    .flatten({ background: LABEL_GROUND })
    .extend({ left: side, right: side, top, bottom: top, background: LABEL_GROUND })
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

/** Painted once for each name and size, in pixels. */
function labelOf(name: string, size: number): Promise<Label> {
  const key = `${size} ${name}`;
  const known = labels.get(key);
  if (known) return known;
  const label = paintLabel(name, size);
  labels.set(key, label);
  for (const oldest of labels.keys()) {
    if (labels.size <= LABELS_KEPT) break;
    labels.delete(oldest);
  }
  label.catch(() => labels.delete(key));
  return label;
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(most, Math.round(value)));
}

/** The JPEG with a box around each face, and the name beside it. Rejects for what is no picture. */
export async function drawNames(jpeg: Uint8Array, faces: readonly NamedBox[]): Promise<Buffer> {
  const { width, height } = await sharp(jpeg, { limitInputPixels: PIXELS_MAX }).metadata();
  const line = Math.max(2, Math.round(height / 240));
  const size = Math.max(13, Math.round(height / 38));
  const overlays: OverlayOptions[] = [];
  for (const { box, name } of faces) {
    const [left, top] = [clamp(box[0] * width, width - 1), clamp(box[1] * height, height - 1)];
    const right = clamp((box[0] + box[2]) * width, width);
    const bottom = clamp((box[1] + box[3]) * height, height);
    const [w, h] = [right - left, bottom - top];
    if (w < 2 * line || h < 2 * line) continue;
    const shape = `x="${line / 2}" y="${line / 2}" width="${w - line}" height="${h - line}" fill="none"`;
    const stroke = `stroke="${name === null ? UNKNOWN : KNOWN}" stroke-width="${line}"`;
    const dashes = name === null ? `stroke-dasharray="${3 * line} ${2 * line}"` : '';
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}"><rect ${shape} ${stroke} ${dashes}/></svg>`;
    overlays.push({ input: Buffer.from(svg), left, top });
    if (name === null) continue;
    // A name without a letter to be seen cannot be written.
    const label = await labelOf(name, size).catch(() => null);
    // A picture smaller than one name has no room for it.
    if (label === null || label.width > width || label.height > height) continue;
    const above = top - label.height - 1;
    overlays.push({
      input: label.png,
      left: clamp(left + (w - label.width) / 2, width - label.width),
      top: clamp(above < 0 ? bottom + 1 : above, height - label.height),
    });
  }
  return sharp(jpeg, { limitInputPixels: PIXELS_MAX })
    .composite(overlays)
    .jpeg({ quality: QUALITY })
    .toBuffer();
}
