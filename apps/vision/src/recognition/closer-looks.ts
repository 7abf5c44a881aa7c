/** Which parts of a picture are searched for faces more closely than the whole. Pure geometry, in pixels of the picture. */
import { coverWithSquares, type Square } from '../faces/detector.ts';
import { type Box, sharpRegionOf } from '../picture/region.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

const SQUARES_PER_PICTURE = 6;
/** Neighbours share a look up to this size: of faces in it 24 px and more are found. Pixels. */
const SHARED_SIDE = 512;
/** One part of the whole picture is looked at closely in turn, so that all were within a second or two. */
const SCAN_EVERY_MS = 150;
/** Faces narrower than this part of the picture's longest side are missed by the first look. */
const SMALL_FACE = 0.06;

/** Of one camera: remembers which part of the whole is next. */
export class CloserLooks {
  #scan = 0;
  #scannedAt = 0;

  /** Around watched and small ones of the faces that are expected, and one part of the whole in turn. `at` in milliseconds. */
  choose(
    faces: readonly { readonly box: Box; readonly isWatched: boolean }[],
    { width, height }: Size,
    at: number,
  ): Square[] {
    const wanted = faces
      .filter(({ box, isWatched }) => isWatched || box.width <= SMALL_FACE * Math.max(width, height))
      .map(({ box }) => around(box))
      .sort((a, b) => b.side - a.side);
    const chosen: Square[] = [];
    for (const square of wanted) {
      const shared = chosen.findIndex(
        (other) => unite(other, square).side <= Math.max(other.side, SHARED_SIDE),
      );
      const other = chosen[shared];
      if (other) chosen[shared] = unite(other, square);
      else if (chosen.length < SQUARES_PER_PICTURE) chosen.push(square);
    }
    if (at - this.#scannedAt < SCAN_EVERY_MS) return chosen;
    this.#scannedAt = at;
    const cover = coverWithSquares(width, height);
    const next = cover[this.#scan++ % cover.length];
    return next && cover.length > 1 ? [...chosen, next] : chosen;
  }
}

/** With room for a step to the side, since the region lies where the face will be found. */
function around(face: Box): Square {
  const region = sharpRegionOf(face);
  const side = Math.max(256, Math.max(region.width, region.height) * 1.25);
  return {
    left: region.x + (region.width - side) / 2,
    top: region.y + (region.height - side) / 2,
    side,
  };
}

/** The smallest square that holds two. */
function unite(a: Square, b: Square): Square {
  const left = Math.min(a.left, b.left);
  const top = Math.min(a.top, b.top);
  const right = Math.max(a.left + a.side, b.left + b.side);
  const bottom = Math.max(a.top + a.side, b.top + b.side);
  return { left, top, side: Math.max(right - left, bottom - top) };
}

/** Whether the part of `region` that lies in the picture was looked at in one of the squares. */
export function wasLookedAt(squares: readonly Square[], region: Box, { width, height }: Size): boolean {
  const right = Math.min(width, region.x + region.width);
  const bottom = Math.min(height, region.y + region.height);
  return squares.some(
    ({ left, top, side }) =>
      Math.max(0, region.x) >= left &&
      Math.max(0, region.y) >= top &&
      right <= left + side &&
      bottom <= top + side,
  );
}
