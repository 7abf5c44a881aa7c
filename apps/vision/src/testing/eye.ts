/**
 * An attacker who tries to recognise a face in a picture for parents with the product's own networks, either with the
 * face's true landmarks, which no outsider can know, or by searching for it.
 */
import { createAligner, type Landmarks, placeChip } from '../faces/align.ts';
import { coverWithSquares, createDetector, type Detection } from '../faces/detector.ts';
import { createEmbedder } from '../faces/embedder.ts';
import { ensureModels } from '../faces/models/export.ts';
import { defaultModelsDir, getModel } from '../faces/models/model-files.ts';
import { loadNetwork } from '../faces/network.ts';
import { drawPiece, type Pixels, Pyramid } from '../picture/pixels.ts';

/** Only one call may run at a time, because calls share the networks' input buffers. */
export interface Eye {
  /** The most prominent face of a photo, its landmarks and its encoding; null if there is no face. */
  know(photo: Pixels): Promise<{ face: Detection; landmarks: Landmarks; encoding: Float32Array } | null>;
  /** Encodings of the faces whose landmarks are known from elsewhere. */
  lookAt(picture: Pixels, faces: readonly Landmarks[]): Promise<Float32Array[]>;
  /** All possible faces, including doubtful detections, with encodings. */
  search(picture: Pixels): Promise<{ face: Detection; encoding: Float32Array }[]>;
}

export async function openEye(): Promise<Eye> {
  await ensureModels(defaultModelsDir);
  const detector = createDetector(await loadNetwork(getModel(defaultModelsDir, 'detection')));
  const aligner = createAligner(await loadNetwork(getModel(defaultModelsDir, 'landmarks')));
  const embedder = createEmbedder(await loadNetwork(getModel(defaultModelsDir, 'recognition')));
  return {
    async know(photo) {
      const pyramid = new Pyramid(photo);
      const [face] = await detector.detect(pyramid);
      if (!face) return null;
      const landmarks = await aligner.findLandmarks(pyramid, face);
      return { face, landmarks, encoding: await embedder.encode(pyramid, landmarks) };
    },
    async lookAt(picture, faces) {
      const pyramid = new Pyramid(picture);
      const encodings: Float32Array[] = [];
      for (const landmarks of faces) encodings.push(await embedder.encode(pyramid, landmarks));
      return encodings;
    },
    async search(picture) {
      const pyramid = new Pyramid(picture);
      const squares = coverWithSquares(picture.width, picture.height);
      const found: { face: Detection; encoding: Float32Array }[] = [];
      for (const face of await detector.detectLive(pyramid, squares)) {
        const landmarks = await aligner.findLandmarks(pyramid, face);
        found.push({ face, encoding: await embedder.encode(pyramid, landmarks) });
      }
      return found;
    },
  };
}

const SIDE = 150;

/**
 * Averages many pictures of one face, aligned by their true landmarks. Detail that is lost between the pixels of one
 * picture can reappear in the next, because the face has moved.
 */
export class Overlay {
  readonly #sum = new Float64Array(3 * SIDE * SIDE);
  readonly #piece = new Float32Array(3 * SIDE * SIDE);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(picture: Pyramid, landmarks: Landmarks): void {
    drawPiece(picture, placeChip(landmarks), SIDE, this.#piece);
    for (const [i, value] of this.#piece.entries()) this.#sum[i] = (this.#sum[i] ?? 0) + value;
    this.#count++;
  }

  /** The mean picture and the landmarks of its face. `landmarks`: those of any added picture. */
  mean(landmarks: Landmarks): { picture: Pixels; landmarks: Landmarks } {
    const data = new Uint8Array(3 * SIDE * SIDE);
    for (let i = 0; i < SIDE * SIDE; i++)
      for (let c = 0; c < 3; c++)
        data[i * 3 + c] = Math.round((this.#sum[c * SIDE * SIDE + i] ?? 0) / this.#count);
    const { a, b, tx, ty } = placeChip(landmarks);
    const length = a * a + b * b;
    return {
      picture: { data, width: SIDE, height: SIDE },
      landmarks: landmarks.map(([x, y]) => {
        const [dx, dy] = [x - tx, y - ty];
        return [(a * dx + b * dy) / length, (a * dy - b * dx) / length] as const;
      }),
    };
  }
}
