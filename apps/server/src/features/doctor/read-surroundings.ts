/**
 * What the checks read from data folder and database, whether of a running server or beside one. Reads only: makes no file,
 * takes no lock, and changes no row.
 */
import { X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { ConfigError } from '@haris/runtime/config';
import { type Certificate, readCertificate } from '@haris/runtime/setting-files';
import type { Kysely } from 'kysely';
import { covers, hostOf } from '../../addresses.ts';
import { readAuditHeads } from '../../audit-heads.ts';
import { findRunning, isLate, readNightly } from '../../backup/nightly-state.ts';
import { readKnownTime } from '../../clock-guard.ts';
import { type Config, outboxFolder } from '../../config.ts';
import { findDiskSpace, readLastBackup } from '../../data-folder.ts';
import { findPairedCameras } from '../../db/camera-devices.ts';
import { findCameras, isWatched } from '../../db/cameras.ts';
import type { Dialect } from '../../db/dialect.ts';
import { embeddedFile } from '../../db/embedded.ts';
import { findOpenSubjects } from '../../db/incident-subjects.ts';
import { countMails } from '../../db/mails.ts';
import { countPending, refuseNewer } from '../../db/migrate.ts';
import { isExemptFromRowSecurity } from '../../db/row-security.ts';
import { hasRealParent } from '../../db/sample.ts';
import type { Database } from '../../db/schema.ts';
import { readSettings } from '../../db/settings.ts';
import { readReachSeen } from '../../db/setup.ts';
import { readKeptBars } from '../../hand-over/bar-record.ts';
import { admitDatabase } from '../../installation.ts';
import { readMailServer } from '../../mail/server.ts';
import { countKeptMails } from '../../mail/transport.ts';
import { explainRefusal } from '../../refusals.ts';
import { loadMasterKey, masterKeyFile } from '../../vault/master-key.ts';
import type { Vault } from '../../vault/vault.ts';
import { PINNED_NODE, VERSION } from '../../version.ts';
import { askCertificate, askPublic, isEngineAt, isTaken } from './connections.ts';
import {
  type CertificateFacts,
  type DatabaseFacts,
  type NightlyFacts,
  NotKnownError,
  type Surroundings,
} from './surroundings.ts';

export type Reader = Kysely<Database>;

/** How the readings reach the database and its key. */
export interface Access {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** In a transaction that may not write; null if there is no database. */
  read<T>(work: (db: Reader, dialect: Dialect) => Promise<T>): Promise<T | null>;
  /** Throws if there is no master key. */
  vault(): Vault;
}

/** Whether users other than the owner have any access. */
const isOpenToOthers = (mode: number): boolean => (mode & 0o077) !== 0;

/** None without a master key: no line can then be told from a changed one, and the check of the key says so. */
function countUnreadableBars(dataDir: string, openVault: () => Vault): number {
  let vault: Vault;
  try {
    vault = openVault();
  } catch {
    return 0;
  }
  return readKeptBars(dataDir, vault).unreadable;
}

async function lookAtFolder(dataDir: string, openVault: () => Vault) {
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
  return {
    isOwn: user === found.uid || user === 0,
    isWritable,
    isOpenToOthers: isOpenToOthers(found.mode),
    unreadableBars: isWritable ? countUnreadableBars(dataDir, openVault) : 0,
  };
}

/** Throws if this user may not look into a data folder that is there: what it holds would seem to be missing. */
export function requireReadable(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  try {
    accessSync(dataDir, constants.R_OK | constants.X_OK);
  } catch {
    throw new NotKnownError('folderIsClosed');
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
  if (state === null) return null;
  const { madeAt, failedAt, missing, triedAt, trialFailedAt } = state;
  return {
    ...{ madeAt, failedAt, missing, triedAt, trialFailedAt },
    isLate: isLate(state, now),
    running: findRunning(state, now),
  };
}

/** Calls once and keeps the result, also a failure. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

/** Throws the error of the start that this database would refuse. */
async function lookAtDatabase(config: Config, db: Reader, dialect: Dialect): Promise<DatabaseFacts> {
  const done = await refuseNewer(db, dialect);
  await admitDatabase(config, { db, dialect });
  return {
    kind: dialect === 'postgres' ? 'PostgreSQL' : 'SQLite',
    bytes: config.databaseUrl ? null : statSync(embeddedFile(config.dataDir)).size,
    pending: done.length === 0 ? null : countPending(done, dialect),
    isExempt: dialect === 'postgres' && (await isExemptFromRowSecurity(db)),
  };
}

async function findMailHost(config: Config, db: Reader, vault: Access['vault']): Promise<string | null> {
  if (config.smtpUrl !== null) return new URL(config.smtpUrl).hostname;
  return config.demo ? null : ((await readMailServer(db, vault()))?.host ?? null);
}

async function lookAtCameras(db: Reader) {
  const paired = await findPairedCameras(db);
  const watched = (await findCameras(db)).filter((row) => isWatched(row, paired));
  const down = new Set((await findOpenSubjects(db, ['camera_down'])).map((row) => row.subject_id));
  return { watched: watched.length, down: watched.filter(({ id }) => down.has(id)).length };
}

/** Why the server could not take the two files; null if it could. */
function problemOf({ certFile, keyFile }: Certificate): string | null {
  try {
    readCertificate('TLS', certFile, keyFile, '/');
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

async function lookAtCertificate(config: Config): Promise<CertificateFacts | null> {
  const { tls, publicUrl } = config;
  if (tls === null) return null;
  const used = await askCertificate(config);
  // Read again: a running server takes a renewed one.
  const problem = problemOf(tls);
  const inFile = problem === null ? new X509Certificate(readFileSync(tls.certFile, 'utf8')) : null;
  const certificate = used ?? inFile ?? new X509Certificate(tls.cert);
  const host = publicUrl === null ? null : hostOf(publicUrl);
  const key = statSync(tls.keyFile, { throwIfNoEntry: false });
  const isTaken = inFile !== null && (used === null || used.raw.equals(inFile.raw));
  return {
    isInUse: used !== null,
    startsAt: certificate.validFromDate.getTime(),
    endsAt: certificate.validToDate.getTime(),
    isForPublicUrl: host !== null && covers(certificate, host),
    waiting: isTaken ? null : { problem },
    isKeyOpenToOthers: key !== undefined && isOpenToOthers(key.mode),
  };
}

/** For all checks but the database's own, which says what is wrong with it. Throws {@link NotKnownError}. */
function askerOf(database: Surroundings['database'], read: Access['read']) {
  return async <T>(work: (db: Reader) => Promise<T>): Promise<T> => {
    const facts = await database().catch(() => {
      throw new NotKnownError('databaseIsClosed');
    });
    const pending = facts?.pending ?? null;
    if (pending === null) throw new NotKnownError('noDatabaseYet');
    // An older one lacks tables and columns.
    if (pending > 0) throw new NotKnownError('databaseIsOlder');
    const found = await read(async (db) => ({ value: await work(db) }));
    if (!found) throw new NotKnownError('noDatabaseYet');
    return found.value;
  };
}

/** All surroundings but those that a running server knows and a program beside it has to find out. */
export function readSurroundings(
  config: Config,
  { now, read, vault }: Access,
): Omit<Surroundings, 'server' | 'damage'> {
  const { dataDir, publicUrl, vision } = config;
  const database = once(() => read((db, dialect) => lookAtDatabase(config, db, dialect)));
  const ask = askerOf(database, read);

  return {
    config,
    now,
    version: VERSION,
    node: { version: process.versions.node, pinned: PINNED_NODE },
    folder: async () => lookAtFolder(dataDir, vault),
    async disk() {
      if (!existsSync(dataDir)) throw new NotKnownError('noFolder');
      return findDiskSpace(dataDir);
    },
    isTaken,
    database,
    explain: (error) => explainRefusal(config, error),
    knownTime: () => ask(async (db) => (await readKnownTime(db, now)).at),
    key: () => lookAtKey(dataDir),
    backup: once(async () => {
      requireReadable(dataDir);
      const last = readLastBackup(dataDir);
      // The age of the last backup matters most when the database cannot be read.
      const chosen = await ask(async (db) => ({
        dueDays: (await readSettings(db, config)).backupDueDays,
        hasFamilies: await hasRealParent(db),
        nightly: config.nightlyBackup === null ? null : await lookAtNightly(db, now),
      })).catch(() => ({ dueDays: null, hasFamilies: false, nightly: null }));
      return { last, ...chosen };
    }),
    async restoredAt() {
      const { heads } = await readAuditHeads(dataDir, vault());
      const restored = heads.findLast(({ kind }) => kind === 'restored');
      return restored === undefined ? null : Date.parse(restored.at);
    },
    async mail() {
      const found = await ask(async (db) => {
        const { tried, failed } = await countMails(db);
        return { host: await findMailHost(config, db, vault), tried, failed };
      });
      return { ...found, kept: await countKeptMails(outboxFolder(config)) };
    },
    certificate: once(() => lookAtCertificate(config)),
    publicAddress: async () =>
      publicUrl === null ? { state: 'failed', code: 'unset' } : askPublic(publicUrl),
    phoneSeenAt: () => ask(async (db) => (await readReachSeen(db))?.at ?? null),
    async brokerCertificateEndsAt() {
      const { tls } = config.mqtt;
      return tls === null ? null : new X509Certificate(tls.cert).validToDate.getTime();
    },
    engineAnswers: async () => vision !== null && isEngineAt(vision),
    cameras: () => ask(lookAtCameras),
  };
}
