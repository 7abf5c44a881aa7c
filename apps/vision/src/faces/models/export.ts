/**
 * Writes the face networks as ONNX files to the folder that the vision process reads. Runs at set-up; downloads nothing.
 * Skips files that have the right hash. `node apps/vision/src/faces/models/export.ts [folder]`
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  defaultModelsDir,
  findModel,
  type ModelKind,
  modelFiles,
  modelKinds,
  sha256Of,
} from './model-files.ts';

/**
 * Writes the model files that are missing or damaged in `dir` and returns their kinds. A file appears whole or not at all.
 * Throws when the weights in the npm packages are missing or changed.
 */
export async function ensureModels(dir: string): Promise<ModelKind[]> {
  const missing = modelKinds.filter((kind) => findModel(dir, kind) === undefined);
  if (missing.length === 0) return [];
  // Imported lazily: loading it takes longer than the whole check.
  const { buildModel } = await import('./build.ts');
  mkdirSync(dir, { recursive: true });
  for (const kind of missing) {
    const { name, sha256 } = modelFiles[kind];
    const bytes = buildModel(kind);
    const made = sha256Of(bytes);
    if (made !== sha256) throw new Error(`${name} came out with the hash ${made}, expected ${sha256}`);
    const unfinished = join(dir, `${name}.${process.pid}.tmp`);
    writeFileSync(unfinished, bytes);
    renameSync(unfinished, join(dir, name));
  }
  return missing;
}

if (import.meta.main) {
  const dir = process.argv[2] ?? defaultModelsDir;
  try {
    const written = await ensureModels(dir);
    for (const kind of written) process.stdout.write(`${modelFiles[kind].name} written\n`);
  } catch (error) {
    process.stderr.write(
      `The face networks could not be written: ${error instanceof Error ? error.message : error}\n`,
    );
    process.exitCode = 1;
  }
}
