/**
 * The relay: sends each feed to all its viewers, follows a child from camera to camera, and ends a viewer within 2 s after
 * the actor loses the right to watch. Fails closed: if rights cannot be checked, all viewers stop.
 */
import { VIDEO_STREAMS_PER_ACCOUNT } from '@haris/contract/constants';
import { subjectKey } from '@haris/contract/subject';
import { describeFailure } from '@haris/runtime/log';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findCameras } from '../../db/cameras.ts';
import { findLastSeen } from '../../db/sightings.ts';
import { acrossFacilities } from '../../facility.ts';
import { openFeeds } from './feeds.ts';
import type { PictureFormat } from './picture-encoder.ts';
import { createPlacements, type Placements } from './placement.ts';
import { type Facts, findEnd, findFacts, type People, type Subject, viewOf } from './rights.ts';
import { startRightsChecks } from './rights-checks.ts';
import type { EndReason, Sink } from './sink.ts';
import type { Target } from './targets.ts';
import { createViewer, type Viewer } from './viewer.ts';
import { openViewingRecord } from './viewing-record.ts';

/** How long the relay remembers where a child was seen. Milliseconds. */
const WHEREABOUTS_KEPT_MS = 24 * 3_600_000;

/** An authorized request to watch a target. */
export interface WatchRequest {
  readonly actor: Actor;
  readonly target: Target;
  readonly format: PictureFormat;
}

export interface Relay {
  /**
   * Checks whether a viewer can be opened now. Throws `child_outside`. Without a picture it throws `no_camera` for `jpeg`,
   * which has no notes; viewers of `layers` get a note and wait.
   */
  check(target: Target, format: PictureFormat): Promise<void>;
  /** Writes an audit row, opens the sink and sends pictures. Returns a function to call when the client disconnects. */
  open(request: WatchRequest, openSink: () => Sink): Promise<() => void>;
  /** Ends all viewers; resolves when the audit rows of their ends are written. */
  stop(): Promise<void>;
}

function subjectOf(target: Target): Subject {
  return target.kind === 'child'
    ? { kind: 'child', id: target.child.id }
    : { kind: 'camera', id: target.camera.id };
}

/** See {@link Relay.check}. */
async function checkTarget(
  db: Context['db'],
  placements: Placements,
  target: Target,
  format: PictureFormat,
): Promise<void> {
  const { whereabouts } = placements;
  // The placements are of all facilities.
  placements.setCameras(await acrossFacilities(() => findCameras(db)));
  if (target.kind === 'child') {
    const { child } = target;
    if (child.unique_entry_id === null) throw new AppError('child_outside');
    if (!whereabouts.knows(child.id)) {
      const last = (await findLastSeen(db, [child.id])).get(child.id);
      if (last) whereabouts.noteSeen(child.id, last.cameraId, last.at);
    }
  }
  if (format === 'layers') return;
  const hasPicture =
    target.kind === 'camera'
      ? placements.isLive(target.camera.id)
      : placements.isAnyLive(target.child.stay_facility_id ?? '');
  if (!hasPicture) throw new AppError('no_camera');
}

/** The same viewer, with what the facts say of its child. */
function withFacts(viewer: Viewer, facts: Facts): Viewer {
  const child = facts.children.get(viewer.subject.id);
  viewer.entryTime = child?.entry_time ?? 0;
  viewer.facility = child?.stay_facility_id ?? null;
  viewer.view = viewOf(viewer, facts);
  return viewer;
}

export function openRelay(context: Context): Relay {
  const { db, live, clock, log } = context;
  const viewers = new Set<Viewer>();
  const placements = createPlacements(context);
  const { whereabouts } = placements;
  const record = openViewingRecord(context);
  let people: People = new Map();
  let isStopped = false;
  const feeds = openFeeds({
    link: live,
    clock,
    log,
    nameOf: (subject, cameraId) =>
      people.get(placements.facilityOf(cameraId) ?? '')?.get(subjectKey(subject)) ?? null,
  });

  const show = (viewer: Viewer): void => viewer.show(placements.place(viewer));

  function remove(viewer: Viewer, reason: EndReason | 'left'): void {
    if (!viewers.delete(viewer)) return;
    viewer.stop();
    record.ended(viewer, reason);
  }

  function end(viewer: Viewer, reason: EndReason): void {
    if (!viewers.has(viewer)) return;
    viewer.end(reason);
    remove(viewer, reason);
  }

  /** Ends the account's oldest viewers beyond its limit: after a network failure the oldest are the dead ones. */
  function makeRoom(actor: Actor): void {
    const own = [...viewers].filter(({ actor: one }) => one.kind === actor.kind && one.id === actor.id);
    for (const viewer of own.slice(0, Math.max(0, own.length + 1 - VIDEO_STREAMS_PER_ACCOUNT)))
      end(viewer, 'no_right');
  }

  async function checkRights(): Promise<void> {
    const checked = [...viewers];
    const facts = await findFacts(context, checked);
    placements.setCameras(facts.cameras);
    people = facts.people ?? people;
    whereabouts.forgetBefore(clock.now() - WHEREABOUTS_KEPT_MS);
    for (const viewer of checked) {
      if (!viewers.has(viewer)) continue;
      const reason = findEnd(viewer, facts);
      if (reason) end(viewer, reason);
      else show(withFacts(viewer, facts));
    }
  }

  const checks = startRightsChecks({
    isNeeded: () => viewers.size > 0,
    check: () => acrossFacilities(checkRights),
    onLate() {
      log.warn({ viewers: viewers.size }, 'rights to watch are checked too slowly');
      for (const viewer of viewers) viewer.suspend();
    },
    onFailed(error) {
      log.warn(describeFailure(error), 'rights to watch could not be checked');
      // Clients reconnect, and their rights are checked again.
      for (const viewer of viewers) end(viewer, 'restart');
    },
  });
  const stops = [
    checks.stop,
    context.wakeup.listen(checks.checkSoon),
    live.onChange(() => viewers.forEach(show)),
    live.onSeen(({ childId, cameraId }) => {
      if (childId === null) return;
      whereabouts.noteSeen(childId, cameraId, clock.now());
      for (const viewer of viewers) if (viewer.subject.id === childId) show(viewer);
    }),
  ];

  return {
    check: (target, format) => checkTarget(db, placements, target, format),
    async open({ actor, target, format }, openSink) {
      if (isStopped) throw new AppError('unavailable');
      const subject = subjectOf(target);
      await record.started(actor, subject, format);
      const viewer = createViewer({ actor, subject, format, sink: openSink(), feeds, clock });
      makeRoom(actor);
      viewers.add(viewer);
      if (isStopped) end(viewer, 'restart');
      // The first picture waits for this check: rights may have changed since the request was authorized.
      checks.checkSoon();
      return () => remove(viewer, 'left');
    },
    async stop() {
      isStopped = true;
      for (const stop of stops) stop();
      for (const viewer of viewers) end(viewer, 'restart');
      await record.settled();
    },
  };
}
