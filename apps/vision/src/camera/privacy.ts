/**
 * What a parent may see of a picture: the whole room so coarse that nobody can be recognised in it, and sharp the own
 * children that were found in this very picture. Knows no encoding of pictures but the pixels.
 */
import type { Pixels } from '../picture/pixels.ts';
import { type Box, hasFaceInHead, hiddenRegionOf, sharpRegionOf, touches } from '../picture/region.ts';
import type { Analysis, LiveFace } from '../recognition/live.ts';
import { even, type Still } from './still.ts';

/**
 * Height of the coarse picture. A face of half of the height would be 16 px wide in it, by which our own networks know
 * people; so every face that is found becomes one colour, of which nothing more can be told, from many pictures either
 * (decision 018 has the figures).
 */
const COARSE_HEIGHT = 32;
/** Nobody looked for faces in the picture: even one that fills half of the height is no more than 6 px wide. */
const BLIND_HEIGHT = 12;
/** So many squares is a region wide in which a face is expected: about two of them are the face. */
const EXPECTED_SQUARES = 6;
/** Over this part of its own width a sharp region fades into the coarse room. */
export const FEATHER = 0.1;
/** A region of fewer pixels than this shows nothing. */
const REGION_MIN_SIDE = 16;

/** The room. `analysis` is of this very picture; null when there is none. */
export function makeCoarse(still: Still, analysis: Analysis | null): Pixels {
  const height = even(Math.min(still.height, analysis ? COARSE_HEIGHT : BLIND_HEIGHT));
  const width = even((still.width * height) / still.height);
  const coarse = still.resize(width, height);
  const scale = width / still.width;
  for (const place of analysis?.expected ?? [])
    mosaic(coarse, scaleBox(place, scale), Math.ceil((place.width * scale) / EXPECTED_SQUARES));
  for (const { box } of analysis?.faces ?? [])
    mosaic(coarse, scaleBox(hiddenRegionOf(box), scale), Math.max(width, height));
  return coarse;
}

export interface SharpRegion {
  readonly childId: string;
  /** Even numbers, within the picture. */
  readonly box: Box;
  readonly pixels: Pixels;
}

/**
 * The sharp regions of those of `childIds` that were found in this very picture. All other faces in them, and places
 * where another face is expected, stay coarse; where another face lies in the child's head there is no region at all.
 */
export function cutSharpRegions(
  still: Still,
  coarse: Pixels,
  analysis: Analysis,
  childIds: readonly string[],
): SharpRegion[] {
  const isOwn = (face: LiveFace): boolean =>
    face.showable && face.subjectId !== null && childIds.includes(face.subjectId);
  const own = analysis.faces.filter(isOwn);
  const others = analysis.faces.filter((face) => !isOwn(face));
  const hidden = [...others.map(({ box }) => hiddenRegionOf(box)), ...analysis.expected];
  const regions: SharpRegion[] = [];
  for (const { subjectId, box: face } of own) {
    if (subjectId === null) continue;
    if (others.some((other) => hasFaceInHead(face, other.box))) continue;
    const box = fit(sharpRegionOf(face), still);
    if (box.width < REGION_MIN_SIDE || box.height < REGION_MIN_SIDE) continue;
    const pixels = cut(still.pixels, box);
    for (const place of hidden) if (touches(place, box)) coarsen(pixels, box, place, coarse, still);
    regions.push({ childId: subjectId, box, pixels });
  }
  return regions;
}

/** Draws the regions over the room, in place. `room` has the size of the picture. */
export function drawRegions(room: Pixels, regions: readonly SharpRegion[]): void {
  for (const { box, pixels } of regions) {
    const fade = FEATHER * box.width;
    for (let y = 0; y < box.height; y++) {
      const down = Math.min(y + 0.5, box.height - y - 0.5);
      for (let x = 0; x < box.width; x++) {
        const part = Math.min(1, Math.min(down, x + 0.5, box.width - x - 0.5) / fade);
        const to = ((box.y + y) * room.width + box.x + x) * 3;
        const from = (y * box.width + x) * 3;
        for (let c = 0; c < 3; c++) {
          const below = room.data[to + c] as number;
          room.data[to + c] = below + ((pixels.data[from + c] as number) - below) * part;
        }
      }
    }
  }
}

/** Even pixels of the picture that hold the box as far as it lies within. */
function fit(box: Box, { width, height }: Still): Box {
  const left = Math.max(0, Math.floor(box.x / 2) * 2);
  const top = Math.max(0, Math.floor(box.y / 2) * 2);
  const right = Math.min(width, Math.ceil((box.x + box.width) / 2) * 2);
  const bottom = Math.min(height, Math.ceil((box.y + box.height) / 2) * 2);
  return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

function scaleBox({ x, y, width, height }: Box, by: number): Box {
  return { x: x * by, y: y * by, width: width * by, height: height * by };
}

function cut({ data, width }: Pixels, box: Box): Pixels {
  const out = new Uint8Array(box.width * box.height * 3);
  for (let row = 0; row < box.height; row++) {
    const from = ((box.y + row) * width + box.x) * 3;
    out.set(data.subarray(from, from + box.width * 3), row * box.width * 3);
  }
  return { data: out, width: box.width, height: box.height };
}

/** Makes squares of `cell` pixels one colour, in place. */
function mosaic({ data, width, height }: Pixels, area: Box, cell: number): void {
  const right = Math.min(width, Math.ceil(area.x + area.width));
  const bottom = Math.min(height, Math.ceil(area.y + area.height));
  for (let top = Math.max(0, Math.floor(area.y)); top < bottom; top += cell)
    for (let left = Math.max(0, Math.floor(area.x)); left < right; left += cell) {
      const toX = Math.min(right, left + cell);
      const toY = Math.min(bottom, top + cell);
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let y = top; y < toY; y++)
          for (let x = left; x < toX; x++) sum += data[(y * width + x) * 3 + c] as number;
        const mean = sum / ((toX - left) * (toY - top));
        for (let y = top; y < toY; y++) for (let x = left; x < toX; x++) data[(y * width + x) * 3 + c] = mean;
      }
    }
}

/** Puts the coarse room into the part of a region that `place` covers; `box` is where the region lies. */
function coarsen(region: Pixels, box: Box, place: Box, coarse: Pixels, still: Still): void {
  const left = Math.max(0, Math.floor(place.x - box.x));
  const top = Math.max(0, Math.floor(place.y - box.y));
  const right = Math.min(region.width, Math.ceil(place.x + place.width - box.x));
  const bottom = Math.min(region.height, Math.ceil(place.y + place.height - box.y));
  for (let y = top; y < bottom; y++) {
    const sy = clamp(((box.y + y + 0.5) * coarse.height) / still.height - 0.5, coarse.height - 1);
    const y0 = Math.floor(sy);
    const y1 = Math.min(coarse.height - 1, y0 + 1);
    for (let x = left; x < right; x++) {
      const sx = clamp(((box.x + x + 0.5) * coarse.width) / still.width - 0.5, coarse.width - 1);
      const x0 = Math.floor(sx);
      const x1 = Math.min(coarse.width - 1, x0 + 1);
      for (let c = 0; c < 3; c++) {
        const at = (px: number, py: number): number =>
          coarse.data[(py * coarse.width + px) * 3 + c] as number;
        const above = at(x0, y0) + (at(x1, y0) - at(x0, y0)) * (sx - x0);
        const below = at(x0, y1) + (at(x1, y1) - at(x0, y1)) * (sx - x0);
        region.data[(y * region.width + x) * 3 + c] = above + (below - above) * (sy - y0);
      }
    }
  }
}

const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));
