/**
 * Who watches what: joins each viewer to the stream of the camera that shows the child, follows the child from camera to
 * camera, and ends the look within 2 s of the end of the right to it. What cannot be checked is ended.
 */
import { VIDEO_STREAMS_PER_ACCOUNT } from '@haris/contract/constants';
import type { LiveNote } from '@haris/contract/live/video';
import type { VisionView } from '@haris/contract/vision-live';
import { describeFailure } from '@haris/runtime/log';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findCameras } from '../../db/cameras.ts';
import type { CameraRow } from '../../db/schema.ts';
import { findLastSeen } from '../../db/sightings.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Named, openFeeds, type Stream, streamKey } from './feeds.ts';
import { findEnd, findFacts, type Subject, viewOf } from './rights.ts';
import type { EndReason, Sink } from './sink.ts';
import type { Target } from './targets.ts';
import { createWhereabouts } from './whereabouts.ts';

/**
 * Rights are checked this often, and at once after every change. While a check takes longer than its time, nobody is shown
 * anything; one that takes much longer ends all looks. Milliseconds.
 */
const CHECK_MS = 700;
const CHECK_WITHIN_MS = 1_000;
const GIVE_UP_AFTER_MS = 5_000;
/** Why there is nothing to see is said again after so long, so that a quiet connection is not taken for a dead one. */
const WAITING_SAID_MS = 30_000;
/** Where a child was is of no use after this long. Milliseconds. */
const WHEREABOUTS_KEPT_MS = 24 * 3_600_000;

export interface Look {
  readonly actor: Actor;
  readonly target: Target;
  readonly format: Stream['format'];
}

export interface Hub {
  /**
   * Whether a look may begin. Throws `child_outside`; for `jpeg`, which has no words for it, also `no_camera` where
   * there is no picture now. `layers` says so and waits.
   */
  check(target: Target, format: Stream['format']): Promise<void>;
  /** Writes the look down, then opens the sink and shows it. Answers what to call when the client has gone. */
  open(look: Look, openSink: () => Sink): Promise<() => void>;
  /** Open looks and pulled streams, for tests. */
  count(): { viewers: number; streams: number };
  /** Ends all looks; resolves when their ends are written down. */
  stop(): Promise<void>;
}

interface Viewer {
  readonly actor: Actor;
  readonly format: Stream['format'];
  readonly sink: Sink;
  readonly subject: Subject;
  readonly startedAt: number;
  /** Of the child, as of the last check. */
  entryTime: number;
  /** What of the camera may be shown, as of the last check; null until the first one. */
  view: VisionView | null;
  cameraId: string | null;
  streamKey: string | null;
  leave: () => void;
  /** The notes that stand at the moment, so that none is said twice, and when the last one was said. */
  said: string;
  saidAt: number;
}

