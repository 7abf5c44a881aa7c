/** Loads the three networks of the face engine and runs each once. */
import { Pyramid } from '../picture/pixels.ts';
import { createAligner } from './align.ts';
import { createDetector, type Detection, type Detector } from './detector.ts';
import { createEmbedder } from './embedder.ts';
import { getModel, MODEL_NAME } from './models/model-files.ts';
import { loadNetwork } from './network.ts';
import { createInspector, type Inspector } from './visibility.ts';

/** Faces narrower than this, in pixels of the picture as sent, are found but never matched (measured: too many mistakes). */
export const MATCH_FACE_MIN_WIDTH = 40;

/** Only one call may run at a time, because calls share the networks' input buffers. */
export interface Networks extends Inspector {
  /** Name of this set of networks; encodings made under different names cannot be compared. */
  readonly model: string;
  readonly detector: Detector;
  /** 128 floats, see {@link createEmbedder}. */
  encode(pyramid: Pyramid, face: Detection): Promise<Float32Array>;
}

/** Loads the networks from `modelsDir` and runs each once. Throws when a file is missing or damaged. */
export async function loadNetworks(modelsDir: string): Promise<Networks> {
  const detector = createDetector(await loadNetwork(getModel(modelsDir, 'detection')));
  const aligner = createAligner(await loadNetwork(getModel(modelsDir, 'landmarks')));
  const embedder = createEmbedder(await loadNetwork(getModel(modelsDir, 'recognition')));

  async function encode(pyramid: Pyramid, face: Detection): Promise<Float32Array> {
    return embedder.encode(pyramid, await aligner.findLandmarks(pyramid, face));
  }

  // The first run of a network allocates and is slow; the first parent should not wait for it.
  const grey = new Pyramid({ data: new Uint8Array(64 * 64 * 3).fill(128), width: 64, height: 64 });
  await detector.detect(grey);
  await encode(grey, { x: 8, y: 8, width: 48, height: 48, score: 1, points: [] });
  return { model: MODEL_NAME, detector, encode, ...createInspector(detector, aligner) };
}
