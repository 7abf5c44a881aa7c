/** `npm run backup -- FILE`: one consistent, encrypted file of everything, while the server runs. */
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ConfigError } from '@haris/runtime/config';
import { createLogger } from '@haris/runtime/log';
import { loadConfig } from '../config.ts';
import { writeLastBackup } from '../data-folder.ts';
import { connectPostgres, openEmbeddedReadOnly } from '../db/open.ts';
import { MasterKeyError, masterKeyFile, openMasterKey, recoveryKeyOf } from '../vault/master-key.ts';
import { sealArchive, through } from './archive.ts';
import { type Counts, writeContents } from './contents.ts';

// Whatever is written belongs to this user alone.
process.umask(0o077);

/** The backup was made, but some photos are lost: standard error names them. */
const MADE_WITHOUT_SOME = 3;

async function backup(file: string, demo: boolean): Promise<Counts> {
  const config = loadConfig(process.env, { demo, base: process.cwd() });
  const key = openMasterKey(config.dataDir, false).derive('backup');
  const database = config.databaseUrl
    ? connectPostgres(config.databaseUrl, 2, createLogger('backup', config.logLevel))
    : openEmbeddedReadOnly(config.dataDir);
  const part = `${file}.part`;
  try {
    let counts: Counts = { rows: 0, photos: 0, lost: [] };
    const contents = writeContents(database.db, database.dialect, new Date(), (final) => {
      counts = final;
    });
    await pipeline(
      Readable.from(sealArchive(key, through(contents, createGzip())), { objectMode: false }),
      createWriteStream(part, { mode: 0o600 }),
    );
    const written = await open(part, 'r+');
    await written.sync().finally(() => written.close());
    await rename(part, file);
    return counts;
  } finally {
    await rm(part, { force: true });
    await database.close();
  }
}

/** The server tells staff when the last one is too old. A backup that cannot be noted is one all the same. */
function noteBackup(): void {
  try {
    writeLastBackup(loadConfig(process.env, { demo, base: process.cwd() }).dataDir, Date.now());
  } catch {
    process.stderr.write('That it was made could not be noted in DATA_DIR: Haris may call it overdue.\n');
  }
}

const words = process.argv.slice(2).filter((word) => word !== '--demo');
const demo = process.argv.includes('--demo');
try {
  if (words[0] === '--recovery-key') {
    const { dataDir } = loadConfig(process.env, { demo, base: process.cwd() });
    openMasterKey(dataDir, false);
    process.stdout.write(
      `${recoveryKeyOf(dataDir)}\nWhoever has this and a backup can read everything. Keep the two apart.\n`,
    );
  } else if (words.length === 1 && words[0] && !words[0].startsWith('-')) {
    const file = resolve(words[0]);
    const counts = await backup(file, demo);
    noteBackup();
    process.stdout.write(
      `Backed up ${counts.rows} rows and ${counts.photos} photos to ${file}\n` +
        `It can be read only with the master key (${masterKeyFile('DATA_DIR')}, or npm run backup -- --recovery-key): keep that apart.\n`,
    );
    for (const id of counts.lost)
      process.stderr.write(`The photo ${id} is lost: its bytes are not in the database.\n`);
    if (counts.lost.length > 0) process.exitCode = MADE_WITHOUT_SOME;
  } else {
    process.stderr.write('Usage: npm run backup -- FILE   (or --recovery-key)\n');
    process.exitCode = 2;
  }
} catch (error) {
  const known = error instanceof ConfigError || error instanceof MasterKeyError;
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  process.stderr.write(`${known ? error.message : `The backup was not made${code}.`}\n`);
  process.exitCode = 1;
}
