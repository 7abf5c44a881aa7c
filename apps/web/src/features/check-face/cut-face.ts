/** Crops a face from a photo, for display beside a child's photo. */
import type { FaceBox } from '@haris/contract/vision';

/** Side of the crop in pixels, and its margin on each side as a fraction of the box. */
const SIDE = 296;
const MARGIN = 0.35;

/** A `data:` URL of the face. `box` is in pixels of the upright photo. Rejects if the browser cannot read it. */
export async function cutFace(photo: Blob, [x, y, width, height]: FaceBox): Promise<string> {
  const bitmap = await createImageBitmap(photo);
  const side = Math.max(width, height) * (1 + 2 * MARGIN);
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  canvas
    .getContext('2d')
    ?.drawImage(bitmap, x + width / 2 - side / 2, y + height / 2 - side / 2, side, side, 0, 0, SIDE, SIDE);
  bitmap.close();
  return canvas.toDataURL('image/jpeg', 0.9);
}
