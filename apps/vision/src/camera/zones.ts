/** Fills privacy zones with one colour in a picture's planes, before any other code reads them. Pure. */
import type { Zone } from '@haris/contract/http/cameras';
import type { Planes } from './planes.ts';

/** A dark grey, the same in every output. */
const ZONE_LUMA = 60;
const ZONE_CHROMA = 128;

/** Pixels `from` (inclusive) to `to` (exclusive) of rows `y` and `y` + 1. */
interface Span {
  readonly y: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Spans of the 2 × 2 blocks that a zone touches; whole blocks, so that luma and colour end at the same edge. Where the lines
 * of a zone cross, everything that they go round is inside, as in the drawing of the editor (SVG's rule `nonzero`).
 */
function spansOf(zone: Zone, width: number, height: number): Span[] {
  const points = zone.map(([x, y]) => [x * width, y * height] as const);
  const spans: Span[] = [];
  for (let top = 0; top < height; top += 2) {
    // Sample several lines per row of blocks: one line per row would miss a corner between two lines.
    for (const line of [top + 0.01, top + 0.5, top + 1, top + 1.5, top + 1.99]) {
      const crossings: { readonly x: number; readonly turn: 1 | -1 }[] = [];
      points.forEach(([ax, ay], i) => {
        const [bx, by] = points[(i + 1) % points.length] ?? [ax, ay];
        if (ay <= line === by <= line) return;
        crossings.push({ x: ax + ((line - ay) / (by - ay)) * (bx - ax), turn: by > ay ? 1 : -1 });
      });
      crossings.sort((a, b) => a.x - b.x);
      let turns = 0;
      let start = 0;
      for (const { x, turn } of crossings) {
        if (turns === 0) start = x;
        turns += turn;
        if (turns !== 0) continue;
        const from = Math.max(0, Math.floor(start / 2) * 2);
        const to = Math.min(width, Math.ceil(x / 2) * 2);
        if (to > from) spans.push({ y: top, from, to });
      }
    }
  }
  return spans;
}

/** The same spans, reaching this much further in every direction. `margin`: pixels, even. */
function widen(spans: readonly Span[], margin: number, width: number, height: number): Span[] {
  if (margin === 0) return [...spans];
  return spans.flatMap(({ y, from, to }) => {
    const wide = { from: Math.max(0, from - margin), to: Math.min(width, to + margin) };
    const rows: Span[] = [];
    for (let row = Math.max(0, y - margin); row <= Math.min(height - 2, y + margin); row += 2)
      rows.push({ y: row, ...wide });
    return rows;
  });
}

/**
 * Fills zones in place. `margin`: filled beside them too, in pixels, even; for planes that were made smaller, which mixes
 * the pixels of a zone with those beside it.
 */
export type ZoneFiller = (planes: Planes, margin?: number) => void;

/** Returns a filler of `zones`. It is fastest for consecutive pictures of one size. */
export function createZoneFiller(zones: readonly Zone[]): ZoneFiller {
  let known = { width: 0, height: 0, margin: 0, spans: [] as Span[] };
  return ({ data, width, height }, margin = 0) => {
    if (zones.length === 0) return;
    if (known.width !== width || known.height !== height || known.margin !== margin) {
      const spans = zones.flatMap((zone) => spansOf(zone, width, height));
      known = { width, height, margin, spans: widen(spans, margin, width, height) };
    }
    const chroma = width * height;
    const plane = chroma / 4;
    for (const { y, from, to } of known.spans) {
      data.fill(ZONE_LUMA, y * width + from, y * width + to);
      data.fill(ZONE_LUMA, (y + 1) * width + from, (y + 1) * width + to);
      const row = chroma + (y / 2) * (width / 2);
      data.fill(ZONE_CHROMA, row + from / 2, row + to / 2);
      data.fill(ZONE_CHROMA, row + plane + from / 2, row + plane + to / 2);
    }
  };
}
