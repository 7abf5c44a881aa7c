/**
 * Puts the face networks as ONNX files where the vision process looks for them: at set-up, nothing is downloaded.
 * Does nothing when they are there and right. `node apps/vision/src/faces/models/export.ts [folder]`
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
 * Writes what is missing or damaged in `dir` and answers what it wrote. A file appears whole or not at all.
 * Throws when the weights in the npm packages are missing or changed.
 */
export async function ensureModels(dir: string): Promise<ModelKind[]> {
  const missing = modelKinds.filter((kind) => findModel(dir, kind) === undefined);
  if (missing.length === 0) return [];
  // Loaded only here: it costs more time than the whole check.
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
