/**
 * Decides which of several servers connects to the network cameras: one server holds the lease for all of them while its
 * face engine is connected. Each server writes its reports on cameras to the database every two seconds, for the other
 * servers. On the embedded database there is only one server, which has all cameras.
 */
import { randomUUID } from 'node:crypto';
import type { CameraReport } from '@haris/contract/vision-live';
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { Kysely } from 'kysely';
import {
  type CameraSight,
  deleteOldSights,
  findOtherSights,
  writeCameraSights,
} from '../db/camera-states.ts';
import { isNetworkCamera } from '../db/cameras.ts';
import type { Dialect } from '../db/dialect.ts';
import { keepLease, type Lease, type Leases } from '../db/leases.ts';
import type { CameraRow, Database } from '../db/schema.ts';
import type { VisionLink } from './live-link.ts';

const LEASE = 'cameras';
/** Time after which another server takes over from a server that is gone. Milliseconds. */
const LEASE_MS = 10_000;
const TICK_MS = 2_000;
/** Time without an engine after which the server releases the cameras. Milliseconds. */
const GIVEN_UP_AFTER_MS = 5_000;
/** A face must stay unknown for this long to be reported. Milliseconds of the engine's clock. */
const STAYS_MS = 5_000;

export interface CameraShare {
  /** Takes or renews the lease for the network cameras; returns whether this server has it. Rejects if the database fails. */
  claim(): Promise<boolean>;
  /** Lease for writing the camera's sightings; null if no lease is needed, undefined if another server has it. */
  leaseFor(camera: Pick<CameraRow, 'kind'>): Lease | null | undefined;
  /** Newest report on a camera by any server; undefined if there is none. */
  report(cameraId: string): CameraReport | undefined;
  /** Ids of cameras of other servers that have reported an unknown face. */
  unknownElsewhere(): string[];
  /** Starts writing this server's reports and reading those of other servers. */
  start(live: VisionLink): void;
  stop(): Promise<void>;
}

export interface CameraShareOptions {
  readonly db: Kysely<Database>;
  readonly dialect: Dialect;
  readonly leases: Leases;
  readonly log: Logger;
}

export function openCameraShare(options: CameraShareOptions): CameraShare {
  const { dialect, log } = options;
  const isShared = dialect === 'postgres';
  const server = randomUUID();
  const held = openCameraLease(options);
  const unknownHere = new Set<string>();
  let others = new Map<string, CameraSight>();
  let live: VisionLink | null = null;

  async function exchangeSights(link: VisionLink): Promise<void> {
    const unknown = new Set(unknownHere);
    unknownHere.clear();
    const sights = link.reports().map((report) => ({ report, unknown: unknown.has(report.cameraId) }));
    // Leave out cameras that are off here, because another server has them.
    await writeCameraSights(
      options,
      server,
      sights.filter(({ report }) => report.state !== 'off'),
    );
    others = await findOtherSights(options, server);
  }

  let working: Promise<void> | null = null;
  function tickSoon(): void {
    const link = live;
    if (!link || held.isStopped) return;
    held.noteExpiry(link);
    working ??= held
      .keep(link)
      .then(() => exchangeSights(link))
      .catch((error: unknown) => {
        others = new Map();
        log.warn(describeFailure(error), 'the servers could not share what they see of the cameras');
      })
      .finally(() => {
        working = null;
      });
  }

  let timer: NodeJS.Timeout | undefined;
  let stops: (() => void)[] = [];
  return {
    claim: held.claim,
    leaseFor(camera) {
      if (!isShared || !isNetworkCamera(camera)) return null;
      return held.current();
    },
    report(cameraId) {
      const here = live?.isUp() ? live.report(cameraId) : undefined;
      if (here?.state === 'live') return here;
      return others.get(cameraId)?.report ?? here;
    },
    unknownElsewhere: () => [...others].flatMap(([id, { unknown }]) => (unknown ? [id] : [])),
    start(link) {
      live = link;
      if (!isShared) return;
      timer = setInterval(tickSoon, TICK_MS);
      timer.unref();
      stops = [
        link.onChange(tickSoon),
        link.onSeen(({ cameraId, childId, from, to }) => {
          if (childId === null && to - from >= STAYS_MS) unknownHere.add(cameraId);
        }),
      ];
    },
    async stop() {
      held.stop();
      clearInterval(timer);
      for (const stop of stops) stop();
      await working;
      if (!isShared) return;
      try {
        await held.release();
        await writeCameraSights(options, server, []);
        await deleteOldSights(options);
      } catch (error) {
        log.warn(describeFailure(error), 'the network cameras could not be released');
      }
    },
  };
}

/** This server's lease for the network cameras. On the embedded database no lease is needed. */
function openCameraLease({ dialect, leases, log }: CameraShareOptions) {
  const isShared = dialect === 'postgres';
  const kept = keepLease(leases, LEASE, LEASE_MS);
  let lease: Lease | null = null;
  /** End of the lease by this process's monotonic clock; after it, another server may take the cameras. */
  let heldUntil = 0;
  let upAt = performance.now();
  let wasHeld = false;
  let isStopped = false;

  const has = (): boolean => !isShared || (lease !== null && performance.now() < heldUntil);

  async function claim(): Promise<boolean> {
    if (!isShared || isStopped) return !isShared;
    const asked = performance.now();
    const before = lease?.epoch;
    lease = await kept.hold();
    if (lease) heldUntil = asked + LEASE_MS;
    if (lease && lease.epoch !== before) log.info('this server has the network cameras');
    return has();
  }

  async function release(): Promise<void> {
    lease = null;
    await kept.release();
  }

  return {
    claim,
    release,
    /** Current lease; undefined if another server may have the cameras. */
    current: (): Lease | undefined => (has() ? (lease ?? undefined) : undefined),
    /** Renews the lease while the engine is connected, and releases it if the engine stays away. */
    async keep(link: VisionLink): Promise<void> {
      const now = performance.now();
      if (link.isUp()) upAt = now;
      const had = has();
      if (link.isUp()) await claim();
      else if (lease && now - upAt > GIVEN_UP_AFTER_MS) await release();
      if (had !== has()) link.refresh();
    },
    /** Refreshes the engine's state if the lease has expired, as it does while the database hangs. */
    noteExpiry(link: VisionLink): void {
      if (wasHeld && !has()) link.refresh();
      wasHeld = has();
    },
    get isStopped() {
      return isStopped;
    },
    stop(): void {
      isStopped = true;
    },
  };
}
