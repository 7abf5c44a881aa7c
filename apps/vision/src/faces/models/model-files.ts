/** Names, hashes and folder of the ONNX files that the exporter writes. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name stored with encodings of these networks; encodings with different names cannot be compared. */
export const MODEL_NAME = 'dlib-resnet-128/lm68-chip150';

/** The exported files; a hash changes exactly when the exporter writes different bytes. */
export const modelFiles = {
  detection: {
    name: 'blazeface-256.onnx',
    sha256: '6ef3eeda319f01d169fcd090f9eaff4ef7f653c14300288d2de0a4f5667172f4',
  },
  landmarks: {
    name: 'face-landmarks-68.onnx',
    sha256: 'f8bc32c1d0252f408b3dab3c59d9ada13adc4c0dcd394db41a02ac2eab103666',
  },
  recognition: {
    name: 'face-recognition.onnx',
    sha256: 'aeb3d7c3c21e12a78b5f748468aea02007e5c624c463ea85cc5009778abd36cb',
  },
} as const;

export type ModelKind = keyof typeof modelFiles;
export const modelKinds = Object.keys(modelFiles) as ModelKind[];

/** `.cache/models` of the project folder, where set-up puts them. */
export const defaultModelsDir = join(import.meta.dirname, '../../../../../.cache/models');

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The bytes of a model file; undefined if it is missing or has the wrong hash. */
export function findModel(dir: string, kind: ModelKind): Buffer | undefined {
  const { name, sha256 } = modelFiles[kind];
  try {
    const bytes = readFileSync(join(dir, name));
    return sha256Of(bytes) === sha256 ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Like {@link findModel}, but throws an error that says how to make the files. */
export function getModel(dir: string, kind: ModelKind): Buffer {
  const bytes = findModel(dir, kind);
  if (!bytes) {
    const { name } = modelFiles[kind];
    throw new Error(
      `${name} is not in ${dir} or is damaged: run node apps/vision/src/faces/models/export.ts`,
    );
  }
  return bytes;
}
