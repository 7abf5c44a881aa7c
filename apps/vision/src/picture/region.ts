/** Which part of a picture may be sharp for a face, and which must not be. Pure geometry, in pixels of the picture. */

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

/** Head, shoulders and some of the body of a face: the part that is shown sharp. May reach over the picture's edge. */
export const sharpRegionOf = (face: Box): Box => grow(face, 0.7, 0.85, 0.7, 1.1);
/** The face and hardly more, for when somebody may look out from behind it. */
export const faceRegionOf = (face: Box): Box => grow(face, -0.06, 0.15, -0.06, 0.05);
/** From above the hair to under the chin: beside it, whoever is half behind the head looks out. */
const headColumnOf = (face: Box): Box => grow(face, 0.15, 0.85, 0.15, 0.1);
/** The head with its hair. */
const headOf = (face: Box): Box => grow(face, 0.2, 0.6, 0.2, 0.2);
/** What is kept coarse for a face that is not to be shown: its head, and what a box that is not quite right leaves out. */
export const hiddenRegionOf = (face: Box): Box => grow(face, 0.4, 0.8, 0.4, 0.5);
/** The same for a face that was not found in this picture but must be near: it may have moved by half its width. */
export const expectedRegionOf = (face: Box): Box => grow(face, 1.1, 1.4, 1.1, 1.1);

/**
 * What is kept coarse of a face's own sharp region, without need to find anybody there: both sides of the head, but for the
 * heads of `others` that are shown too.
 */
export function besideHeadOf(face: Box, others: readonly Box[]): Box[] {
  const region = sharpRegionOf(face);
  const { y, height } = headColumnOf(face);
  let beside: Box[] = [{ x: region.x, y, width: region.width, height }];
  for (const shown of [face, ...others])
    beside = beside.flatMap((part) => without(part, headColumnOf(shown)));
  return beside;
}

/** What is left of a box around a hole in it. */
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

/** Whether another face lies in the head of `face`: then neither can be shown without the other. */
export const hasFaceInHead = (face: Box, other: Box): boolean => touches(headOf(face), other);
