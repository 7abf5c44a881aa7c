/**
 * Spoils a good photo of a face in the ways that enrolment must refuse, and changes it in ways that it must accept. Knows
 * the landmarks but no network.
 */
import sharp, { type Sharp } from 'sharp';
import type { Landmarks } from '../apps/vision/src/faces/align.ts';
import type { Pixels } from '../apps/vision/src/picture/pixels.ts';

/** A photo with one face. `landmarks`: 68 points in its pixels, in the order of iBUG 300-W. */
export interface Sitter {
  readonly pixels: Pixels;
  readonly landmarks: Landmarks;
}

type Point = readonly [number, number];

const raw = ({ data, width, height }: Pixels) => sharp(data, { raw: { width, height, channels: 3 } });
const write = (image: Sharp): Promise<Buffer> => image.jpeg({ quality: 92 }).toBuffer();

function middle(points: Landmarks, from: number, to: number): Point {
  const part = points.slice(from, to + 1);
  const sum = (axis: 0 | 1) => part.reduce((total, point) => total + point[axis], 0) / part.length;
  return [sum(0), sum(1)];
}

interface Frame {
  readonly left: Point;
  readonly right: Point;
  /** Distance between the eyes in pixels, and the angle of the line through them in degrees. */
  readonly eyes: number;
  readonly roll: number;
}

function frameOf({ landmarks }: Sitter): Frame {
  const left = middle(landmarks, 36, 41);
  const right = middle(landmarks, 42, 47);
  const [dx, dy] = [right[0] - left[0], right[1] - left[1]];
  return { left, right, eyes: Math.hypot(dx, dy), roll: (Math.atan2(dy, dx) * 180) / Math.PI };
}

