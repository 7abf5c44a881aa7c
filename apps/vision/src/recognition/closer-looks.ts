/** Chooses the parts of a picture that get a closer search for faces. Pure geometry, in pixels of the picture. */
import { coverWithSquares, type Square } from '../faces/detector.ts';
import { type Box, sharpRegionOf } from '../picture/region.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

const SQUARES_PER_PICTURE = 6;
/** Merge nearby squares up to this side length; faces of at least 24 px are still detected in it. Pixels. */
const SHARED_SIDE = 512;
/** Time between closer searches of the picture's parts in turn; a round takes a second or two. */
const SCAN_EVERY_MS = 150;
/** The first search misses faces narrower than this fraction of the picture's longest side. */
const SMALL_FACE = 0.06;

/** Chooser for one camera; remembers which part of the whole picture is next. */
export class CloserLooks {
  #scan = 0;
  #scannedAt = 0;

  /** Returns squares around expected faces that are watched or small, and the picture's next part. `at`: milliseconds. */
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

/** The square around a face's sharp region, with a margin because the face may have moved. */
function around(face: Box): Square {
  const region = sharpRegionOf(face);
  const side = Math.max(256, Math.max(region.width, region.height) * 1.25);
  return {
    left: region.x + (region.width - side) / 2,
    top: region.y + (region.height - side) / 2,
    side,
  };
}

/** The smallest square that contains both. */
function unite(a: Square, b: Square): Square {
  const left = Math.min(a.left, b.left);
  const top = Math.min(a.top, b.top);
  const right = Math.max(a.left + a.side, b.left + b.side);
  const bottom = Math.max(a.top + a.side, b.top + b.side);
  return { left, top, side: Math.max(right - left, bottom - top) };
}

/** Whether one of the squares contains all of `region` that lies in the picture. */
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
