/**
 * Which of several servers connects to the network cameras, and what the others see. One server holds the lease of all of
 * them while its face engine is there; each tells the others every two seconds what it sees. The embedded database has one
 * server, to which everything belongs. Knows no viewer.
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
import { keepLease, type Lease, type Leases } from '../db/leases.ts';
import type { Dialect } from '../db/open.ts';
import type { CameraRow, Database } from '../db/schema.ts';
import type { VisionLink } from './live-link.ts';

const LEASE = 'cameras';
/** When the server that has the cameras is gone, another connects after this. Milliseconds. */
const LEASE_MS = 10_000;
const TICK_MS = 2_000;
/** Without an engine for this long, the server releases the cameras. Milliseconds. */
const GIVEN_UP_AFTER_MS = 5_000;
/** A face must stay unknown for this long to be reported. Milliseconds of the engine's clock. */
const STAYS_MS = 5_000;

export interface CameraShare {
  /** Takes or keeps the network cameras for this server, and answers whether it may connect to them. Rejects when the database does not answer. */
  claim(): Promise<boolean>;
  /** The lease under which a sighting of such a camera is written; null where none is needed, undefined: it is not ours. */
  leaseFor(camera: Pick<CameraRow, 'kind'>): Lease | null | undefined;
  /** What is seen of a camera, here or by another server; undefined where nobody has said anything. */
  report(cameraId: string): CameraReport | undefined;
  /** Cameras of other servers before which a face has stayed unknown. */
  unknownElsewhere(): string[];
  /** Starts to write its own reports and to read those of others. */
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
  const { dialect, leases, log } = options;
  const isShared = dialect === 'postgres';
  const server = randomUUID();
  const kept = keepLease(leases, LEASE, LEASE_MS);
  const unknownHere = new Set<string>();
  let others = new Map<string, CameraSight>();
  let lease: Lease | null = null;
  /** By the steady clock of this process: after it, another server may have them. */
  let heldUntil = 0;
  let live: VisionLink | null = null;
  let upAt = performance.now();
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

  async function giveUp(): Promise<void> {
    lease = null;
    await kept.release();
  }

  async function tick(link: VisionLink): Promise<void> {
    const now = performance.now();
    if (link.isUp()) upAt = now;
    const had = has();
    if (link.isUp()) await claim();
    else if (lease && now - upAt > GIVEN_UP_AFTER_MS) await giveUp();
    if (had !== has()) link.refresh();
    const unknown = new Set(unknownHere);
    unknownHere.clear();
    const sights = link.reports().map((report) => ({ report, unknown: unknown.has(report.cameraId) }));
    // A camera that was switched off here, because another server has it, is no sight of it.
    await writeCameraSights(
      options,
      server,
      sights.filter(({ report }) => report.state !== 'off'),
    );
    others = await findOtherSights(options, server);
  }

  let working: Promise<void> | null = null;
  let wasHeld = false;
  function tickSoon(): void {
    if (!live || isStopped) return;
    // While the database hangs, the lease runs out by itself: the engine must hear of it.
    if (wasHeld && !has()) live.refresh();
    wasHeld = has();
    working ??= tick(live)
      .catch((error: unknown) => {
        others = new Map();
        log.warn(describeFailure(error), 'what the servers see of the cameras could not be shared');
      })
      .finally(() => {
        working = null;
      });
  }

  let timer: NodeJS.Timeout | undefined;
  let stops: (() => void)[] = [];
  return {
    claim,
    leaseFor(camera) {
      if (!isShared || !isNetworkCamera(camera)) return null;
      return has() ? (lease ?? undefined) : undefined;
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
        link.onSeen(({ cameraId, subjectId, from, to }) => {
          if (subjectId === null && to - from >= STAYS_MS) unknownHere.add(cameraId);
        }),
      ];
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      for (const stop of stops) stop();
      await working;
      if (!isShared) return;
      try {
        await giveUp();
        await writeCameraSights(options, server, []);
        await deleteOldSights(options);
      } catch (error) {
        log.warn(describeFailure(error), 'the network cameras could not be given back');
      }
    },
  };
}
