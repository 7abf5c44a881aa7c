/** Turns an aligned face into the 128 numbers of its encoding. */
import { drawPiece, type Pyramid } from '../picture/pixels.ts';
import { CHIP_SIZE, type Landmarks, placeChip } from './align.ts';
import type { Network } from './network.ts';

export interface Embedder {
  /**
   * 128 floats, compared by Euclidean distance: same person mostly < 0.50, others mostly > 0.60. The mean of the face
   * and its mirror image (measured on LFW: 99.1 instead of 98.2 % true accepts at 1 % false ones).
   */
  encode(pyramid: Pyramid, landmarks: Landmarks): Promise<Float32Array>;
}

const ENCODING = 128;
const FACE = 3 * CHIP_SIZE * CHIP_SIZE;

export function createEmbedder(network: Network): Embedder {
  const faces = new Float32Array(2 * FACE);
  const face = faces.subarray(0, FACE);
  const mirrored = faces.subarray(FACE);
  return {
    async encode(pyramid, landmarks) {
      drawPiece(pyramid, placeChip(landmarks), CHIP_SIZE, face);
      for (let row = 0; row < FACE; row += CHIP_SIZE)
        for (let x = 0; x < CHIP_SIZE; x++) mirrored[row + x] = face[row + CHIP_SIZE - 1 - x] ?? 0;
      const { encoding } = await network.run(faces, [2, 3, CHIP_SIZE, CHIP_SIZE]);
      if (encoding?.length !== 2 * ENCODING)
        throw new Error('the recognition network answered something else');
      return Float32Array.from(
        { length: ENCODING },
        (_, i) => ((encoding[i] ?? 0) + (encoding[ENCODING + i] ?? 0)) / 2,
      );
    },
  };
}
