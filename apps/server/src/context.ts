/** What every feature is given: the parts of a running server. Made once by main (or a test) and handed down. */
import type { Logger } from '@haris/runtime/log';
import type { Kysely } from 'kysely';
import type { Clock } from './clock.ts';
import type { ClockGuard } from './clock-guard.ts';
import type { Config } from './config.ts';
import type { AuditTrail } from './db/audit.ts';
import type { EventLog } from './db/events.ts';
import type { Integrity } from './db/integrity.ts';
import type { Leases } from './db/leases.ts';
import type { Dialect } from './db/open.ts';
import type { Database } from './db/schema.ts';
import type { Storage } from './db/storage.ts';
import type { Wakeup } from './db/wakeup.ts';
import type { ErasureRecord } from './erasure/record.ts';
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
  /** Whether the file of the embedded database is whole. */
  readonly integrity: Integrity;
  readonly wakeup: Wakeup;
  readonly leases: Leases;
  readonly storage: Storage;
  readonly vault: Vault;
  readonly audit: AuditTrail;
  /** What was erased, outside the database too. */
  readonly erasures: ErasureRecord;
  readonly events: EventLog;
  readonly mails: MailQueue;
  readonly mqtt: MqttLink;
  readonly vision: VisionClient;
  readonly gallery: Gallery;
  /** The live wire to the face engine. */
  readonly live: VisionLink;
  /** Which server has which camera, and what the others see. */
  readonly cameras: CameraShare;
  /** Address that mails and codes point to, without a slash at the end. */
  readonly publicUrl: () => string;
}
