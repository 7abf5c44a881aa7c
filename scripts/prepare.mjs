// Prepares everything that a program needs before it can start: packages, face models, the built web app. Runs on the
// system's Node 20, repeats no finished work, and runs only once at a time.
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './install.mjs';
import { withLock } from './lock.mjs';
import { endGroupsOnSignal, pinnedNode, root, run, shorten } from './run.mjs';
import { buildWeb } from './web-build.mjs';

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`);
}

/** Writes the face networks as ONNX files; the exporter itself skips existing ones. */
async function exportModels() {
  const exporter = 'apps/vision/src/faces/models/export.ts';
  if (!existsSync(join(root, exporter))) {
    say(`${exporter} is not there: no face models are made.`);
    return;
  }
  const { code, output, timedOut } = await run(pinnedNode, [exporter], {
    stdio: 'pipe',
    timeoutMs: 5 * 60_000,
  });
  if (code !== 0) {
    const what = timedOut ? 'did not end in time' : 'failed';
    throw new Error(`Making the face models ${what} (${exporter}):\n${shorten(output)}`);
  }
}

/**
 * Prepares the project folder; waits if another process is doing so.
 * @param {{ models?: boolean, web?: boolean }} [options] `false` skips the face models, or the build of the web app
 * @throws Error that says in plain words what failed
 */
export async function prepare({ models = true, web = true } = {}) {
  const onWait = () => say('Another process is preparing this folder; waiting for it ...');
  await withLock(join(root, '.cache/prepare.lock'), { onWait }, async (addHelper) => {
    await installPackages(say, addHelper);
    if (models) await exportModels();
    if (web) await buildWeb(say);
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  endGroupsOnSignal();
  try {
    await prepare();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\nHaris could not be prepared.\n`);
    process.exitCode = 1;
  }
}