/** Paints shapes over the photo, slightly softened so that no edge is sharper than the photo. */
function paintOver({ pixels }: Sitter, shapes: string, soft: number): Promise<Buffer> {
  const { width, height } = pixels;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><filter id="soft"><feGaussianBlur stdDeviation="${soft}"/></filter><g filter="url(#soft)">${shapes}</g></svg>`;
  return write(raw(pixels).composite([{ input: Buffer.from(svg) }]));
}

const path = (points: readonly Point[]): string => `M${points.map(([x, y]) => `${x} ${y}`).join('L')}Z`;
const of = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

const masks = ['#a5cbe0', '#eceeee', '#26282d', '#7d9c83'] as const;

/** The outline of a mask: from the bridge of the nose to below the chin. */
function maskOf({ landmarks }: Sitter): string {
  return path(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 28].map((point) => landmarks[point] ?? [0, 0]),
  );
}

const maskShade = `<linearGradient id="m" x1="0" x2="1"><stop offset="0" stop-opacity="0.28"/><stop offset="0.4" stop-opacity="0"/><stop offset="1" stop-opacity="0.22"/></linearGradient>`;

/** A mask: light blue, white, black or green, with folds. */
function paintMask(sitter: Sitter, index: number): Promise<Buffer> {
  const { eyes } = frameOf(sitter);
  const at = (point: number): Point => sitter.landmarks[point] ?? [0, 0];
  const [x, y] = at(33);
  const [chinX, chinY] = at(8);
  const shape = maskOf(sitter);
  const folds = [0.25, 0.5, 0.75].map((part) => {
    const [fx, fy] = [x + (chinX - x) * part, y + (chinY - y) * part];
    return `<path d="M${fx - eyes * 0.7} ${fy} Q${fx} ${fy + eyes * 0.12} ${fx + eyes * 0.7} ${fy}" fill="none" stroke="#000" stroke-opacity="0.18" stroke-width="${eyes * 0.03}"/>`;
  });
  const shapes = `${maskShade}<path d="${shape}" fill="${of(masks, index)}"/><path d="${shape}" fill="url(#m)"/>${folds.join('')}`;
  return paintOver(sitter, shapes, eyes * 0.01);
}

/** A child's mask with a print: dots, stripes, checks, or little animals' faces. */
function paintPatternedMask(sitter: Sitter, index: number): Promise<Buffer> {
  const { eyes, roll } = frameOf(sitter);
  const unit = eyes * of([0.22, 0.3, 0.16], index);
  const half = unit / 2;
  const [ground, ink] = of(
    [
      ['#f2d7e0', '#a2335c'],
      ['#e9eef4', '#2f5d9b'],
      ['#ffffff', '#3a3f45'],
      ['#d98a3d', '#4a2b16'],
      ['#c99f86', '#5b3a2e'],
    ] as const,
    index,
  );
  const print = of(
    [
      `<circle cx="${half}" cy="${half}" r="${unit * 0.26}" fill="${ink}"/>`,
      `<rect width="${half}" height="${unit}" fill="${ink}"/>`,
      `<rect width="${half}" height="${half}" fill="${ink}"/><rect x="${half}" y="${half}" width="${half}" height="${half}" fill="${ink}"/>`,
      `<circle cx="${unit * 0.3}" cy="${unit * 0.35}" r="${unit * 0.1}" fill="${ink}"/><circle cx="${unit * 0.7}" cy="${unit * 0.35}" r="${unit * 0.1}" fill="${ink}"/><path d="M${unit * 0.25} ${unit * 0.65} Q${half} ${unit * 0.9} ${unit * 0.75} ${unit * 0.65}" fill="none" stroke="${ink}" stroke-width="${unit * 0.09}"/>`,
    ],
    index,
  );
  const shape = maskOf(sitter);
  const pattern = `<pattern id="p" width="${unit}" height="${unit}" patternUnits="userSpaceOnUse" patternTransform="rotate(${roll + of([0, 45, 20], index)})"><rect width="${unit}" height="${unit}" fill="${ground}"/>${print}</pattern>`;
  const shapes = `${maskShade}${pattern}<path d="${shape}" fill="url(#p)"/><path d="${shape}" fill="url(#m)"/>`;
  return paintOver(sitter, shapes, eyes * 0.012);
}

const lenses = ['#0b0c0e', '#2a1a12', '#15202b', '#1a1a1a'] as const;

/** Dark glasses: two lenses with a glint and a bridge; large, small or round. */
function paintSunglasses(sitter: Sitter, index: number): Promise<Buffer> {
  const { left, right, eyes, roll } = frameOf(sitter);
  const [width, height] = of(
    [
      [0.84, 0.58],
      [0.7, 0.46],
      [0.72, 0.66],
    ] as const,
    index,
  );
  const lens = ([x, y]: Point): string => {
    const [w, h] = [width * eyes, height * eyes];
    return `<g transform="rotate(${roll} ${x} ${y})"><rect x="${x - w / 2}" y="${y - h * 0.45}" width="${w}" height="${h}" rx="${h * 0.4}" fill="${of(lenses, index)}" fill-opacity="0.94"/><path d="M${x - w * 0.25} ${y - h * 0.25} l${w * 0.2} 0 l${-w * 0.2} ${h * 0.3} Z" fill="#fff" fill-opacity="0.12"/></g>`;
  };
  const bridge = `<path d="M${left[0]} ${left[1]}L${right[0]} ${right[1]}" stroke="#111" stroke-width="${eyes * 0.06}"/>`;
  return paintOver(sitter, bridge + lens(left) + lens(right), eyes * 0.01);
}

/** Draws one lens around each eye, with `draw` from its left, top, width and height in pixels. */
function paintLenses(
  sitter: Sitter,
  [width, height]: readonly [number, number],
  defs: string,
  draw: (x: number, y: number, w: number, h: number) => string,
  bridge: string,
): Promise<Buffer> {
  const { left, right, eyes, roll } = frameOf(sitter);
  const [w, h] = [width * eyes, height * eyes];
  const lens = ([x, y]: Point): string =>
    `<g transform="rotate(${roll} ${x} ${y})">${draw(x - w / 2, y - h * 0.45, w, h)}</g>`;
  const inner = ([x, y]: Point, to: Point): Point => {
    const part = (width / 2) * 0.98;
    return [x + (to[0] - x) * part, y + (to[1] - y) * part];
  };
  const line = path([inner(left, right), inner(right, left)]);
  const shapes = `${defs}<path d="${line}" fill="none" stroke="${bridge}" stroke-width="${eyes * 0.05}"/>${lens(left)}${lens(right)}`;
  return paintOver(sitter, shapes, eyes * 0.008);
}

const sizes = [
  [0.84, 0.58],
  [0.7, 0.46],
  [0.72, 0.66],
] as const;

const mirrors = [
  ['#9fd0f2', '#e8f3fb', '#2b4a63'],
  ['#f3b65a', '#fde9c1', '#7a3b12'],
  ['#c9cdd3', '#ffffff', '#50565e'],
  ['#7fe0b2', '#d7fbe8', '#1d5a45'],
] as const;

/** Mirrored glasses: the lens shows a bright sky, a horizon and what stands there. */
function paintMirroredGlasses(sitter: Sitter, index: number): Promise<Buffer> {
  const [sky, light, ground] = of(mirrors, index);
  const defs = `<linearGradient id="g" x2="0" y2="1"><stop offset="0" stop-color="${sky}"/><stop offset="0.55" stop-color="${light}"/><stop offset="0.6" stop-color="${ground}"/><stop offset="1" stop-color="${sky}"/></linearGradient>`;
  return paintLenses(
    sitter,
    of(sizes, index),
    defs,
    (x, y, w, h) =>
      `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${h * 0.4}" fill="url(#g)" stroke="#333" stroke-width="${h * 0.05}"/><rect x="${x + w * of([0.2, 0.5, 0.62], index)}" y="${y + h * 0.35}" width="${w * 0.14}" height="${h * 0.25}" fill="${ground}"/><path d="M${x + w * 0.15} ${y + h * 0.3} l${w * 0.3} ${-h * 0.15} l${w * 0.05} ${h * 0.1} l${-w * 0.3} ${h * 0.15} Z" fill="#fff" fill-opacity="0.75"/>`,
    '#555',
  );
}

