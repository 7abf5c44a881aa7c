/** What the checks of `npm run doctor` look at. Reads only: makes no file, takes no lock, and changes no row. */
import { X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect } from 'node:net';
import { TLSSocket } from 'node:tls';
import { visionHealthSchema, visionPaths } from '@haris/contract/vision';
import { createLogger } from '@haris/runtime/log';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { readAuditHeads } from '../../audit-heads.ts';
import { isLate, readNightly } from '../../backup/nightly-state.ts';
import { readKnownTime } from '../../clock-guard.ts';
import { type Config, outboxFolder } from '../../config.ts';
import { findDiskSpace, readLastBackup } from '../../data-folder.ts';
import { findPairedCameras } from '../../db/camera-devices.ts';
import { findCameras, isWatched } from '../../db/cameras.ts';
import type { Dialect, OpenDatabase } from '../../db/dialect.ts';
import { embeddedFile, openEmbeddedUntouched } from '../../db/embedded.ts';
import { findOpenSubjects } from '../../db/incident-subjects.ts';
import { watchIntegrity } from '../../db/integrity.ts';
import { countMails } from '../../db/mails.ts';
import { countPending, refuseNewer } from '../../db/migrate.ts';
import { connectPostgres, SERVER_LIMITS } from '../../db/postgres.ts';
import { isExemptFromRowSecurity } from '../../db/row-security.ts';
import { hasRealParent } from '../../db/sample.ts';
import type { Database } from '../../db/schema.ts';
import { readSettings } from '../../db/settings.ts';
import { readReachSeen } from '../../db/setup.ts';
import { inReadOnlyTransaction } from '../../db/transaction.ts';
import { admitDatabase, admitFolder } from '../../installation.ts';
import { readMailServer } from '../../mail/server.ts';
import { countKeptMails } from '../../mail/transport.ts';
import { explainRefusal } from '../../refusals.ts';
import { loadMasterKey, masterKeyFile } from '../../vault/master-key.ts';
import { openVault, type Vault } from '../../vault/vault.ts';
import { PINNED_NODE, VERSION } from '../../version.ts';
import {
  type DatabaseFacts,
  type NightlyFacts,
  NotKnownError,
  type PublicFacts,
  type ServerFacts,
  type Surroundings,
} from './surroundings.ts';

/** Time for one connection. Milliseconds. */
const ANSWER_WITHIN_MS = 10_000;
/** Longer answers are not those of Haris. Bytes. */
const ANSWER_MAX_BYTES = 100_000;

const healthSchema = z.object({ status: z.literal('ok'), version: z.string() });
const readySchema = z.object({
  parts: z.object({
    database: z.enum(['ok', 'full', 'down', 'damaged']),
    faces: z.enum(['ok', 'down']),
    broker: z.enum(['ok', 'down', 'off']),
  }),
});

/** Codes of a connection that nobody accepts. */
const NOBODY = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EHOSTUNREACH', 'ENETUNREACH'];
/** Codes of a time-out: ours, and the system's. */
const SILENCE = ['ABORT_ERR', 'TIMEOUT', 'ETIMEDOUT'];

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return 'TIMEOUT';
  return 'code' in error ? String(error.code) : error.name;
}

interface Answer {
  /** Parsed JSON; undefined if it is none. */
  readonly body: unknown;
  /** Null without TLS. Milliseconds since 1970. */
  readonly certificateEndsAt: number | null;
}

/** Rejects if there is no answer in time, or no valid certificate. */
function get(address: string, ca: string | null = null): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const url = new URL(address);
    const options = { agent: false, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) } as const;
    const asked =
      url.protocol === 'https:'
        ? requestTls(url, { ...options, ...(ca === null ? {} : { ca }) })
        : requestPlain(url, options);
    asked.on('error', reject);
    asked.on('response', (response) => {
      const { socket } = response;
      const ends = socket instanceof TLSSocket ? socket.getPeerCertificate().valid_to : null;
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > ANSWER_MAX_BYTES) asked.destroy(new Error('the answer is too long'));
        else parts.push(part);
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          body: parseJson(Buffer.concat(parts)),
          certificateEndsAt: ends ? Date.parse(ends) : null,
        }),
      );
    });
    asked.end();
  });
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The host of this machine's own connection to a listening address. */
function ownHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

