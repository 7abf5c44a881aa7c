/** Photos that enrolment must refuse, each for one reason. JPEG bytes, 640 × 480 pixels. */
import sharp from 'sharp';
import { paintScene, type Scene } from './portrait.ts';

const frame = { width: 640, height: 480 } as const;
const middle = { x: 0.5, y: 0.48, head: 0.62 } as const;

function paint(scene: Omit<Scene, 'width' | 'height'>): Promise<Buffer> {
  return paintScene({ ...frame, ...scene })
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** An empty room with toys. */
export function paintEmptyRoom(): Promise<Buffer> {
  return paint({ people: [], toys: true });
}

/** Two children side by side, of equal size. */
export function paintTwoFaces(seed: number, otherSeed: number): Promise<Buffer> {
  return paint({
    people: [
      { seed, ...middle, x: 0.28 },
      { seed: otherSeed, ...middle, x: 0.72 },
    ],
  });
}

/** A child far away: the face is about 55 px wide. */
export function paintSmallFace(seed: number): Promise<Buffer> {
  return paint({ people: [{ seed, x: 0.5, y: 0.6, head: 0.16 }], toys: true });
}

/** A child partly out of the picture: about a fifth of the face is cut off. */
export function paintCutOffFace(seed: number): Promise<Buffer> {
  return paint({ people: [{ seed, ...middle, x: 0.08 }] });
}

/** A good portrait with an eighth of the light. */
export function paintDarkFace(seed: number): Promise<Buffer> {
  return paint({ people: [{ seed, ...middle }], exposure: 0.125 });
}

/** A good portrait, out of focus. */
export function paintBlurredFace(seed: number): Promise<Buffer> {
  return paint({ people: [{ seed, ...middle }], blur: 7 });
}

/** A good portrait with SVG painted over it; unit: the head's height, origin: the head's middle. */
async function paintOver(seed: number, svg: string): Promise<Buffer> {
  const { width, height } = frame;
  const place = `translate(${middle.x * width} ${middle.y * height}) scale(${middle.head * height})`;
  const layer = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g transform="${place}">${svg}</g></svg>`;
  return paintScene({ ...frame, people: [{ seed, ...middle }] })
    .composite([{ input: Buffer.from(layer) }])
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** A good portrait, turned by 180°. */
export async function paintUpsideDownFace(seed: number): Promise<Buffer> {
  const upright = await paint({ people: [{ seed, ...middle }] });
  return sharp(upright).rotate(180).jpeg({ quality: 92 }).toBuffer();
}

const MASK = 'M-0.36 0.06 Q0 0.02 0.36 0.06 Q0.36 0.36 0.2 0.5 Q0 0.62 -0.2 0.5 Q-0.36 0.36 -0.36 0.06 Z';

/** A child with a mask from the nose to the chin. */
export function paintMaskedFace(seed: number): Promise<Buffer> {
  return paintOver(
    seed,
    `<linearGradient id="cloth"><stop offset="0" stop-color="#7fa9c0"/><stop offset="0.45" stop-color="#b9dbe9"/><stop offset="1" stop-color="#86aec4"/></linearGradient><path d="${MASK}" fill="url(#cloth)"/>`,
  );
}

/** A child with a mask with dots in strong colours. */
export function paintPatternedMask(seed: number): Promise<Buffer> {
  return paintOver(
    seed,
    `<pattern id="dots" width="0.09" height="0.09" patternUnits="userSpaceOnUse"><rect width="0.09" height="0.09" fill="#f2d7e0"/><circle cx="0.045" cy="0.045" r="0.026" fill="#a2335c"/></pattern><path d="${MASK}" fill="url(#dots)"/>`,
  );
}

/** Two lenses, `fill` being the paint and `more` further attributes. */
const lenses = (fill: string, more = ''): string =>
  [-0.33, 0.03]
    .map((x) => `<rect x="${x}" y="-0.13" width="0.3" height="0.22" rx="0.08" fill="${fill}" ${more}/>`)
    .join('');

/** A child with dark glasses. */
export function paintSunglasses(seed: number): Promise<Buffer> {
  return paintOver(
    seed,
    `${lenses('#101114')}<rect x="-0.05" y="-0.05" width="0.1" height="0.03" fill="#101114"/>`,
  );
}

/** A child with glasses in which the sky and the ground are reflected. */
export function paintMirroredGlasses(seed: number): Promise<Buffer> {
  return paintOver(
    seed,
    `<linearGradient id="sky" x2="0" y2="1"><stop offset="0" stop-color="#9fd0f2"/><stop offset="0.55" stop-color="#eef6fc"/><stop offset="0.6" stop-color="#2b4a63"/><stop offset="1" stop-color="#9fd0f2"/></linearGradient>${lenses('url(#sky)')}<rect x="-0.05" y="-0.05" width="0.1" height="0.03" fill="#555"/>`,
  );
}

/** A good photo, unlike the others: a child with glasses of clear glass. */
export function paintClearGlasses(seed: number): Promise<Buffer> {
  return paintOver(
    seed,
    `${lenses('#fff', 'fill-opacity="0.08" stroke="#2c2c30" stroke-width="0.014"')}<rect x="-0.03" y="-0.05" width="0.06" height="0.015" fill="#2c2c30"/>`,
  );
}

/** A good photo in light that washes the face out. */
export async function paintBrightFace(seed: number): Promise<Buffer> {
  const even = await paint({ people: [{ seed, ...middle }] });
  return sharp(even).linear(0.45, 135).jpeg({ quality: 92 }).toBuffer();
}

/** A child with one half of the face at a tenth of the light. */
export function paintHalfDarkFace(seed: number): Promise<Buffer> {
  return paintOver(
    seed,
    '<linearGradient id="dark"><stop offset="0.47" stop-opacity="0"/><stop offset="0.53" stop-opacity="0.9"/></linearGradient><rect x="-1" y="-1" width="2" height="2" fill="url(#dark)"/>',
  );
}

/** A child drawn with a few plain colours, as in a comic. */
export function paintDrawing(): Promise<Buffer> {
  const { width, height } = frame;
  const eye = (x: number) =>
    `<ellipse cx="${x}" cy="-0.03" rx="0.075" ry="0.055" fill="#fff"/><circle cx="${x}" cy="-0.03" r="0.035" fill="#241a14"/><path d="M${x - 0.08} -0.13 q0.08 -0.05 0.16 0" stroke="#3b2416" stroke-width="0.025" fill="none"/>`;
  const face = `<ellipse cx="0" cy="0" rx="0.38" ry="0.5" fill="#f0c39c"/><path d="M-0.4 -0.1 Q-0.42 -0.56 0 -0.56 Q0.42 -0.56 0.4 -0.1 Q0.3 -0.34 0 -0.34 Q-0.3 -0.34 -0.4 -0.1 Z" fill="#3b2416"/>${eye(-0.16)}${eye(0.16)}<path d="M-0.05 0.14 q0.05 0.05 0.1 0" stroke="#c98f66" stroke-width="0.025" fill="none"/><path d="M-0.13 0.27 q0.13 0.1 0.26 0 q-0.13 0.03 -0.26 0 Z" fill="#b5463f"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#cfe3ea"/><g transform="translate(${width / 2} ${height / 2}) scale(${0.62 * height})">${face}</g></svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().jpeg({ quality: 92 }).toBuffer();
}
