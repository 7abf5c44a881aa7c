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
/** The head with its hair. */
const headOf = (face: Box): Box => grow(face, 0.2, 0.6, 0.2, 0.2);
/** What is kept coarse for a face that is not to be shown: its head, and what a box that is not quite right leaves out. */
export const hiddenRegionOf = (face: Box): Box => grow(face, 0.4, 0.8, 0.4, 0.5);
/** The same for a face that was not found in this picture but must be near: it may have moved by half its width. */
export const expectedRegionOf = (face: Box): Box => grow(face, 1.1, 1.4, 1.1, 1.1);

export function touches(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Whether another face lies in the head of `face`: then neither can be shown without the other. */
export const hasFaceInHead = (face: Box, other: Box): boolean => touches(headOf(face), other);
