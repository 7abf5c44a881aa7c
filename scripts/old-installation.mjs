#!/usr/bin/env node
/**
 * Makes the fixture of an old version for `backup/old-versions.test.ts`, with that version's own program:
 *
 *     git worktree add /tmp/old 7788eca && (cd /tmp/old && npm ci)
 *     npm run fixture:old -- /tmp/old
 *
 * Writes `<commit>.json.br`: files of the data folder and of a backup (base64), and what the test expects to find. Works with the
 * versions whose harness is as in 7788eca and 33399eb. 33399eb cannot back up readings, so its backup is older than they are.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const source = `
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startTestApp } from '../testing/harness.ts';

const out = String(process.env.OUT);
const dataDir = join(out, 'data');
const run = (app, ...words) =>
  execFileSync(process.execPath, ['apps/server/src/backup/backup.ts', ...words], { env: { ...process.env, ...app.env } }).toString();

test('makes an installation', async () => {
  const app = await startTestApp({ config: { DATA_DIR: dataDir } });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  // The harness of 7788eca reads mails in a folder of its own.
  if (app.dataDir !== dataDir) {
    mkdirSync(join(dataDir, 'outbox'), { recursive: true });
    symlinkSync(join(dataDir, 'outbox'), join(app.dataDir, 'outbox'));
  }
  const staff = await app.staff();
  const employee = await app.makeEmployee({ name: 'Huda', email: 'huda@haris.test' });
  const family = await app.makeFamily({ name: 'Mona', email: 'mona@family.test' });
  const inside = await app.makeChild(family, 'Sara');
  const gone = await app.makeChild(family, 'Omar');
  const post = (path, json, token = staff, status = 200) => app.expect(status, 'POST', path, { token, ...(json ? { json } : {}) });
  await post('/api/children/checkin-child/' + inside._id, { durationInMinutes: 240 });
  await post('/api/children/checkin-child/' + gone._id, { durationInMinutes: 60 });
  app.clock.advance(60_000);
  const { evacuation } = await post('/api/evacuations', undefined, staff, 201);
  const ticks = [inside, gone].map(({ _id }) => ({ childId: _id, state: 'present', at: new Date(app.clock.now()).toISOString() }));
  await post('/api/evacuations/' + evacuation._id + '/ticks', { device: 'phone', ticks });
  await post('/api/evacuations/' + evacuation._id + '/end', { note: 'All out' });
  await post('/api/children/checkout-child/' + gone._id);
  const made = await post('/api/sensors', { name: 'Window', area: 'Playroom', kind: 'haris', period: 60 }, staff, 201);
  const recoveryKey = run(app, '--recovery-key').split('\\n')[0];
  run(app, join(out, 'early.backup'));
  for (const reading of [{ temperature: 21.5, humidity: 40, mq2: 120 }, { temperature: 22, humidity: 41, mq2: 130 }, { temperature: 41, humidity: 42, mq2: 140 }]) {
    app.clock.advance(20_000);
    await app.expect(202, 'POST', '/api/sensors/' + made.sensor._id + '/readings', { headers: { 'x-device-key': made.deviceKey }, json: reading });
    await app.app.incidents.sweep();
  }
  const { incidents } = await app.expect(200, 'GET', '/api/incidents?state=open&limit=200', { token: staff });
  const hot = incidents.find(({ kind }) => kind === 'temperature');
  await post('/api/incidents/' + hot._id + '/acknowledge', { note: 'The windows are open' }, employee.token);
  let hasReadings = true;
  try {
    run(app, join(out, 'late.backup'));
  } catch {
    hasReadings = false;
  }
  const photos = {};
  for (const { _id, photo } of [inside, gone])
    photos[_id] = (await app.ask('GET', photo, { token: staff })).bytes.toString('base64');
  const account = ({ email, password, token }) => ({ email, password, token });
  writeFileSync(join(out, 'facts.json'), JSON.stringify({
    now: app.clock.now(), recoveryKey, hasReadings, evacuation: evacuation._id, incident: hot._id,
    admin: { email: ADMIN_EMAIL, password: ADMIN_PASSWORD, token: staff }, employee: account(employee), parent: account(family),
    inside: inside._id, gone: gone._id, photos, sensor: { id: made.sensor._id, key: made.deviceKey },
  }));
  await app.close();
});
`;

const folder = resolve(process.argv[2] ?? '');
const commit = execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: folder }).toString().trim();
const out = mkdtempSync(join(tmpdir(), 'haris-old-'));
const test = 'apps/server/src/backup/make-old.test.ts';
try {
  writeFileSync(join(folder, test), source);
  execFileSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server-sqlite', test],
    {
      cwd: folder,
      env: { ...process.env, OUT: out },
      stdio: 'inherit',
    },
  );
  const { hasReadings, ...facts } = JSON.parse(readFileSync(join(out, 'facts.json'), 'utf8'));
  const files = Object.fromEntries(
    readdirSync(join(out, 'data'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(out.length + '/data/'.length), readFileSync(file).toString('base64')])
      .filter(([name]) => !name?.startsWith('outbox')),
  );
  const backup = readFileSync(join(out, hasReadings ? 'late.backup' : 'early.backup')).toString('base64');
  const target = new URL(`../apps/server/src/backup/fixtures/${commit}.json.br`, import.meta.url);
  const packed = brotliCompressSync(JSON.stringify({ files, backup, hasReadings, ...facts }));
  writeFileSync(target, packed);
  process.stdout.write(`${target.pathname}: ${packed.length} bytes, ${Object.keys(files).join(' ')}\n`);
} finally {
  rmSync(join(folder, test), { force: true });
  rmSync(out, { recursive: true });
}
