/** Programs that run as another user; only the superuser can start them. */
import { spawnSync } from 'node:child_process';
import { main } from './program.ts';

/** The user without rights. */
export const NOBODY = 65_534;

/** Whether a user may run the program: its folder may lie in one that others may not enter. */
export function mayRun(uid: number): boolean {
  const read = `require('node:fs').accessSync(${JSON.stringify(main)})`;
  return spawnSync(process.execPath, ['--eval', read], { uid, stdio: 'ignore' }).status === 0;
}
