/** Opens the parts of a server from its configuration, and closes them again. */
import type { Logger } from '@haris/runtime/log';
import type { Kysely } from 'kysely';
import { backUpBeforeMigration } from './backup/before-migration.ts';
import { type Clock, systemClock } from './clock.ts';
import { type ClockGuard, openClockGuard } from './clock-guard.ts';
import { type Config, mailReach, outboxFolder } from './config.ts';
import type { Context } from './context.ts';
import { protectDataFolder } from './data-folder.ts';
import { type AuditTrail, openAuditTrail } from './db/audit.ts';
import { findBrokerAccount } from './db/broker-accounts.ts';
import { embeddedFile } from './db/embedded.ts';
import { openEventLog } from './db/events.ts';
import { watchIntegrity } from './db/integrity.ts';
import { endAllLeases, openLeases } from './db/leases.ts';
import { openDatabase } from './db/open.ts';
import { movePhotoFiles } from './db/photo-files.ts';
import { isExemptFromRowSecurity } from './db/row-security.ts';
import type { Database } from './db/schema.ts';
import { sealOldRows } from './db/seal-old-rows.ts';
import { type StorageWatch, watchStorage } from './db/storage.ts';
import { isStorageFull } from './db/storage-full.ts';
import { postgresWakeup, sqliteWakeup } from './db/wakeup.ts';
import { openErasureRecord, readErasures } from './erasure/record.ts';
import { replayErasures } from './erasure/replay.ts';
import { acrossFacilities } from './facility.ts';
import { barsBy } from './hand-over/adults.ts';
import { openBarRecord, readKeptBars } from './hand-over/bar-record.ts';
import { replayBars } from './hand-over/bar-replay.ts';
import { admitDatabase, admitFolder, openInstallation } from './installation.ts';
import { type MailQueue, openMailQueue } from './mail/queue.ts';
import { chosenTransport, type Passage, readMailServer } from './mail/server.ts';
import { MAIL_TOTAL_MS, outboxTransport, smtpTransport } from './mail/transport.ts';
import type { BrokerAccount } from './mqtt/broker-sessions.ts';
import type { MqttLink } from './mqtt/link.ts';
import { openMqtt } from './mqtt/open.ts';
import type { BrokerRole } from './mqtt/topics.ts';
import { openVault } from './vault/vault.ts';
import type { VisionAddress } from './vision/address.ts';
import { openCameraShare } from './vision/camera-share.ts';
import type { VisionClient } from './vision/client.ts';
import { openGallery } from './vision/gallery.ts';
import { openVisionLink } from './vision/live-link.ts';
import { readLiveState } from './vision/live-state.ts';

export interface ContextOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly vision: VisionClient;
  /** Address of the engine's live connection; null while there is no engine. */
  readonly visionAddress?: () => VisionAddress | null;
  readonly publicUrl: () => string;
  readonly clock?: Clock;
}

/** Opens the database, and watches whether it has space to write. */
async function openStorage({ config, log }: ContextOptions, clock: Clock) {
  let storage: StorageWatch | undefined;
  const opened = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    pool: config.databasePool,
    log,
    admit: (database) => admitDatabase(config, database),
    onFailure: (error) => storage?.noteFailure(error),
    beforeMigration: (database, to) => backUpBeforeMigration({ ...config, log }, database, to, clock.now()),
  });
  if (opened.dialect === 'postgres' && (await isExemptFromRowSecurity(opened.db)))
    log.warn('the role in DATABASE_URL skips row-level security: see "PostgreSQL" in docs/operating.md');
  const watch = watchStorage(opened.db, config.databaseUrl ? null : config.dataDir);
  storage = watch;
  watch.onChange((isFull) =>
    isFull
      ? log.error('the storage is full: nothing can be written until there is room')
      : log.info('the storage has room again'),
  );
  const close = async (): Promise<void> => {
    watch.stop();
    await opened.close();
  };
  return { db: opened.db, dialect: opened.dialect, storage: watch, close };
}

type Opened = Pick<Context, 'config' | 'log' | 'clock' | 'db' | 'dialect' | 'vault'>;

/** Repeats erasures and bars that a restored database lacks, and opens their records. */
async function openRecords(opened: Opened, audit: AuditTrail): Promise<Pick<Context, 'erasures' | 'bars'>> {
  const { config, log, db, vault } = opened;
  const replayed = await replayErasures({ db, audit, isBarred: barsBy(vault) }, readErasures(config.dataDir));
  if (replayed.people + replayed.keys > 0)
    log.warn({ ...replayed }, 'what had been erased or revoked was in the database again: it is erased now');
  const kept = readKeptBars(config.dataDir, vault);
  if (kept.unreadable > 0)
    log.error(
      { lines: kept.unreadable },
      'bars.log has lines that were changed or that this installation did not write: they count for nothing',
    );
  const bars = await replayBars({ ...opened, audit }, kept);
  if (bars.entered + bars.lifted > 0)
    log.warn(bars, 'adults had been barred, or bars lifted, and the database did not know it: it does now');
  const barRecord = openBarRecord(db, vault, config.dataDir, log);
  const erasures = openErasureRecord(db, config.dataDir, log, () => barRecord.update());
  await erasures.update();
  return { erasures, bars: barRecord };
}

/** Time-out of each step of sending. Milliseconds. */
const MAIL_WITHIN_MS = 20_000;

