/**
 * Draws boxes and names into a JPEG, for staff's programs that show only the picture; the web app draws them over the
 * picture instead. Uses a bundled font, because a server may have no fonts.
 */
import { fileURLToPath } from 'node:url';
import type { PictureHeader } from '@haris/contract/live/video';
import sharp from 'sharp';

export interface NamedBox {
  /** x, y, width and height as fractions (0–1) of the picture, origin top left. */
  readonly box: readonly [number, number, number, number];
  /** Null for an unknown person: a dashed box without text, because the stream has no language for a word. */
  readonly name: string | null;
  /** Kind of person; only the corners of an adult's box are drawn. */
  readonly kind: NonNullable<PictureHeader['faces']>[number]['kind'];
}

/** Rows of pixels, red, green and blue. */
interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

type Colour = readonly [red: number, green: number, blue: number];

const FONT = 'Readex Pro SemiBold';
/** Font for Latin and Arabic, as TTF because the text layout cannot read WOFF. */
const fontfile = fileURLToPath(
  import.meta.resolve('@expo-google-fonts/readex-pro/600SemiBold/ReadexPro_600SemiBold.ttf'),
);
const KNOWN: Colour = [0x7f, 0xe0, 0xb9];
const UNKNOWN: Colour = [0xf2, 0xc1, 0x4e];
const ADULT: Colour = [0xa9, 0xc9, 0xf5];
const LABEL_GROUND = '#17594a';
const ADULT_LABEL_GROUND = '#24466f';
const NAME_MAX_LETTERS = 24;
const LABELS_KEPT = 200;
const QUALITY = 80;
/** Pixels of the largest picture that the engine sends. */
const PIXELS_MAX = 1280 * 1280;

// Use one thread per picture, so that other threads can serve requests.
sharp.concurrency(1);

const letters = new Intl.Segmenter();
const labels = new Map<string, Promise<Pixels>>();

function shorten(name: string): string {
  const all = [...letters.segment(name.replaceAll(/\p{Cc}/gu, ' '))].map(({ segment }) => segment);
  return all.length <= NAME_MAX_LETTERS ? all.join('') : `${all.slice(0, NAME_MAX_LETTERS - 1).join('')}…`;
}

async function paintLabel(name: string, size: number, background: string): Promise<Pixels> {
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
    .flatten({ background })
    .extend({ left: side, right: side, top, bottom: top, background })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Returns the label of a name, painted once per combination of name, background and size (pixels). */
function labelOf(name: string, size: number, ground: string): Promise<Pixels> {
  const key = `${size} ${ground} ${name}`;
  const known = labels.get(key);
  if (known) return known;
  const label = paintLabel(name, size, ground);
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

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Fills a box; parts outside the picture are skipped. */
function fill(picture: Pixels, { left, top, right, bottom }: Box, colour: Colour): void {
  for (let y = Math.max(0, top); y < Math.min(picture.height, bottom); y++)
    for (let x = Math.max(0, left); x < Math.min(picture.width, right); x++)
      picture.data.set(colour, (y * picture.width + x) * 3);
}

/** Draws four edges, `line` pixels wide, inside the box; dashed for an unknown person. */
function drawBox(picture: Pixels, box: Box, line: number, kind: NamedBox['kind']): void {
  const { left, top, right, bottom } = box;
  const isDashed = kind === 'unknown';
  const [dash, step] = isDashed ? [3 * line, 5 * line] : [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const colour = isDashed ? UNKNOWN : KNOWN;
  for (let x = left; x < right; x += step)
    for (const y of [top, bottom - line])
      fill(picture, { left: x, top: y, right: Math.min(right, x + dash), bottom: y + line }, colour);
  for (let y = top; y < bottom; y += step)
    for (const x of [left, right - line])
      fill(picture, { left: x, top: y, right: x + line, bottom: Math.min(bottom, y + dash) }, colour);
}

/** Draws only the corners of a box, so that adults differ from children not only by colour. */
function drawCorners(picture: Pixels, { left, top, right, bottom }: Box, line: number): void {
  const arm = Math.round(Math.min(right - left, bottom - top) / 4);
  for (const [from, to] of [
    [left, left + arm],
    [right - arm, right],
  ] as const)
    for (const y of [top, bottom - line])
      fill(picture, { left: from, top: y, right: to, bottom: y + line }, ADULT);
  for (const [from, to] of [
    [top, top + arm],
    [bottom - arm, bottom],
  ] as const)
    for (const x of [left, right - line])
      fill(picture, { left: x, top: from, right: x + line, bottom: to }, ADULT);
}

/** Copies a label, which must be within the picture. */
function drawLabel(picture: Pixels, label: Pixels, left: number, top: number): void {
  for (let y = 0; y < label.height; y++)
    label.data.copy(
      picture.data,
      ((top + y) * picture.width + left) * 3,
      y * label.width * 3,
      (y + 1) * label.width * 3,
    );
}

/** Returns the JPEG with a box around each face and the name beside it. Rejects if the bytes are not an image. */
export async function drawNames(jpeg: Uint8Array, faces: readonly NamedBox[]): Promise<Buffer> {
  // Draw into the pixels: compositing in sharp costs more than decoding and encoding the JPEG.
  const { data, info } = await sharp(jpeg, { limitInputPixels: PIXELS_MAX })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const picture: Pixels = { data, width, height };
  const line = Math.max(2, Math.round(height / 240));
  const size = Math.max(13, Math.round(height / 38));
  for (const { box, name, kind } of faces) {
    const [left, top] = [clamp(box[0] * width, width - 1), clamp(box[1] * height, height - 1)];
    const right = clamp((box[0] + box[2]) * width, width);
    const bottom = clamp((box[1] + box[3]) * height, height);
    if (right - left < 2 * line || bottom - top < 2 * line) continue;
    const draw = kind === 'guardian' || kind === 'staff' ? drawCorners : drawBox;
    draw(picture, { left, top, right, bottom }, line, kind);
    if (name === null) continue;
    // Painting fails for a name without visible letters; its face gets no label.
    const ground = kind === 'child' ? LABEL_GROUND : ADULT_LABEL_GROUND;
    const label = await labelOf(name, size, ground).catch(() => null);
    // Skip a label that is larger than the picture.
    if (label === null || label.width > width || label.height > height) continue;
    const above = top - label.height - 1;
    drawLabel(
      picture,
      label,
      clamp(left + (right - left - label.width) / 2, width - label.width),
      clamp(above < 0 ? bottom + 1 : above, height - label.height),
    );
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: QUALITY })
    .toBuffer();
}
