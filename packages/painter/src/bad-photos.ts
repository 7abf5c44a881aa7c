/** Photos that must be refused at enrolment, each for one reason. JPEG bytes of 640 × 480 pixels. */
import { paintScene, type Scene } from './portrait.ts';

const frame = { width: 640, height: 480 } as const;
const middle = { x: 0.5, y: 0.48, head: 0.62 } as const;

function paint(scene: Omit<Scene, 'width' | 'height'>): Promise<Buffer> {
  return paintScene({ ...frame, ...scene })
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** A room with toys and nobody in it. */
export function paintEmptyRoom(): Promise<Buffer> {
  return paint({ people: [], toys: true });
}

/** Two children side by side, equally large. */
export function paintTwoFaces(seed: number, otherSeed: number): Promise<Buffer> {
  return paint({
    people: [
      { seed, ...middle, x: 0.28 },
      { seed: otherSeed, ...middle, x: 0.72 },
    ],
  });
}

/** A child far away: the face is about 55 px wide. */
export function paintSmallFace(seed: number): Promise<Buffer> {
  return paint({ people: [{ seed, x: 0.5, y: 0.6, head: 0.16 }], toys: true });
}

/** A child half out of the picture: about a fifth of the face is cut off. */
export function paintCutOffFace(seed: number): Promise<Buffer> {
  return paint({ people: [{ seed, ...middle, x: 0.08 }] });
}

/** A good portrait with an eighth of the light. */
export function paintDarkFace(seed: number): Promise<Buffer> {
  return paint({ people: [{ seed, ...middle }], exposure: 0.125 });
}

/** A good portrait, out of focus. */
export function paintBlurredFace(seed: number): Promise<Buffer> {
  return paint({ people: [{ seed, ...middle }], blur: 7 });
}
