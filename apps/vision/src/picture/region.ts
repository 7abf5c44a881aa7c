/** Regions around a face that may be sharp or must stay coarse. Pure geometry, in pixels of the picture. */

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function grow(box: Box, left: number, top: number, right: number, bottom: number): Box {
  const { x, y, width, height } = box;
  return {
    x: x - left * width,
    y: y - top * height,
    width: width * (1 + left + right),
    height: height * (1 + top + bottom),
  };
}

/** Region shown sharp: head, shoulders and some of the body. It may extend past the picture's edge. */
export const sharpRegionOf = (face: Box): Box => grow(face, 0.7, 0.85, 0.7, 1.1);
/** Region shown sharp if somebody may be behind the face: the face and little else. */
export const faceRegionOf = (face: Box): Box => grow(face, -0.06, 0.15, -0.06, 0.05);
/** Column from above the hair to below the chin; a person half behind the head is visible beside it. */
const headColumnOf = (face: Box): Box => grow(face, 0.15, 0.85, 0.15, 0.1);
/** The head with its hair. */
const headOf = (face: Box): Box => grow(face, 0.2, 0.6, 0.2, 0.2);
/** Region that stays coarse for a face that must not be shown: the head, with a margin for an inexact box. */
export const hiddenRegionOf = (face: Box): Box => grow(face, 0.4, 0.8, 0.4, 0.5);
/** Larger coarse region for a face that was expected but not found: it may have moved by half its width. */
export const expectedRegionOf = (face: Box): Box => grow(face, 1.1, 1.4, 1.1, 1.1);

/**
 * Parts of a face's own sharp region that always stay coarse, even if nobody is found there: both sides of the head, except
 * the heads of `others`, which are shown too.
 */
export function besideHeadOf(face: Box, others: readonly Box[]): Box[] {
  const region = sharpRegionOf(face);
  const { y, height } = headColumnOf(face);
  let beside: Box[] = [{ x: region.x, y, width: region.width, height }];
  for (const shown of [face, ...others])
    beside = beside.flatMap((part) => without(part, headColumnOf(shown)));
  return beside;
}

/** The parts of a box around a hole in it. */
function without(box: Box, hole: Box): Box[] {
  if (!touches(box, hole)) return [box];
  const right = box.x + box.width;
  const bottom = box.y + box.height;
  const top = Math.max(box.y, hole.y);
  const end = Math.min(bottom, hole.y + hole.height);
  return [
    { x: box.x, y: box.y, width: box.width, height: top - box.y },
    { x: box.x, y: end, width: box.width, height: bottom - end },
    { x: box.x, y: top, width: hole.x - box.x, height: end - top },
    { x: hole.x + hole.width, y: top, width: right - hole.x - hole.width, height: end - top },
  ].filter(({ width, height }) => width > 0 && height > 0);
}

export function touches(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Whether another face overlaps the head of `face`; then neither can be shown without the other. */
export const hasFaceInHead = (face: Box, other: Box): boolean => touches(headOf(face), other);
