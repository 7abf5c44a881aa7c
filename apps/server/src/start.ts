/** Puts the parts of a server together from its settings, and takes them apart again. */
import { join } from 'node:path';
import type { Logger } from '@haris/runtime/log';
import { backUpBeforeMigration } from './backup/before-migration.ts';
import { type Clock, systemClock } from './clock.ts';
import { openClockGuard } from './clock-guard.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { protectDataFolder } from './data-folder.ts';
import { openAuditTrail } from './db/audit.ts';
import { openEventLog } from './db/events.ts';
import { watchIntegrity } from './db/integrity.ts';
import { endAllLeases, openLeases } from './db/leases.ts';
import { embeddedFile, openDatabase } from './db/open.ts';
import { movePhotoFiles } from './db/photo-files.ts';
import { findBrokerAccount } from './db/sensors.ts';
import { type StorageWatch, watchStorage } from './db/storage.ts';
import { isStorageFull } from './db/storage-full.ts';
import { postgresWakeup, sqliteWakeup } from './db/wakeup.ts';
import { openErasureRecord, readErasures } from './erasure/record.ts';
import { replayErasures } from './erasure/replay.ts';
import { admitDatabase, admitFolder, openInstallation } from './installation.ts';
import { openMailQueue } from './mail/queue.ts';
import { outboxTransport, smtpTransport } from './mail/transport.ts';
import { openMqtt } from './mqtt/open.ts';
import { openVault } from './vault/vault.ts';
import type { VisionAddress } from './vision/address.ts';
import { openAdults } from './vision/adults.ts';
import { openCameraShare } from './vision/camera-share.ts';
import type { VisionClient } from './vision/client.ts';
import { openGallery } from './vision/gallery.ts';
import { openVisionLink } from './vision/live-link.ts';
import { readLiveState } from './vision/live-state.ts';

export interface ContextOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly vision: VisionClient;
  /** Where the live wire leads; null while there is no face engine. */
  readonly visionAddress?: () => VisionAddress | null;
  readonly publicUrl: () => string;
  readonly clock?: Clock;
}

/**
 * Opens database, key, queue and broker. Rejects with DataFolderError, InstallationError, MasterKeyError, PhotoFilesError,
 * MqttStartError, or what the database says.
 * `close` ends them in the reverse order.
 */
export async function openContext(
  options: ContextOptions,
): Promise<{ context: Context; close: () => Promise<void> }> {
  const { config, log, vision, visionAddress = () => null, publicUrl, clock = systemClock } = options;
  protectDataFolder(config.dataDir, log);
  await admitFolder(config);
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
  const { db, dialect } = opened;
  storage = watchStorage(db, config.databaseUrl ? null : config.dataDir);
  const watch = storage;
  watch.onChange((isFull) =>
    isFull
      ? log.error('the storage is full: nothing can be written until there is room')
      : log.info('the storage has room again'),
  );
  try {
    // Only this server can have the folder.
    if (dialect === 'sqlite') await endAllLeases(db).catch(unlessFull);
    const master = await openInstallation(db, config.dataDir);
    const vault = openVault(master);
    await movePhotoFiles({ db, dialect, dataDir: config.dataDir, log, now: clock.now() });
    const integrity = watchIntegrity(config.databaseUrl ? null : embeddedFile(config.dataDir), log);
    const audit = openAuditTrail(vault, clock);
    // Somebody may have put an older copy of the database back.
    const replayed = await replayErasures(db, audit, readErasures(config.dataDir));
    if (replayed > 0)
      log.warn({ replayed }, 'what had been erased was in the database again: it is erased now');
    const erasures = openErasureRecord(db, config.dataDir, log);
    await erasures.update();
    const wakeup = config.databaseUrl ? postgresWakeup(config.databaseUrl, log) : sqliteWakeup();
    const transport = config.smtpUrl
      ? smtpTransport(config.smtpUrl, config.mailFrom, config.smtpWithoutTls)
      : outboxTransport(join(config.dataDir, 'outbox'), config.mailFrom, () => clock.now());
    const mails = openMailQueue({ db, vault, clock, transport, log });
    const mqtt = await openMqtt(config.mqtt, {
      log,
      // The same for all servers of this installation only; it reveals nothing about the key.
      group: `haris-${vault.mac('mqtt group', '').slice(0, 16)}`,
      findAccount: (username) => findBrokerAccount(db, username),
      macOf: (password) => vault.mac('mqtt password', password),
    });
    mails.start();
    const gallery = openGallery(db, vault, vision);
    const adults = openAdults(db, vault);
    const leases = openLeases(db, dialect);
    const share = openCameraShare({ db, dialect, leases, log });
    const live = openVisionLink({
      address: visionAddress,
      readState: () => readLiveState({ db, vault, gallery, adults, config, log, share }),
      log,
    });
    share.start(live);
    wakeup.listen(live.refresh);
    const clockGuard = openClockGuard(db, clock);
    clockGuard.onChange(() =>
      clockGuard.isAhead()
        ? log.error('the clock is more than a day ahead of the last time known: nothing is deleted by it')
        : log.info('the clock is believed again'),
    );
    await clockGuard.look().catch(unlessFull);
    const context: Context = {
      config,
      log,
      clock,
      clockGuard,
      db,
      dialect,
      integrity,
      wakeup,
      leases,
      storage: watch,
      vault,
      audit,
      erasures,
      events: openEventLog(clock, wakeup),
      mails,
      mqtt,
      vision,
      gallery,
      live,
      cameras: share,
      publicUrl,
    };
    const close = async (): Promise<void> => {
      integrity.stop();
      await mails.stop();
      await mqtt.close();
      await share.stop();
      await live.stop();
      await wakeup.close();
      watch.stop();
      await opened.close();
    };
    return { context, close };
  } catch (error) {
    watch.stop();
    await opened.close();
    throw error;
  }
}

/** A full disk is no reason not to start: the list of who is inside can still be read. */
function unlessFull(error: unknown): void {
  if (!isStorageFull(error)) throw error;
}
