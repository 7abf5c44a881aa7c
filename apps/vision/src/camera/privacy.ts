/**
 * Makes the parts of a frame that a parent may see: the whole room, too coarse to recognise anybody, and sharp regions
 * around the parent's own children who were found in that frame.
 */
import { COARSE_MAX_HEIGHT } from '@haris/contract/vision-live';
import {
  type Box,
  besideHeadOf,
  faceRegionOf,
  hasFaceInHead,
  hiddenRegionOf,
  sharpRegionOf,
  touches,
} from '../picture/region.ts';
import type { Analysis, LiveFace } from '../recognition/live.ts';
import { cutPlanes, even, type Plane, type Planes, planesOf } from './planes.ts';
import type { Still } from './still.ts';

/** Height of the coarse room if faces were not searched: a face of half that height is at most 3 px wide. Pixels. */
const BLIND_HEIGHT = 6;
/** Number of single-colour squares across a region where a face is expected; the face covers about two of them. */
const EXPECTED_SQUARES = 6;
/** Width of the fade from a sharp region into the coarse room, as a part of the region's width. */
export const FEATHER = 0.1;
/** Width of the fade around a coarse place in a sharp region, as a part of the region's width. */
const HIDDEN_FADE = 0.06;
/** Regions with a shorter side are left out. Pixels. */
const REGION_MIN_SIDE = 16;
/** Sides of regions are multiples of this, so that few encoders are needed (0.3 ms per region instead of 0.8). Pixels. */
const REGION_STEP = 16;

/**
 * Makes the coarse room, at most COARSE_MAX_HEIGHT pixels high. A face of half that height would be 16 px wide, enough for
 * our own networks to recognise people. So every face becomes one colour, which identifies nobody even over many frames
 * (figures in decision 018). `analysis` must belong to this frame; null if there is none. `fillZones` fills the privacy
 * zones again, because shrinking has mixed their pixels with their neighbours.
 */
export function makeCoarse(
  still: Still,
  analysis: Analysis | null,
  fillZones: ((planes: Planes) => void) | null,
): Planes {
  const height = even(Math.min(still.height, analysis ? COARSE_MAX_HEIGHT : BLIND_HEIGHT));
  const width = even((still.width * height) / still.height);
  const coarse = still.resize(width, height);
  const scale = width / still.width;
  for (const place of analysis?.expected ?? [])
    mosaic(coarse, scaleBox(place, scale), Math.ceil((place.width * scale) / EXPECTED_SQUARES));
  for (const { box } of analysis?.faces ?? [])
    mosaic(coarse, scaleBox(hiddenRegionOf(box), scale), Math.max(width, height));
  fillZones?.(coarse);
  return coarse;
}

/** A region in which a child is sharp, in pixels of the picture. */
export interface SharpPlace {
  readonly childId: string;
  /** Even numbers, within the picture. */
  readonly box: Box;
  /** Parts of the box that stay coarse. */
  readonly hidden: readonly Box[];
}

export interface SharpRegion {
  readonly childId: string;
  readonly box: Box;
  readonly planes: Planes;
}

/**
 * Finds the sharp regions of the children in `childIds` who were found in this frame. Inside a region, other faces, places
 * where another face is expected, and both sides of the head (somebody behind it could look out) stay coarse. A child whose
 * head overlaps another face gets no region. If somebody nearby was lost, only the child's face is sharp.
 */
export function findSharpPlaces(
  analysis: Analysis,
  childIds: readonly string[],
  size: { readonly width: number; readonly height: number },
): SharpPlace[] {
  const isOwn = ({ showable, subject }: LiveFace): boolean =>
    showable && subject?.kind === 'child' && childIds.includes(subject.id);
  const others = analysis.faces.filter((face) => !isOwn(face));
  const own = analysis.faces.filter(
    (face) => isOwn(face) && !others.some((other) => hasFaceInHead(face.box, other.box)),
  );
  const places: SharpPlace[] = [];
  for (const { subject, box: face, crowded } of own) {
    if (subject === null) continue;
    const box = fit(crowded ? faceRegionOf(face) : sharpRegionOf(face), size);
    if (box.width < REGION_MIN_SIDE || box.height < REGION_MIN_SIDE) continue;
    const siblings = own.filter((other) => other.box !== face).map((other) => other.box);
    const hidden = [
      ...besideHeadOf(face, siblings),
      ...others.map((other) => hiddenRegionOf(other.box)),
      ...analysis.expected,
    ];
    places.push({ childId: subject.id, box, hidden: hidden.filter((place) => touches(place, box)) });
  }
  return places;
}

/** Cuts the sharp regions out of a picture. */
export function cutSharpRegions(
  still: Still,
  coarse: Planes,
  analysis: Analysis,
  childIds: readonly string[],
): SharpRegion[] {
  return findSharpPlaces(analysis, childIds, still).map(({ childId, box, hidden }) => {
    const planes = cutPlanes(still.planes, box);
    for (const place of hidden) coarsen(planes, box, place, coarse, still);
    return { childId, box, planes };
  });
}

