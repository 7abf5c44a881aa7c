/** Checks of the machine: the program, its folder, disk and clock. */
import { EARLIEST_MS, FAR_MS } from '../../clock-guard.ts';
import { FULL, isBelow } from '../../data-folder.ts';
import { LEAST_ROOM } from '../../db/storage.ts';
import { bad, type Judgement, ok, warn } from './judgement.ts';
import { days, say, size } from './sentence.ts';
import type { Surroundings } from './surroundings.ts';

export async function checkVersion({ version, server }: Surroundings): Promise<Judgement> {
  const answer = await server();
  if (answer.state === 'haris' && answer.version !== version)
    return warn(say('otherVersionRuns', { version, running: answer.version }), say('restart'));
  return ok(say('plain', { text: version }));
}

export async function checkNode({ node: { version, pinned } }: Surroundings): Promise<Judgement> {
  return pinned === null || version === pinned
    ? ok(say('plain', { text: version }))
    : warn(say('otherNode', { version, pinned }), say('installNode'));
}

export async function checkFolder({ config, folder }: Surroundings): Promise<Judgement> {
  const at = { folder: config.dataDir };
  const found = await folder();
  if (!found) return bad(say('folderIsMissing', at), say('sameSettings'));
  if (!found.isOwn) return warn(say('folderOfAnother', at), say('runAsOwner'));
  if (!found.isWritable) return bad(say('folderCannotBeWritten', at), say('makeWritable'));
  if (found.isOpenToOthers) return warn(say('folderIsOpen', at), say('startAgain'));
  if (found.unreadableBars > 0)
    return warn(say('barsWereChanged', { ...at, count: found.unreadableBars }), say('compareBars'));
  return ok(say('plain', { text: config.dataDir }));
}

export async function checkDisk({ config, disk, server, database }: Surroundings): Promise<Judgement> {
  const space = await disk();
  const answer = await server();
  const isFull = answer.state === 'haris' && answer.parts?.database === 'full';
  const todo = say('makeRoom');
  const room = { free: size(space.freeBytes), total: size(space.totalBytes) };
  if (isFull || (space.totalBytes > 0 && space.freeBytes < LEAST_ROOM))
    return bad(isFull && config.databaseUrl ? say('databaseIsFull') : say('diskIsFull', room), todo);
  if (space.totalBytes > 0 && isBelow(space, FULL)) return warn(say('diskFree', room), todo);
  const bytes = (await database().catch(() => null))?.bytes ?? 0;
  // As much as a start needs before it changes the schema.
  if (space.totalBytes > 0 && space.freeBytes < 2 * bytes)
    return warn(say('diskTooSmallForUpdate', room), todo);
  return ok(say('diskFree', room));
}

export async function checkClock({ now, knownTime }: Surroundings): Promise<Judgement> {
  const time = `${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const todo = say('setClock');
  if (now < EARLIEST_MS) return bad(say('clockSays', { time }), todo);
  const known = await knownTime();
  if (now - known < -FAR_MS) return bad(say('clockIsBehind', { time, days: days(known - now) }), todo);
  if (now - known > FAR_MS)
    return warn(say('clockIsAhead', { time, days: days(now - known) }), say('setClockUnlessOff'));
  return ok(say('plain', { text: time }));
}