async function askServer({ host, port }: Config): Promise<ServerFacts> {
  // A port of its own choice is written nowhere.
  if (port === 0) return { state: 'none' };
  const own = ownHost(host);
  const base = `http://${own.includes(':') ? `[${own}]` : own}:${port}`;
  let health: ReturnType<typeof healthSchema.safeParse>;
  try {
    health = healthSchema.safeParse((await get(`${base}/healthz`)).body);
  } catch (error) {
    const code = codeOf(error);
    return { state: NOBODY.includes(code) ? 'none' : SILENCE.includes(code) ? 'silent' : 'other' };
  }
  if (!health.success) return { state: 'other' };
  const ready = await get(`${base}/readyz`).then(
    ({ body }) => readySchema.safeParse(body),
    () => null,
  );
  return { state: 'haris', version: health.data.version, parts: ready?.data?.parts ?? null };
}

async function askPublic(publicUrl: string): Promise<PublicFacts> {
  try {
    const { body, certificateEndsAt } = await get(`${publicUrl}/healthz`);
    return { state: healthSchema.safeParse(body).success ? 'haris' : 'other', certificateEndsAt };
  } catch (error) {
    return { state: 'failed', code: codeOf(error) };
  }
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: ownHost(host), port, timeout: ANSWER_WITHIN_MS });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}

/** Whether users other than the owner have any access. */
const isOpenToOthers = (mode: number): boolean => (mode & 0o077) !== 0;

async function lookAtFolder(dataDir: string) {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return null;
  // The superuser may look into every folder; Haris may run as another user.
  const user = process.getuid?.() ?? found.uid;
  let isWritable = true;
  try {
    accessSync(dataDir, constants.W_OK | constants.R_OK | constants.X_OK);
  } catch {
    isWritable = false;
  }
  return { isOwn: user === found.uid || user === 0, isWritable, isOpenToOthers: isOpenToOthers(found.mode) };
}

/** Throws if this user may not look into a data folder that is there: what it holds would seem to be missing. */
function requireReadable(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  try {
    accessSync(dataDir, constants.R_OK | constants.X_OK);
  } catch {
    throw new NotKnownError('This user cannot open DATA_DIR.');
  }
}

async function lookAtKey(dataDir: string) {
  requireReadable(dataDir);
  const file = masterKeyFile(dataDir);
  if (!existsSync(file)) return null;
  loadMasterKey(dataDir);
  const { mtimeMs, mode } = statSync(file);
  return { at: mtimeMs, isOpenToOthers: isOpenToOthers(mode) };
}

/** Null before the first one was due. */
async function lookAtNightly(db: Kysely<Database>, now: number): Promise<NightlyFacts | null> {
  const state = await readNightly(db);
  return state && { failedAt: state.failedAt, missing: state.missing, isLate: isLate(state, now) };
}

/** Calls once and keeps the result, also a failure. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

type Reader = Kysely<Database>;

/** The database, opened when the first check needs it. Nothing can be written through it. */
export function openReader(config: Config) {
  const { databaseUrl, dataDir } = config;
  const open = once(async (): Promise<OpenDatabase | null> => {
    requireReadable(dataDir);
    if (databaseUrl)
      return connectPostgres(databaseUrl, 1, createLogger('doctor', 'fatal'), {
        limits: { ...SERVER_LIMITS, connectionTimeoutMillis: ANSWER_WITHIN_MS },
      });
    await admitFolder(config);
    return existsSync(embeddedFile(dataDir)) ? openEmbeddedUntouched(dataDir) : null;
  });
  return {
    /** In a transaction that may not write; null if there is no database. */
    async read<T>(work: (db: Reader, dialect: Dialect) => Promise<T>): Promise<T | null> {
      const opened = await open();
      if (!opened) return null;
      const { db, dialect } = opened;
      return inReadOnlyTransaction(db, (trx) => work(trx, dialect));
    },
    async close(): Promise<void> {
      const opened = await open().catch(() => null);
      await opened?.close();
    },
  };
}