/** Glasses that everybody sees through: a dark, light or metal frame, and a reflection on clear glass. */
function paintClearGlasses(sitter: Sitter, index: number): Promise<Buffer> {
  const frame = of(['#1c1c1e', '#8c6a4a', '#b9bdc4', '#2c3f66'], index);
  return paintLenses(
    sitter,
    of(sizes, index),
    '',
    (x, y, w, h) =>
      `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${h * 0.35}" fill="#fff" fill-opacity="${of([0.05, 0.1, 0.16], index)}" stroke="${frame}" stroke-width="${h * of([0.05, 0.09, 0.12], index)}"/><path d="M${x + w * 0.1} ${y + h * 0.5} L${x + w * 0.4} ${y + h * 0.1} L${x + w * 0.55} ${y + h * 0.1} L${x + w * 0.2} ${y + h * 0.6} Z" fill="#fff" fill-opacity="0.22"/>`,
    frame,
  );
}

/** Light that washes the face out: more of it, or a veil over all. */
function brighten({ pixels }: Sitter, index: number): Promise<Buffer> {
  const [factor, veil] = of(
    [
      [1.4, 0],
      [1.7, 0],
      [0.7, 90],
      [1.2, 45],
    ] as const,
    index,
  );
  return write(raw(pixels).linear(factor, veil));
}

/** The mean colour of the two cheeks. */
function skinOf({ pixels, landmarks }: Sitter): string {
  const sums = [0, 0, 0];
  let count = 0;
  for (const [outer, inner] of [
    [2, 31],
    [14, 35],
  ] as const) {
    const [a, b] = [landmarks[outer] ?? [0, 0], landmarks[inner] ?? [0, 0]];
    for (const part of [0.4, 0.5, 0.6, 0.7]) {
      const x = Math.round(a[0] + (b[0] - a[0]) * part);
      const y = Math.round(a[1] + (b[1] - a[1]) * part);
      if (x < 0 || y < 0 || x >= pixels.width || y >= pixels.height) continue;
      for (const c of [0, 1, 2])
        sums[c] = (sums[c] ?? 0) + (pixels.data[(y * pixels.width + x) * 3 + c] ?? 0);
      count++;
    }
  }
  return `rgb(${sums.map((sum) => Math.round(sum / Math.max(1, count))).join(',')})`;
}

/** Four fingers in the sitter's skin colour side by side, around `centre`; `width` and `height` in eye distances. */
function paintHand(
  sitter: Sitter,
  centre: Point,
  width: number,
  height: number,
  turn: number,
): Promise<Buffer> {
  const { eyes, roll } = frameOf(sitter);
  const skin = skinOf(sitter);
  const [x, y] = centre;
  const finger = (height * eyes) / 4;
  const fingers = [0, 1, 2, 3].map((i) => {
    const top = y - (height * eyes) / 2 + i * finger;
    const start = x - (width * eyes) / 2 - (i % 2) * eyes * 0.08;
    return `<rect x="${start}" y="${top}" width="${width * eyes}" height="${finger * 1.04}" rx="${finger / 2}" fill="${skin}" stroke="#000" stroke-opacity="0.35" stroke-width="${eyes * 0.02}"/><rect x="${start}" y="${top + finger * 0.62}" width="${width * eyes}" height="${finger * 0.34}" rx="${finger * 0.17}" fill="#000" fill-opacity="0.12"/>`;
  });
  return paintOver(
    sitter,
    `<g transform="rotate(${roll + turn} ${x} ${y})">${fingers.join('')}</g>`,
    eyes * 0.012,
  );
}

