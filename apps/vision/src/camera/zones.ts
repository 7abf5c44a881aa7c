/** Privacy zones, filled with one colour in the picture's own planes before anything else reads it. Pure. */
import type { Zone } from '@haris/contract/http/cameras';
import type { Planes } from './planes.ts';

/** A dark grey, the same in every output. */
const ZONE_LUMA = 60;
const ZONE_CHROMA = 128;

/** From the first to before the last pixel of row `y`. */
interface Span {
  readonly y: number;
  readonly from: number;
  readonly to: number;
}

/** Rows of 2 × 2 pixels, so that luma and colour end at the same edge; whatever a zone touches belongs to it. */
function spansOf(zone: Zone, width: number, height: number): Span[] {
  const points = zone.map(([x, y]) => [x * width, y * height] as const);
  const spans: Span[] = [];
  for (let top = 0; top < height; top += 2) {
    // Several lines of the row of blocks: one alone would miss a corner that ends between them.
    for (const line of [top + 0.01, top + 0.5, top + 1, top + 1.5, top + 1.99]) {
      const crossings: number[] = [];
      points.forEach(([ax, ay], i) => {
        const [bx, by] = points[(i + 1) % points.length] ?? [ax, ay];
        if (ay <= line === by <= line) return;
        crossings.push(ax + ((line - ay) / (by - ay)) * (bx - ax));
      });
      crossings.sort((a, b) => a - b);
      for (let i = 0; i + 1 < crossings.length; i += 2) {
        const from = Math.max(0, Math.floor((crossings[i] ?? 0) / 2) * 2);
        const to = Math.min(width, Math.ceil((crossings[i + 1] ?? 0) / 2) * 2);
        if (to > from) spans.push({ y: top, from, to });
      }
    }
  }
  return spans;
}

/** A function that fills `zones` in place, for pictures of one size after the other. */
export function createZoneFiller(zones: readonly Zone[]): (planes: Planes) => void {
  let known = { width: 0, height: 0, spans: [] as Span[] };
  return ({ data, width, height }) => {
    if (zones.length === 0) return;
    if (known.width !== width || known.height !== height)
      known = { width, height, spans: zones.flatMap((zone) => spansOf(zone, width, height)) };
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