/** Opens the surroundings of the installation that the settings name; close them at the end. */
export function openSurroundings(config: Config): Surroundings & { close(): Promise<void> } {
  const { dataDir, databaseUrl, publicUrl, vision } = config;
  const now = Date.now();
  const { read, close } = openReader(config);
  const explain = (error: unknown) => explainRefusal(config, error);

  const database = once(
    (): Promise<DatabaseFacts | null> =>
      read(async (db, dialect) => {
        const done = await refuseNewer(db, dialect);
        await admitDatabase(config, { db, dialect });
        return {
          kind: dialect === 'postgres' ? 'PostgreSQL' : 'SQLite',
          bytes: databaseUrl ? null : statSync(embeddedFile(dataDir)).size,
          pending: done.length === 0 ? null : countPending(done, dialect),
          isExempt: dialect === 'postgres' && (await isExemptFromRowSecurity(db)),
        };
      }),
  );

  /** For all checks but the database's own, which says what is wrong with it. */
  async function ask<T>(work: (db: Reader) => Promise<T>): Promise<T> {
    const facts = await database().catch(() => {
      throw new NotKnownError('The database cannot be asked.');
    });
    const pending = facts?.pending ?? null;
    if (pending === null) throw new NotKnownError('There is no database yet.');
    // An older one lacks tables and columns.
    if (pending > 0) throw new NotKnownError('The database is of an older version.');
    const found = await read(async (db) => ({ value: await work(db) }));
    if (!found) throw new NotKnownError('There is no database yet.');
    return found.value;
  }

  function vault(): Vault {
    requireReadable(dataDir);
    if (!existsSync(masterKeyFile(dataDir))) throw new NotKnownError('There is no master key.');
    return openVault(loadMasterKey(dataDir));
  }

  async function damage() {
    const integrity = watchIntegrity(embeddedFile(dataDir), createLogger('doctor', 'fatal'));
    const late = setTimeout(integrity.stop, ANSWER_WITHIN_MS);
    return integrity.check().finally(() => clearTimeout(late));
  }

  async function findMailHost(db: Reader): Promise<string | null> {
    if (config.smtpUrl !== null) return new URL(config.smtpUrl).hostname;
    return config.demo ? null : ((await readMailServer(db, vault()))?.host ?? null);
  }

  return {
    config,
    now,
    version: VERSION,
    node: { version: process.versions.node, pinned: PINNED_NODE },
    folder: () => lookAtFolder(dataDir),
    async disk() {
      if (!existsSync(dataDir)) throw new NotKnownError('There is no data folder.');
      return findDiskSpace(dataDir);
    },
    server: once(() => askServer(config)),
    isTaken,
    database,
    explain,
    damage,
    knownTime: () => ask(async (db) => (await readKnownTime(db, now)).at),
    key: () => lookAtKey(dataDir),
    async backup() {
      requireReadable(dataDir);
      const last = readLastBackup(dataDir);
      // The age of the last backup matters most when the database cannot be read.
      const chosen = await ask(async (db) => ({
        dueDays: (await readSettings(db, config)).backupDueDays,
        hasFamilies: await hasRealParent(db),
        nightly: config.nightlyBackup === null ? null : await lookAtNightly(db, now),
      })).catch(() => ({ dueDays: null, hasFamilies: false, nightly: null }));
      return { last, ...chosen };
    },
    async restoredAt() {
      const { heads } = await readAuditHeads(dataDir, vault());
      const restored = heads.findLast(({ kind }) => kind === 'restored');
      return restored === undefined ? null : Date.parse(restored.at);
    },
    mail: () =>
      ask(async (db) => {
        const { tried, failed } = await countMails(db);
        return {
          host: await findMailHost(db),
          kept: await countKeptMails(outboxFolder(config)),
          tried,
          failed,
        };
      }),
    publicAddress: async () =>
      publicUrl === null ? { state: 'failed', code: 'unset' } : askPublic(publicUrl),
    phoneSeenAt: () => ask(async (db) => (await readReachSeen(db))?.at ?? null),
    async brokerCertificateEndsAt() {
      const { tls } = config.mqtt;
      return tls === null ? null : new X509Certificate(tls.cert).validToDate.getTime();
    },
    engineAnswers: async () =>
      vision !== null &&
      (await get(vision.url + visionPaths.health, vision.ca).then(
        ({ body }) => visionHealthSchema.safeParse(body).success,
        () => false,
      )),
    cameras: () =>
      ask(async (db) => {
        const paired = await findPairedCameras(db);
        const watched = (await findCameras(db)).filter((row) => isWatched(row, paired));
        const down = new Set((await findOpenSubjects(db, ['camera_down'])).map((row) => row.subject_id));
        return { watched: watched.length, down: watched.filter(({ id }) => down.has(id)).length };
      }),
    close,
  };
}
