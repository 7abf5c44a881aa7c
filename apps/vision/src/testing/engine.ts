/** The real networks for tests, exported first if they are missing. */
import { ensureModels } from '../faces/models/export.ts';
import { defaultModelsDir } from '../faces/models/model-files.ts';
import { loadRecognizer, type Recognizer } from '../faces/recognizer.ts';

export async function loadTestRecognizer(): Promise<Recognizer> {
  await ensureModels(defaultModelsDir);
  return loadRecognizer(defaultModelsDir);
}

/** A square picture of waves for networks, RGB 0–255 in planes; the golden values were computed from the same one. */
export function drawWaves(size: number): Float32Array {
  const planes = new Float32Array(3 * size * size);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++)
      for (let c = 0; c < 3; c++) {
        const wave =
          Math.sin(((x * (c + 1) * 7 + y * 5) / size) * 3) * Math.cos(((y * (3 - c) * 4 - x * 2) / size) * 3);
        planes[c * size * size + y * size + x] = Math.floor(127.5 + 127.5 * wave);
      }
  return planes;
}
