/** The built product with a large nursery, as the benches of its pages need it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeNursery, nurseryStaff } from '../apps/server/src/testing/nursery.ts';
import { NO_VISION, startProgram } from '../apps/server/src/testing/program.ts';

/** Children of the nursery. */
export const CHILDREN = 200;
const FAMILIES = 120;

/** A running server with an empty folder of the bench's own. */
export interface Desk {
  /** Address of the server. */
  readonly url: string;
  /** Token of a staff member. */
  readonly token: string;
  /** For a browser's files; removed afterwards. */
  readonly folder: string;
}

async function signIn(url: string): Promise<string> {
  const login = await fetch(`${url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: nurseryStaff.ADMIN_EMAIL, password: nurseryStaff.ADMIN_PASSWORD }),
  });
  return ((await login.json()) as { token: string }).token;
}

async function checkIn(url: string, token: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/api/children/checkin-child/${id}`, { method: 'POST', headers });
    if (answer.status !== 200) throw new Error(`a check-in answered ${answer.status}`);
  }
}

/**
 * Starts the server with `inside` children inside, measures, and stops it. Sets the exit code 1 unless `measure`
 * returns that all targets are met. Throws if the server does not start or a child cannot be checked in.
 */
export async function withDesk(inside: number, measure: (desk: Desk) => Promise<boolean>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'haris-desk-'));
  try {
    const env = {
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'fatal',
      MQTT_PORT: '0',
      ...nurseryStaff,
      ...NO_VISION,
    };
    const ids = await makeNursery(env, CHILDREN, FAMILIES);
    const program = await startProgram(env);
    try {
      const token = await signIn(program.url);
      await checkIn(program.url, token, ids.slice(0, inside));
      if (!(await measure({ url: program.url, token, folder }))) process.exitCode = 1;
    } finally {
      program.kill('SIGTERM');
      await program.ended;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
