/**
 * Draws boxes and names into staff's pictures, for programs that show nothing but the picture; our own page writes them
 * over it instead. The font comes with the program: a server may have none. Knows no rights.
 */
import { fileURLToPath } from 'node:url';
import type { PictureHeader } from '@haris/contract/live/video';
import sharp from 'sharp';

export interface NamedBox {
  /** Parts (0–1) of the picture: x, y, width, height. */
  readonly box: readonly [number, number, number, number];
  /** Null is unknown: a dashed box without words, since a stream has no language. */
  readonly name: string | null;
  /** An adult's box is open: its corners only. */
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
/** Latin and Arabic, in one file that the text layout can read: it takes no WOFF. */
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
/** What the face engine sends is at most this large. */
const PIXELS_MAX = 1280 * 1280;

// One picture is one thread's work: the others answer calls.
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

/** Painted once for each name, ground and size, in pixels. */
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

/** Fills a part of the picture, of which what lies outside is left out. */
function fill(picture: Pixels, { left, top, right, bottom }: Box, colour: Colour): void {
  for (let y = Math.max(0, top); y < Math.min(picture.height, bottom); y++)
    for (let x = Math.max(0, left); x < Math.min(picture.width, right); x++)
      picture.data.set(colour, (y * picture.width + x) * 3);
}

/** Four edges of `line` pixels within the box; dashed where nobody knows who it is. */
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

/** Where the edges of a box meet, by which an adult is told from a child without colours. */
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

/** Puts the label over the picture, which it lies within. */
function drawLabel(picture: Pixels, label: Pixels, left: number, top: number): void {
  for (let y = 0; y < label.height; y++)
    label.data.copy(
      picture.data,
      ((top + y) * picture.width + left) * 3,
      y * label.width * 3,
      (y + 1) * label.width * 3,
    );
}

/** The JPEG with a box around each face, and the name beside it. Rejects for what is no picture. */
export async function drawNames(jpeg: Uint8Array, faces: readonly NamedBox[]): Promise<Buffer> {
  // Drawn into the pixels themselves: laying pictures over one another in sharp costs more than reading and writing the JPEG.
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
    // A name without a letter to be seen cannot be written.
    const ground = kind === 'child' ? LABEL_GROUND : ADULT_LABEL_GROUND;
    const label = await labelOf(name, size, ground).catch(() => null);
    // A picture smaller than one name has no room for it.
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