export function openHub(context: Context): Hub {
  const { db, live, clock, log } = context;
  const viewers = new Set<Viewer>();
  const whereabouts = createWhereabouts();
  let cameras: readonly CameraRow[] = [];
  let people: ReadonlyMap<string, Named> = new Map();
  let stopped = false;
  let writing: Promise<unknown> = Promise.resolve();
  const feeds = openFeeds({ link: live, clock, log, nameOf: (subjectId) => people.get(subjectId) ?? null });

  const isLive = (cameraId: string): boolean => {
    const camera = cameras.find((one) => one.id === cameraId);
    return camera?.enabled === 1 && live.report(cameraId)?.state === 'live';
  };
  const firstLive = (): string | null => cameras.find((camera) => isLive(camera.id))?.id ?? null;

  /** Which camera shows it now, and what is to be said with it. */
  function place(viewer: Viewer): { cameraId: string | null; waiting: LiveNote | null } {
    const { subject } = viewer;
    const down: LiveNote = { type: 'waiting', reason: 'camera_down' };
    if (subject.kind === 'camera')
      return isLive(subject.id) ? { cameraId: subject.id, waiting: null } : { cameraId: null, waiting: down };
    const since = viewer.entryTime;
    const asked = { since, now: clock.now(), present: viewer.cameraId, isLive };
    const found = whereabouts.locate(subject.id, asked);
    const last = whereabouts.last(subject.id, since);
    // Where nobody has named the child, nobody is sharp for a parent: another camera shows nothing that it must not.
    const cameraId = found ?? firstLive();
    const isNoneOn = !cameras.some((camera) => camera.enabled === 1);
    if (isNoneOn || (last === null && cameraId === null))
      return { cameraId: null, waiting: { type: 'waiting', reason: 'no_camera' } };
    if (last === null) return { cameraId, waiting: { type: 'waiting', reason: 'not_seen_yet' } };
    return { cameraId, waiting: found !== null && isLive(last) ? null : down };
  }

  /** Joins a viewer to the stream that it should see, and says what changed. */
  function arrange(viewer: Viewer): void {
    if (!viewer.view) return;
    const { cameraId, waiting } = place(viewer);
    const stream = cameraId === null ? null : { cameraId, view: viewer.view, format: viewer.format };
    const key = stream && streamKey(stream);
    viewer.cameraId = cameraId ?? viewer.cameraId;
    const camera = cameras.find((one) => one.id === cameraId);
    const notes: LiveNote[] = [
      ...(camera
        ? [{ type: 'camera', cameraId: camera.id, area: camera.area, name: camera.name } as const]
        : []),
      ...(waiting ? [waiting] : []),
    ];
    const said = JSON.stringify(notes);
    const now = clock.now();
    const isNew = said !== viewer.said;
    if (isNew) for (const note of notes) viewer.sink.note(note);
    const isDue = !isNew && waiting !== null && now - viewer.saidAt >= WAITING_SAID_MS;
    if (isDue) viewer.sink.note(waiting);
    if (isNew || isDue) viewer.saidAt = now;
    viewer.said = said;
    if (key === viewer.streamKey) return;
    viewer.leave();
    viewer.streamKey = key;
    viewer.leave = stream ? feeds.join(stream, viewer.sink.picture) : () => {};
  }

  function write(
    actor: Actor,
    subject: Subject,
    action: 'video.started' | 'video.ended',
    details: Record<string, string | number>,
  ): Promise<void> {
    return inTransaction(db, (tx) => context.audit.append(tx, { actor, action, subject, details }));
  }

  /** Takes a viewer out, and writes the end of the look down. */
  function remove(viewer: Viewer, reason: EndReason | 'left'): void {
    if (!viewers.delete(viewer)) return;
    viewer.leave();
    const seconds = Math.round((clock.now() - viewer.startedAt) / 1_000);
    const ended = write(viewer.actor, viewer.subject, 'video.ended', { reason, seconds }).catch(
      (error: unknown) => log.error(describeFailure(error), 'the end of a look was not written down'),
    );
    writing = Promise.all([writing, ended]);
  }

  function end(viewer: Viewer, reason: EndReason): void {
    if (!viewers.has(viewer)) return;
    // Before anything can fail: no picture more.
    viewer.leave();
    viewer.sink.end(reason);
    remove(viewer, reason);
  }

  async function checkOnce(): Promise<void> {
    const asked = [...viewers];
    const facts = await findFacts(context, asked);
    cameras = facts.cameras;
    people = facts.people ?? people;
    whereabouts.forgetBefore(clock.now() - WHEREABOUTS_KEPT_MS);
    for (const viewer of asked) {
      if (!viewers.has(viewer)) continue;
      const reason = findEnd(viewer, facts);
      if (reason) {
        end(viewer, reason);
        continue;
      }
      viewer.entryTime = facts.children.get(viewer.subject.id)?.entry_time ?? 0;
      viewer.view = viewOf(viewer, facts);
      arrange(viewer);
    }
  }

  let checking = false;
  let again = false;
  /** One check at a time; what changes meanwhile is checked right after. */
  function checkSoon(): void {
    if (viewers.size === 0) return;
    if (checking) {
      again = true;
      return;
    }
    checking = true;
    again = false;
    let done = false;
    const late = setTimeout(() => {
      // Answers that came while this process was busy are heard first.
      setImmediate(() => !done && suspend());
    }, CHECK_WITHIN_MS);
    const lost = setTimeout(() => giveUp(new Error('rights were not checked in time')), GIVE_UP_AFTER_MS);
    checkOnce()
      .catch(giveUp)
      .finally(() => {
        done = true;
        clearTimeout(late);
        clearTimeout(lost);
        checking = false;
        if (again) checkSoon();
      });
  }

  /** No picture for anybody until the check is done, which joins them again. */
  function suspend(): void {
    log.warn({ viewers: viewers.size }, 'rights to watch are checked too slowly');
    for (const viewer of viewers) {
      viewer.leave();
      Object.assign(viewer, { leave: () => {}, streamKey: null, view: null, said: '' });
    }
  }

  function giveUp(error: unknown): void {
    log.warn(describeFailure(error), 'rights to watch could not be checked');
    // Who may see is not known: nobody sees. They come back, and are checked anew.
    for (const viewer of viewers) end(viewer, 'restart');
  }

  const timer = setInterval(checkSoon, CHECK_MS);
  timer.unref();
  const stops = [
    context.wakeup.listen(checkSoon),
    live.onChange(() => viewers.forEach(arrange)),
    live.onSeen(({ subjectId, cameraId }) => {
      if (subjectId === null) return;
      whereabouts.noteSeen(subjectId, cameraId, clock.now());
      for (const viewer of viewers) if (viewer.subject.id === subjectId) arrange(viewer);
    }),
  ];

  /** Ends the account's oldest looks beyond the number allowed: after a broken network those are the dead ones. */
  function makeRoom(actor: Actor): void {
    const own = [...viewers].filter(({ actor: one }) => one.kind === actor.kind && one.id === actor.id);
    for (const viewer of own.slice(0, Math.max(0, own.length + 1 - VIDEO_STREAMS_PER_ACCOUNT)))
      end(viewer, 'no_right');
  }

  return {
    count: () => ({ viewers: viewers.size, streams: feeds.count() }),
    async check(target, format) {
      cameras = await findCameras(db);
      if (target.kind === 'child') {
        const { child } = target;
        if (child.unique_entry_id === null) throw new AppError('child_outside');
        if (!whereabouts.knows(child.id)) {
          const last = (await findLastSeen(db, [child.id])).get(child.id);
          if (last) whereabouts.noteSeen(child.id, last.cameraId, last.at);
        }
      }
      if (format === 'layers') return;
      const shown = target.kind === 'camera' ? isLive(target.camera.id) : firstLive() !== null;
      if (!shown) throw new AppError('no_camera');
    },
    async open({ actor, target, format }, openSink) {
      if (stopped) throw new AppError('unavailable');
      const subject =
        target.kind === 'child'
          ? ({ kind: 'child', id: target.child.id } as const)
          : ({ kind: 'camera', id: target.camera.id } as const);
      await write(actor, subject, 'video.started', { format });
      const viewer: Viewer = {
        actor,
        format,
        sink: openSink(),
        subject,
        startedAt: clock.now(),
        entryTime: 0,
        view: null,
        cameraId: null,
        streamKey: null,
        leave: () => {},
        said: '',
        saidAt: 0,
      };
      makeRoom(actor);
      viewers.add(viewer);
      if (stopped) end(viewer, 'restart');
      // Rights may have changed since they were looked at: nothing is shown before this check.
      checkSoon();
      return () => remove(viewer, 'left');
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      for (const stop of stops) stop();
      for (const viewer of viewers) end(viewer, 'restart');
      await writing;
    },
  };
}
