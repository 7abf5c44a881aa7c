/** Checks of the machine: the program, its folder, disk and clock. */
import { EARLIEST_MS, FAR_MS } from '../../clock-guard.ts';
import { FULL, isBelow } from '../../data-folder.ts';
import { LEAST_ROOM } from '../../db/storage.ts';
import { bad, days, type Judgement, ok, SAME_SETTINGS, size, warn } from './judgement.ts';
import type { Surroundings } from './surroundings.ts';

export async function checkVersion({ version, server }: Surroundings): Promise<Judgement> {
  const answer = await server();
  if (answer.state === 'haris' && answer.version !== version)
    return warn(`${version}, but the running server is ${answer.version}.`, 'Restart Haris.');
  return ok(version);
}

export async function checkNode({ node: { version, pinned } }: Surroundings): Promise<Judgement> {
  return pinned === null || version === pinned
    ? ok(version)
    : warn(
        `It runs with Node ${version}; Haris is made for ${pinned}.`,
        'Run node scripts/prepare.mjs, which installs it, and use npm start and npm run doctor.',
      );
}

export async function checkFolder({ config, folder }: Surroundings): Promise<Judgement> {
  const { dataDir } = config;
  const found = await folder();
  if (!found) return bad(`${dataDir} is not there.`, SAME_SETTINGS);
  if (!found.isOwn)
    return warn(
      `${dataDir} belongs to another user.`,
      'Run Haris and its commands as the user that owns it (sudo -u).',
    );
  if (!found.isWritable)
    return bad(`${dataDir} cannot be written.`, 'Make the folder and its disk writable for this user.');
  if (found.isOpenToOthers)
    return warn(
      `Other users of this machine can open ${dataDir}.`,
      'Start Haris again: that closes it to them.',
    );
  if (found.unreadableBars > 0)
    return warn(
      `${found.unreadableBars} lines of bars.log in ${dataDir} were changed, or come from elsewhere.`,
      'Find out who writes there. Compare the barred adults with what staff know, then move bars.log away: Haris writes it anew.',
    );
  return ok(dataDir);
}

export async function checkDisk({ config, disk, server, database }: Surroundings): Promise<Judgement> {
  const space = await disk();
  const answer = await server();
  const isFull = answer.state === 'haris' && answer.parts?.database === 'full';
  const todo = 'Make room on the disk.';
  const detail = `${size(space.freeBytes)} of ${size(space.totalBytes)} are free.`;
  if (isFull || (space.totalBytes > 0 && space.freeBytes < LEAST_ROOM))
    return bad(
      `${isFull && config.databaseUrl ? 'The database is full.' : detail} Nothing can be saved.`,
      todo,
    );
  if (space.totalBytes > 0 && isBelow(space, FULL)) return warn(detail, todo);
  const bytes = (await database().catch(() => null))?.bytes ?? 0;
  // As much as a start needs before it changes the schema.
  if (space.totalBytes > 0 && space.freeBytes < 2 * bytes)
    return warn(`${detail} That is too little for the backup before an update.`, todo);
  return ok(detail);
}

export async function checkClock({ now, knownTime }: Surroundings): Promise<Judgement> {
  const time = `${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const todo = 'Set the clock, and let the machine ask for the time (NTP).';
  if (now < EARLIEST_MS) return bad(`It says ${time}.`, todo);
  const known = await knownTime();
  if (now - known < -FAR_MS)
    return bad(`It says ${time}, ${days(known - now)} before the last time that Haris knows.`, todo);
  if (now - known > FAR_MS)
    return warn(
      `It says ${time}, ${days(now - known)} after the last time that Haris knows.`,
      `If Haris was off for so long, nothing. Otherwise: ${todo}`,
    );
  return ok(time);
}