/** Darkens one half of the face to a fraction of its light. */
function darkenHalf(sitter: Sitter, index: number): Promise<Buffer> {
  const { pixels, landmarks } = sitter;
  const { eyes, roll } = frameOf(sitter);
  const rest = of([0.12, 0.2, 0.08], index);
  const [x, y] = middle(landmarks, 27, 30);
  const turn = ((roll + (index % 2 ? 180 : 0)) * Math.PI) / 180;
  const data = Uint8Array.from(pixels.data);
  for (let py = 0; py < pixels.height; py++)
    for (let px = 0; px < pixels.width; px++) {
      const across = ((px - x) * Math.cos(turn) + (py - y) * Math.sin(turn)) / eyes;
      const light = rest + (1 - rest) / (1 + Math.exp(across * 12));
      const at = (py * pixels.width + px) * 3;
      for (let c = at; c < at + 3; c++) data[c] = (data[c] ?? 0) * light;
    }
  return write(raw({ ...pixels, data }));
}

/** A drawing made from the photo: areas of few colours with dark outlines. */
async function drawCartoon({ pixels, landmarks }: Sitter, index: number): Promise<Buffer> {
  const { eyes } = frameOf({ pixels, landmarks });
  const levels = of([4, 5, 6], index);
  const radius = Math.max(3, Math.round(eyes * 0.08) | 1);
  const { data } = await raw(pixels).median(radius).raw().toBuffer({ resolveWithObject: true });
  const step = 255 / (levels - 1);
  const flat = Uint8Array.from(data, (value) => Math.round(Math.round(value / step) * step));
  const edges = await raw(pixels)
    .greyscale()
    .blur(Math.max(0.5, eyes * 0.02))
    .convolve({ width: 3, height: 3, kernel: [-1, -1, -1, -1, 8, -1, -1, -1, -1] })
    .threshold(14)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { channels } = edges.info;
  for (let i = 0; i < pixels.width * pixels.height; i++)
    if ((edges.data[i * channels] ?? 0) > 0) flat.fill(24, i * 3, i * 3 + 3);
  return write(raw({ ...pixels, data: flat }));
}

/** Motion blur by a fraction of the eye distance: horizontal, vertical or diagonal. */
function smear({ pixels, landmarks }: Sitter, index: number): Promise<Buffer> {
  const { eyes } = frameOf({ pixels, landmarks });
  const size = Math.max(5, Math.round(eyes * of([0.3, 0.4], index)) | 1);
  const kernel = new Array<number>(size * size).fill(0);
  for (let i = 0; i < size; i++) {
    const [x, y] = of(
      [
        [i, size >> 1],
        [size >> 1, i],
        [i, i],
      ] as const,
      index,
    );
    kernel[y * size + x] = 1;
  }
  return write(raw(pixels).convolve({ width: size, height: size, kernel }));
}

function between(a: Point, b: Point): Point {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}

/** JPEG bytes of a photo that must be refused, one per way of spoiling it; `index` selects colours and sizes. */
export const badFaces: Readonly<Record<string, (sitter: Sitter, index: number) => Promise<Buffer>>> = {
  'upside down': ({ pixels }) => write(raw(pixels).rotate(180)),
  mask: paintMask,
  'patterned mask': paintPatternedMask,
  sunglasses: paintSunglasses,
  'mirrored glasses': paintMirroredGlasses,
  'hand over the eyes': (sitter, index) => {
    const { left, right } = frameOf(sitter);
    return paintHand(sitter, between(left, right), 2.4, 0.9, of([0, 8, -8], index));
  },
  'hand over the mouth': (sitter, index) =>
    paintHand(sitter, middle(sitter.landmarks, 48, 59), 1.9, 1.1, of([0, 15, -15], index)),
  'half in the dark': darkenHalf,
  'motion blur': smear,
  cartoon: drawCartoon,
};

/** As {@link badFaces}, but these photos are to be accepted. */
export const goodFaces: typeof badFaces = {
  'clear glasses': paintClearGlasses,
  'bright light': brighten,
};
