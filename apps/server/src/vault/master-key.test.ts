/** The master key's file is complete or missing, however its writing is interrupted. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { masterKeyFile, openMasterKey, recoveryKeyOf, writeMasterKey } from './master-key.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'haris-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const files = () => readdirSync(join(folder, 'keys'));

test('is made once, for this user alone, and nothing is left beside it', () => {
  const { fingerprint } = openMasterKey(folder, true);
  expect(files()).toEqual(['master.key']);
  expect(readFileSync(masterKeyFile(folder))).toHaveLength(32);
  expect(statSync(masterKeyFile(folder)).mode & 0o777).toBe(0o600);
  expect(openMasterKey(folder, true).fingerprint).toBe(fingerprint);
  expect(openMasterKey(folder, false).fingerprint).toBe(fingerprint);
});

test('a process that dies in its first write leaves no empty key, and the next start makes a whole one', () => {
  const program = `import { openMasterKey } from ${JSON.stringify(new URL('./master-key.ts', import.meta.url).href)};
    openMasterKey(${JSON.stringify(folder)}, true);`;
  // No byte can be written to any file.
  const dying = spawnSync(
    '/bin/sh',
    ['-c', 'ulimit -f 0; exec "$0" --input-type=module -e "$1"', process.execPath, program],
    { encoding: 'utf8', env: { PATH: process.env.PATH } },
  );
  expect(dying.status).not.toBe(0);
  // It did get as far as the write.
  expect(files().filter((name) => !name.endsWith('.part'))).toEqual([]);
  openMasterKey(folder, true);
  expect(readFileSync(masterKeyFile(folder))).toHaveLength(32);
});

test('is never put in the place of another', () => {
  const other = mkdtempSync(join(tmpdir(), 'haris-key-'));
  openMasterKey(other, true);
  const recovery = recoveryKeyOf(other);
  rmSync(other, { recursive: true });
  const { fingerprint } = openMasterKey(folder, true);
  expect(() => writeMasterKey(folder, recovery)).toThrow('is another key than RECOVERY_KEY');
  expect(openMasterKey(folder, false).fingerprint).toBe(fingerprint);
  expect(files()).toEqual(['master.key']);
});

test('one that is missing is not made anew for a database that had one, one that is damaged is refused', () => {
  expect(() => openMasterKey(folder, false)).toThrow('is missing');
  mkdirSync(join(folder, 'keys'));
  writeFileSync(masterKeyFile(folder), 'short');
  for (const mayCreate of [true, false]) expect(() => openMasterKey(folder, mayCreate)).toThrow('is damaged');
});
