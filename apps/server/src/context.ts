/** The parts of a running server, passed to every feature. Created once, by `start.ts`. */
import type { Logger } from '@haris/runtime/log';
import type { Kysely } from 'kysely';
import type { Clock } from './clock.ts';
import type { ClockGuard } from './clock-guard.ts';
import type { Config } from './config.ts';
import type { AuditTrail } from './db/audit.ts';
import type { Dialect } from './db/dialect.ts';
import type { EventLog } from './db/events.ts';
import type { Integrity } from './db/integrity.ts';
import type { Leases } from './db/leases.ts';
import type { Database } from './db/schema.ts';
import type { Storage } from './db/storage.ts';
import type { Wakeup } from './db/wakeup.ts';
import type { KeptRecord } from './kept-lines.ts';
import type { MailQueue } from './mail/queue.ts';
import type { MqttLink } from './mqtt/link.ts';
import type { Vault } from './vault/vault.ts';
import type { CameraShare } from './vision/camera-share.ts';
import type { VisionClient } from './vision/client.ts';
import type { Gallery } from './vision/gallery.ts';
import type { VisionLink } from './vision/live-link.ts';

export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly clockGuard: ClockGuard;
  readonly db: Kysely<Database>;
  readonly dialect: Dialect;
  /** State of the embedded database's file. */
  readonly integrity: Integrity;
  readonly wakeup: Wakeup;
  readonly leases: Leases;
  readonly storage: Storage;
  readonly vault: Vault;
  readonly audit: AuditTrail;
  /** Record of erasures, kept outside the database too. */
  readonly erasures: KeptRecord;
  /** Record of barred adults, kept outside the database too. */
  readonly bars: KeptRecord;
  readonly events: EventLog;
  readonly mails: MailQueue;
  readonly mqtt: MqttLink;
  readonly vision: VisionClient;
  readonly gallery: Gallery;
  /** The live connection to the engine. */
  readonly live: VisionLink;
  /** The cameras that this server reads, and the reports of the other servers. */
  readonly cameras: CameraShare;
  /** Base URL of the server, for links in mails; no trailing slash. */
  readonly publicUrl: () => string;
}
