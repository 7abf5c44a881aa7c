/** Pixels in memory, and rotated and scaled pieces of them. */

/** RGB, 8 bits each, row by row from the top left. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Rotation, scale and translation: a point of the piece (x, y) lies in the picture at (a·x − b·y + tx, b·x + a·y + ty).
 * Coordinates are continuous: pixel i covers i to i + 1.
 */
export interface Similarity {
  readonly a: number;
  readonly b: number;
  readonly tx: number;
  readonly ty: number;
}

/** The picture at half, quarter, … size, each made on first use. Shrinking from the nearest size avoids moiré. */
export class Pyramid {
  readonly #levels: Pixels[];

  constructor(pixels: Pixels) {
    this.#levels = [pixels];
  }

  get full(): Pixels {
    return this.level(0);
  }

  /** The picture shrunk by 2^level; odd last rows and columns are left out. */
  level(level: number): Pixels {
    const known = this.#levels[level];
    if (known) return known;
    const made = halve(this.level(level - 1));
    this.#levels[level] = made;
    return made;
  }
}

function halve({ data, width, height }: Pixels): Pixels {
  const half = { width: Math.max(1, width >> 1), height: Math.max(1, height >> 1) };
  const out = new Uint8Array(half.width * half.height * 3);
  const right = width > 1 ? 3 : 0;
  const below = height > 1 ? width * 3 : 0;
  let to = 0;
  for (let y = 0; y < half.height; y++) {
    let from = y * 2 * width * 3;
    for (let x = 0; x < half.width; x++, from += 6)
      for (let c = 0; c < 3; c++) {
        const i = from + c;
        const above = (data[i] as number) + (data[i + right] as number);
        const sum = above + (data[i + below] as number) + (data[i + right + below] as number);
        out[to++] = (sum + 2) >> 2;
      }
  }
  return { data: out, ...half };
}

/**
 * Draws the piece that `transform` describes as a square of `size` pixels into `out`: three planes (R, G, B) of
 * size × size floats 0–255, as the networks take them. Points outside the picture become black.
 */
export function drawPiece(pyramid: Pyramid, transform: Similarity, size: number, out: Float32Array): void {
  const shrink = Math.hypot(transform.a, transform.b);
  const { full } = pyramid;
  const deepest = Math.floor(Math.log2(Math.min(full.width, full.height)));
  const level = Math.max(0, Math.min(deepest, Math.floor(Math.log2(shrink) + 1e-9)));
  const { data, width, height } = pyramid.level(level);
  const unit = 1 / 2 ** level;
  const a = transform.a * unit;
  const b = transform.b * unit;
  const tx = transform.tx * unit;
  const ty = transform.ty * unit;
  const samples = shrink * unit > 1.5 ? 2 : 1;
  const weight = 1 / (samples * samples);
  const plane = size * size;
  out.fill(0);
  if (b === 0) {
    const column = (pixels: number, shift: number) =>
      placeSamples(size * samples, a / samples, shift, pixels);
    drawStraight({ data, width, height }, column(width, tx), column(height, ty), samples, size, out);
    return;
  }
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let sample = 0; sample < samples * samples; sample++) {
        const px = x + ((sample % samples) + 0.5) / samples;
        const py = y + (Math.floor(sample / samples) + 0.5) / samples;
        const sx = a * px - b * py + tx - 0.5;
        const sy = b * px + a * py + ty - 0.5;
        if (sx <= -1 || sy <= -1 || sx >= width || sy >= height) continue;
        const x0 = Math.floor(sx);
        const y0 = Math.floor(sy);
        const fx = sx - x0;
        const fy = sy - y0;
        const left = Math.max(0, x0) * 3;
        const right = Math.min(width - 1, x0 + 1) * 3;
        const upper = Math.max(0, y0) * width * 3;
        const lower = Math.min(height - 1, y0 + 1) * width * 3;
        const upperLeft = upper + left;
        const upperRight = upper + right;
        const lowerLeft = lower + left;
        const lowerRight = lower + right;
        const gx = 1 - fx;
        const gy = 1 - fy;
        red +=
          ((data[upperLeft] as number) * gx + (data[upperRight] as number) * fx) * gy +
          ((data[lowerLeft] as number) * gx + (data[lowerRight] as number) * fx) * fy;
        green +=
          ((data[upperLeft + 1] as number) * gx + (data[upperRight + 1] as number) * fx) * gy +
          ((data[lowerLeft + 1] as number) * gx + (data[lowerRight + 1] as number) * fx) * fy;
        blue +=
          ((data[upperLeft + 2] as number) * gx + (data[upperRight + 2] as number) * fx) * gy +
          ((data[lowerLeft + 2] as number) * gx + (data[lowerRight + 2] as number) * fx) * fy;
      }
      const at = y * size + x;
      out[at] = red * weight;
      out[plane + at] = green * weight;
      out[2 * plane + at] = blue * weight;
    }
}

/** Samples along one side: for each, the pixels before and after it, and its position between them (0–1). */
interface Samples {
  readonly before: Int32Array;
  readonly after: Int32Array;
  readonly part: Float64Array;
  /** Samples from `first` (inclusive) to `last` (exclusive) lie in the picture. */
  readonly first: number;
  readonly last: number;
}

function placeSamples(count: number, step: number, shift: number, pixels: number): Samples {
  const before = new Int32Array(count);
  const after = new Int32Array(count);
  const part = new Float64Array(count);
  let first = count;
  let last = 0;
  for (let i = 0; i < count; i++) {
    const at = (i + 0.5) * step + shift - 0.5;
    if (at <= -1 || at >= pixels) continue;
    const whole = Math.floor(at);
    before[i] = Math.max(0, whole);
    after[i] = Math.min(pixels - 1, whole + 1);
    part[i] = at - whole;
    first = Math.min(first, i);
    last = i + 1;
  }
  return { before, after, part, first, last };
}

/** `drawPiece` without rotation, as every search for faces needs it: sample positions are computed once per side. */
function drawStraight(
  { data, width }: Pixels,
  columns: Samples,
  rows: Samples,
  samples: number,
  size: number,
  out: Float32Array,
): void {
  const weight = 1 / (samples * samples);
  const plane = size * size;
  for (let j = rows.first; j < rows.last; j++) {
    const upper = (rows.before[j] as number) * width * 3;
    const lower = (rows.after[j] as number) * width * 3;
    const fy = rows.part[j] as number;
    const gy = (1 - fy) * weight;
    const hy = fy * weight;
    const row = Math.floor(j / samples) * size;
    for (let i = columns.first; i < columns.last; i++) {
      const left = (columns.before[i] as number) * 3;
      const right = (columns.after[i] as number) * 3;
      const fx = columns.part[i] as number;
      const gx = 1 - fx;
      const a = gx * gy;
      const b = fx * gy;
      const c = gx * hy;
      const d = fx * hy;
      const p = upper + left;
      const q = upper + right;
      const r = lower + left;
      const s = lower + right;
      const at = row + Math.floor(i / samples);
      out[at] =
        (out[at] as number) +
        (data[p] as number) * a +
        (data[q] as number) * b +
        (data[r] as number) * c +
        (data[s] as number) * d;
      out[plane + at] =
        (out[plane + at] as number) +
        (data[p + 1] as number) * a +
        (data[q + 1] as number) * b +
        (data[r + 1] as number) * c +
        (data[s + 1] as number) * d;
      out[2 * plane + at] =
        (out[2 * plane + at] as number) +
        (data[p + 2] as number) * a +
        (data[q + 2] as number) * b +
        (data[r + 2] as number) * c +
        (data[s + 2] as number) * d;
    }
  }
}
