/** Checks of what is kept: the database, its master key, the backups. */
import { judgeBackup } from '../../backup/due.ts';
import { FAR_MS } from '../../clock-guard.ts';
import { MasterKeyError } from '../../vault/master-key.ts';
import {
  bad,
  capital,
  DAY_MS,
  day,
  days,
  type Judgement,
  nameOf,
  ok,
  SAME_SETTINGS,
  size,
  unknown,
  warn,
} from './judgement.ts';
import { type DatabaseFacts, type NightlyFacts, NotKnownError, type Surroundings } from './surroundings.ts';

/** Operators are asked to try a restore twice a year. Milliseconds. */
const RESTORE_EVERY_MS = 183 * DAY_MS;

export async function checkDatabase(surroundings: Surroundings): Promise<Judgement> {
  const { database, explain, server, damage, config } = surroundings;
  let facts: DatabaseFacts | null;
  try {
    facts = await database();
  } catch (error) {
    if (error instanceof NotKnownError) throw error;
    const words = explain(error);
    if (words === undefined && !config.databaseUrl) throw error;
    return bad(
      // Connections fail in many ways, mostly without a code.
      words === undefined ? `It cannot be opened (${nameOf(error)}).` : capital(words),
      config.databaseUrl ? 'Look at that database server, and at DATABASE_URL.' : undefined,
    );
  }
  if (!facts) return bad(`There is none in ${config.dataDir}.`, SAME_SETTINGS);
  if (facts.pending === null) return bad('It is empty.', SAME_SETTINGS);
  const answer = await server();
  const parts = answer.state === 'haris' ? answer.parts : null;
  const found =
    parts?.database === 'damaged'
      ? 'damaged'
      : parts?.database === 'ok'
        ? 'whole'
        : config.databaseUrl
          ? 'unknown'
          : await damage();
  if (found === 'damaged') return bad('It is damaged.', 'Restore the last backup: npm run restore -- FILE');
  if (parts?.database === 'down') return bad('Haris cannot write to it.', 'Look at the log of Haris.');
  const detail = `${facts.kind}${facts.bytes === null ? '' : `, ${size(facts.bytes)}`}`;
  if (facts.pending > 0)
    return warn(
      `${detail}, of an older version.`,
      'Make a backup. The next start of this version brings the database up to date.',
    );
  if (facts.isExempt)
    return warn(`${detail}; its role skips row-level security.`, 'See "PostgreSQL" in docs/operating.md.');
  // A PostgreSQL server looks for damage itself.
  if (found === 'unknown' && !config.databaseUrl)
    return unknown(`${detail}. Whether it is damaged was not found out.`);
  return ok(found === 'whole' ? `${detail}, no damage known` : detail);
}

export async function checkKey({ config, key, explain, now, database }: Surroundings): Promise<Judgement> {
  let file: Awaited<ReturnType<typeof key>>;
  try {
    file = await key();
  } catch (error) {
    const words = explain(error);
    if (words === undefined) throw error;
    return bad(capital(words));
  }
  if (!file) {
    const facts = await database().catch((error: unknown) => error);
    if (facts === null) return unknown('There is no master key yet; the first start makes it.');
    return facts instanceof MasterKeyError
      ? bad('The master key is missing.', 'Put it back: without it nothing can be read.')
      : unknown(`There is none in ${config.dataDir}/keys.`);
  }
  if (file.isOpenToOthers)
    return bad(
      'Other users of this machine can read the master key.',
      'Start Haris again: that closes it to them.',
    );
  return ok(`The master key is of ${day(file.at)}, ${days(Math.max(0, now - file.at))} old.`);
}

export async function checkBackup({ backup, now }: Surroundings): Promise<Judgement> {
  const { last, dueDays, hasFamilies, nightly } = await backup();
  if (nightly !== null) return judgeNightly(nightly, last, now);
  const todo = 'Set BACKUP_DIR, or npm run backup -- FILE every day, and keep a copy in another building.';
  const { age, days: limit, isDue } = judgeBackup(now, last, dueDays);
  if (last === null || age === null)
    return hasFamilies || isDue ? bad('There was none yet.', todo) : warn('There was none yet.', todo);
  if (age < -FAR_MS)
    return unknown(`The last one is of ${day(last)}, which is to come.`, 'Look at the clock.');
  const detail = `The last one is ${days(Math.max(0, age))} old.`;
  return isDue ? bad(`${detail} One is due every ${limit} days.`, todo) : ok(detail);
}

function judgeNightly(
  { madeAt, failedAt, missing, isLate }: NightlyFacts,
  lastHere: number | null,
  now: number,
): Judgement {
  const todo =
    'Look whether BACKUP_DIR is there, can be written and has room; the log of Haris names the reason.';
  // Another server may have made it; by hand there may be a newer one.
  const last = Math.max(lastHere ?? Number.NEGATIVE_INFINITY, madeAt ?? Number.NEGATIVE_INFINITY);
  const detail = Number.isFinite(last)
    ? `The last one is ${days(Math.max(0, now - last))} old.`
    : 'There was none yet.';
  if (failedAt !== null) return bad(`${detail} The one of ${day(failedAt)} failed.`, todo);
  if (isLate) return bad(`${detail} One is due each night.`, todo);
  return missing > 0
    ? bad(
        `${detail} It is without some photos.`,
        'The log of Haris names them: replace or remove them. Until then no old backup is deleted.',
      )
    : ok(detail);
}

export async function checkRestore({ backup, restoredAt, now }: Surroundings): Promise<Judgement> {
  const { nightly } = await backup();
  const triedAt = nightly?.triedAt ?? null;
  const failedAt = nightly?.trialFailedAt ?? null;
  if (failedAt !== null)
    return bad(
      `The nightly backup of ${day(failedAt)} could not be restored for a trial.`,
      'The log of Haris names the reason. Old backups are kept until one can be restored, unless there was no room to try.',
    );
  if (triedAt !== null && now - triedAt <= RESTORE_EVERY_MS)
    return ok(`The nightly backup of ${day(triedAt)} was restored for a trial.`);
  const todo = 'Try one twice a year, on another machine: "Restore" in docs/operating.md.';
  const at = await restoredAt();
  // A restore that was tried elsewhere leaves no trace in this installation.
  if (at === null) return unknown('No restore of this data is known.', todo);
  const detail = `This data was restored on ${day(at)}.`;
  return now - at > RESTORE_EVERY_MS ? unknown(`${detail} No later one is known.`, todo) : ok(detail);
}
