/**
 * Pixels in the form that cameras and JPEG use: brightness per pixel, colour per 2 × 2 pixels. Pictures for viewers are
 * cut and composed in this form, so that they need no conversion to RGB. Pure.
 */
import type { Box } from '../picture/region.ts';

/** Planes Y, U and V one after the other, 4:2:0, 0–255 each (as JPEG has them), without gaps; width and height are even. */
export interface Planes {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** One of the three planes. It begins at `at`, and its sides are the picture's sides divided by `shrink`. */
export interface Plane {
  readonly at: number;
  readonly width: number;
  readonly height: number;
  readonly shrink: 1 | 2;
}

export function planesOf({
  width,
  height,
}: Pick<Planes, 'width' | 'height'>): readonly [Plane, Plane, Plane] {
  const luma = width * height;
  const colour = { width: width / 2, height: height / 2, shrink: 2 } as const;
  return [
    { at: 0, width, height, shrink: 1 },
    { at: luma, ...colour },
    { at: luma + luma / 4, ...colour },
  ];
}

function bytesOf(width: number, height: number): number {
  return (width * height * 3) / 2;
}

/** Copies the part within `box`, which must lie in the picture and have even numbers. */
export function cutPlanes(planes: Planes, box: Box): Planes {
  const { width, height } = box;
  const data = Buffer.allocUnsafe(bytesOf(width, height));
  const from = planesOf(planes);
  for (const [i, to] of planesOf(box).entries()) {
    const source = from[i] as Plane;
    const left = box.x / to.shrink;
    const top = box.y / to.shrink;
    for (let y = 0; y < to.height; y++) {
      const row = source.at + (top + y) * source.width + left;
      planes.data.copy(data, to.at + y * to.width, row, row + to.width);
    }
  }
  return { data, width, height };
}

/** Rounds down to an even number, at least 2, because colour is stored per 2 × 2 pixels. */
export function even(value: number): number {
  return Math.max(2, Math.floor(value / 2) * 2);
}