/** Draws the regions over the room, in place. `room` must have the picture's size. */
export function drawRegions(room: Planes, regions: readonly SharpRegion[]): void {
  const below = planesOf(room);
  for (const { box, planes } of regions) {
    for (const [i, plane] of planesOf(planes).entries()) {
      const under = below[i] as Plane;
      const { width, height, shrink } = plane;
      const fade = (FEATHER * box.width) / shrink;
      const edge = Math.min(Math.ceil(width / 2), Math.ceil(fade));
      for (let y = 0; y < height; y++) {
        const from = plane.at + y * width;
        const to = under.at + (box.y / shrink + y) * under.width + box.x / shrink;
        const down = Math.min(y + 0.5, height - y - 0.5) / fade;
        const isInner = down >= 1;
        if (isInner) planes.data.copy(room.data, to + edge, from + edge, from + width - edge);
        for (let x = 0; x < width; x++) {
          if (isInner && x >= edge && x < width - edge) continue;
          const part = Math.min(1, down, (x + 0.5) / fade, (width - x - 0.5) / fade);
          const coarse = room.data[to + x] as number;
          room.data[to + x] = coarse + ((planes.data[from + x] as number) - coarse) * part;
        }
      }
    }
  }
}

/** Clips a box to the picture and shrinks it around its middle to sides that are multiples of `REGION_STEP`. */
function fit(box: Box, { width, height }: { readonly width: number; readonly height: number }): Box {
  const along = (start: number, length: number, most: number): [number, number] => {
    const from = Math.max(0, start);
    const room = Math.max(0, Math.min(most, start + length) - from);
    const side = Math.floor(room / REGION_STEP) * REGION_STEP;
    return [Math.floor((from + (room - side) / 2) / 2) * 2, side];
  };
  const [x, w] = along(box.x, box.width, width);
  const [y, h] = along(box.y, box.height, height);
  return { x, y, width: w, height: h };
}

function scaleBox({ x, y, width, height }: Box, by: number): Box {
  return { x: x * by, y: y * by, width: width * by, height: height * by };
}

/** Replaces each square of `cell` pixels in `area` by its mean colour, in place. */
function mosaic(planes: Planes, area: Box, cell: number): void {
  for (const plane of planesOf(planes))
    mosaicPlane(planes.data, plane, scaleBox(area, 1 / plane.shrink), Math.ceil(cell / plane.shrink));
}

function mosaicPlane(data: Buffer, { at, width, height }: Plane, area: Box, cell: number): void {
  const right = Math.min(width, Math.ceil(area.x + area.width));
  const bottom = Math.min(height, Math.ceil(area.y + area.height));
  for (let top = Math.max(0, Math.floor(area.y)); top < bottom; top += cell)
    for (let left = Math.max(0, Math.floor(area.x)); left < right; left += cell) {
      const toX = Math.min(right, left + cell);
      const toY = Math.min(bottom, top + cell);
      let sum = 0;
      for (let y = top; y < toY; y++)
        for (let x = left; x < toX; x++) sum += data[at + y * width + x] as number;
      const mean = sum / ((toX - left) * (toY - top));
      for (let y = top; y < toY; y++) data.fill(mean, at + y * width + left, at + y * width + toX);
    }
}

/** Draws the coarse room over the part of a region that `place` covers, with a fade around it. The region lies at `box`. */
function coarsen(region: Planes, box: Box, place: Box, coarse: Planes, still: Still): void {
  const sources = planesOf(coarse);
  for (const [i, plane] of planesOf(region).entries()) {
    const source = sources[i] as Plane;
    const { at, width, height, shrink } = plane;
    // Round outwards: partly covered pixels count too, and so do colour values that four pixels share.
    const left = Math.floor((place.x - box.x) / shrink);
    const top = Math.floor((place.y - box.y) / shrink);
    const right = Math.ceil((place.x + place.width - box.x) / shrink);
    const bottom = Math.ceil((place.y + place.height - box.y) / shrink);
    const fade = Math.max(1, Math.round((HIDDEN_FADE * box.width) / shrink));
    const across = (source.width * shrink) / still.width;
    const along = (source.height * shrink) / still.height;
    const sample = (x: number, y: number): number => coarse.data[source.at + y * source.width + x] as number;
    for (let y = Math.max(0, top - fade); y < Math.min(height, bottom + fade); y++) {
      const sy = clamp((box.y / shrink + y + 0.5) * along - 0.5, source.height - 1);
      const y0 = Math.floor(sy);
      const y1 = Math.min(source.height - 1, y0 + 1);
      const outY = Math.max(0, top - y, y - bottom + 1);
      for (let x = Math.max(0, left - fade); x < Math.min(width, right + fade); x++) {
        const out = Math.max(outY, left - x, x - right + 1);
        const sx = clamp((box.x / shrink + x + 0.5) * across - 0.5, source.width - 1);
        const x0 = Math.floor(sx);
        const x1 = Math.min(source.width - 1, x0 + 1);
        const above = sample(x0, y0) + (sample(x1, y0) - sample(x0, y0)) * (sx - x0);
        const below = sample(x0, y1) + (sample(x1, y1) - sample(x0, y1)) * (sx - x0);
        const value = above + (below - above) * (sy - y0);
        const to = at + y * width + x;
        const sharp = region.data[to] as number;
        region.data[to] = out <= 0 ? value : value + ((sharp - value) * out) / (fade + 1);
      }
    }
  }
}

const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));
