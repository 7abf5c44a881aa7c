import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { drawWaves } from '../../testing/engine.ts';
import { loadNetwork } from '../network.ts';
import { ensureModels } from './export.ts';
import {
  defaultModelsDir,
  findModel,
  getModel,
  type ModelKind,
  modelFiles,
  modelKinds,
} from './model-files.ts';
import { readSource } from './weights.ts';

const folders: string[] = [];
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'haris-models-'));
  folders.push(folder);
  return folder;
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe('the exporter', () => {
  it('writes three files, leaves them alone when they are right, and nothing else beside them', async () => {
    const folder = makeFolder();
    expect(await ensureModels(folder)).toEqual(['detection', 'landmarks', 'recognition']);
    expect(readdirSync(folder).sort()).toEqual(modelKinds.map((kind) => modelFiles[kind].name).sort());
    expect(await ensureModels(folder)).toEqual([]);
  });

  it('replaces a file that was cut short or changed', async () => {
    const folder = makeFolder();
    await ensureModels(folder);
    truncateSync(join(folder, modelFiles.landmarks.name), 1000);
    writeFileSync(join(folder, modelFiles.detection.name), 'something else');
    expect(() => getModel(folder, 'landmarks')).toThrow('export.ts');
    expect(await ensureModels(folder)).toEqual(['detection', 'landmarks']);
    expect(findModel(folder, 'detection')).toBeDefined();
  });

  it('refuses weights that are not the ones it was written for', () => {
    const file = {
      package: '@vladmandic/human',
      path: 'models/blazeface.bin',
      sha256: 'f'.repeat(64),
    } as const;
    expect(() => readSource(file)).toThrow(/has the hash dc9a97fd/);
    expect(() => readSource({ ...file, path: 'models/nothing.bin' })).toThrow('ENOENT');
  });
});

// The first values of each output, as TensorFlow.js computes them from the same weights (face-api 1.7.15 and its
// tfjs, cpu backend) for the same picture.
const golden: Record<ModelKind, { size: number; outputs: Record<string, number[]> }> = {
  detection: {
    size: 256,
    outputs: {
      scores16: [-3.939905, -3.237424, -4.947222, -3.35255, -14.338653, -2.945422, -12.088926, -3.419208],
      scores8: [-2.955623, -3.07027, -3.6504, -4.917777, -8.234283, -19.129498, -3.089348, -3.011112],
      boxes16: [-0.173022, -5.120473, 42.392582, 42.392994, -5.142234, -5.330176, 7.624569, -9.98762],
      boxes8: [3.865928, 4.266698, 91.991699, 91.986465, -7.582521, -8.884335, 20.591497, -9.344754],
    },
  },
  landmarks: {
    size: 112,
    outputs: { points: [0.331954, 0.508103, 0.444281, 0.551092, 0.463386, 0.58975, 0.504633, 0.669468] },
  },
  recognition: {
    size: 150,
    outputs: {
      encoding: [-0.064101, 0.102105, 0.082768, -0.008318, -0.053386, -0.047323, -0.004479, 0.002017],
    },
  },
};

describe.each(modelKinds)('the exported network for %s', (kind) => {
  it('computes what the original computes', async () => {
    await ensureModels(defaultModelsDir);
    const network = await loadNetwork(getModel(defaultModelsDir, kind));
    const { size, outputs } = golden[kind];
    const answer = await network.run(drawWaves(size), [1, 3, size, size]);
    expect(Object.keys(answer).sort()).toEqual(Object.keys(outputs).sort());
    for (const [name, expected] of Object.entries(outputs))
      expected.forEach((value, i) => {
        expect(Math.abs((answer[name]?.[i] ?? Number.NaN) - value), `${name}[${i}]`).toBeLessThan(2e-4);
      });
  });
});