function openMails({ config, log, clock, db, vault }: Opened): MailQueue {
  const outbox = outboxTransport(outboxFolder(config), config.mailFrom, () => clock.now());
  async function findPassage(): Promise<Passage | null> {
    const server = await readMailServer(db, vault);
    if (!server) return null;
    const limits = { withinMs: MAIL_WITHIN_MS, totalMs: MAIL_TOTAL_MS };
    return { server, reach: mailReach(config), ...limits };
  }
  const transport = config.smtpUrl
    ? smtpTransport(config.smtpUrl, config.mailFrom, config.smtpWithoutTls)
    : // The environment's mail server wins, and a demo sends nothing.
      config.demo
      ? outbox
      : chosenTransport(findPassage, outbox);
  return openMailQueue({ db, vault, clock, transport, log });
}

function openBroker({ config, log, db, vault }: Opened): Promise<MqttLink> {
  return openMqtt(config.mqtt, {
    log,
    // The same for all servers of this installation, and derived so that it reveals nothing about the key.
    group: `haris-${vault.mac('mqtt group', '').slice(0, 16)}`,
    findAccount: (username) => findAccount(db, username),
    macOf: (password) => vault.mac('mqtt password', password),
  });
}

/** The live connection to the engine, and this server's share of the cameras. */
function openLive(
  { config, log, db, dialect, vault }: Opened,
  { vision, visionAddress = () => null }: ContextOptions,
) {
  const gallery = openGallery(db, vault, vision);
  const leases = openLeases(db, dialect);
  const cameras = openCameraShare({ db, dialect, leases, log });
  const live = openVisionLink({
    address: visionAddress,
    readState: () =>
      acrossFacilities(() => readLiveState({ db, vault, gallery, config, log, share: cameras })),
    sendGallery: gallery.send,
    log,
  });
  cameras.start(live);
  return { gallery, leases, cameras, live };
}

async function openGuardedClock({ log, clock, db }: Opened): Promise<ClockGuard> {
  const clockGuard = openClockGuard(db, clock);
  clockGuard.onChange(() => {
    const state = clockGuard.state();
    if (state === 'ok') log.info('the clock is believed again');
    else if (state === 'behind') log.error('the clock is more than a day behind the last time known');
    else log.error('the clock is more than a day ahead of the last time known: nothing is deleted by it');
  });
  await clockGuard.look().catch(unlessFull);
  return clockGuard;
}

/**
 * Opens database, key, mail queue, broker and live connection; `close` closes them again. Rejects with DataFolderError,
 * InstallationError, MasterKeyError, PhotoFilesError, MqttStartError, or the error of the database.
 */
export async function openContext(
  options: ContextOptions,
): Promise<{ context: Context; close: () => Promise<void> }> {
  const { config, log, vision, publicUrl, clock = systemClock } = options;
  protectDataFolder(config.dataDir, log);
  await admitFolder(config);
  const { db, dialect, storage, close: closeStorage } = await openStorage(options, clock);
  try {
    // The embedded database has one server, so all leases are those of an earlier run.
    if (dialect === 'sqlite') await endAllLeases(db).catch(unlessFull);
    const vault = openVault(await openInstallation(db, config.dataDir));
    const opened: Opened = { config, log, clock, db, dialect, vault };
    await sealOldRows({ db, vault, dataDir: config.dataDir, log }).catch(unlessFull);
    await movePhotoFiles({ db, dialect, dataDir: config.dataDir, log, now: clock.now() });
    const integrity = watchIntegrity(config.databaseUrl ? null : embeddedFile(config.dataDir), log);
    const audit = openAuditTrail(vault, clock);
    const records = await openRecords(opened, audit);
    const wakeup = config.databaseUrl ? postgresWakeup(config.databaseUrl, log) : sqliteWakeup();
    const mails = openMails(opened);
    const mqtt = await openBroker(opened);
    mails.start();
    const { gallery, leases, cameras, live } = openLive(opened, options);
    wakeup.listen(live.refresh);
    const clockGuard = await openGuardedClock(opened);
    const context: Context = {
      ...opened,
      clockGuard,
      integrity,
      wakeup,
      leases,
      storage,
      audit,
      ...records,
      events: openEventLog(clock, wakeup),
      mails,
      mqtt,
      vision,
      gallery,
      live,
      cameras,
      publicUrl,
    };
    const close = async (): Promise<void> => {
      integrity.stop();
      await mails.stop();
      await mqtt.close();
      await cameras.stop();
      await live.stop();
      await wakeup.close();
      await closeStorage();
    };
    return { context, close };
  } catch (error) {
    await closeStorage();
    throw error;
  }
}

/** The account of a username on the embedded broker, with the topics that it may use. */
async function findAccount(db: Kysely<Database>, username: string): Promise<BrokerAccount | undefined> {
  const found = await findBrokerAccount(db, username);
  if (!found) return undefined;
  const { passwordMac, facility, sensor } = found;
  const role: BrokerRole = sensor
    ? { kind: 'device', deviceKind: sensor.kind, topic: sensor.topic }
    : { kind: 'home_assistant', facility };
  return { passwordMac, role };
}

/** A full disk must not prevent a start: staff can still read the list of children inside. */
function unlessFull(error: unknown): void {
  if (!isStorageFull(error)) throw error;
}
