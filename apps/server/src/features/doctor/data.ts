/** Checks of what is kept: the database, its master key, the backups. */
import { judgeBackup } from '../../backup/due.ts';
import { FAR_MS } from '../../clock-guard.ts';
import { MasterKeyError } from '../../vault/master-key.ts';
import { bad, DAY_MS, type Judgement, nameOf, ok, refusal, unknown, warn } from './judgement.ts';
import { day, days, say, sayAll, size } from './sentence.ts';
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
      words === undefined ? say('databaseCannotBeOpened', { error: nameOf(error) }) : refusal(words),
      config.databaseUrl ? say('lookAtDatabaseServer') : undefined,
    );
  }
  if (!facts) return bad(say('noDatabaseIn', { folder: config.dataDir }), say('sameSettings'));
  if (facts.pending === null) return bad(say('databaseIsEmpty'), say('sameSettings'));
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
  if (found === 'damaged') return bad(say('databaseIsDamaged'), say('restoreLast'));
  if (parts?.database === 'down') return bad(say('databaseTakesNothing'), say('lookAtLog'));
  const what =
    facts.bytes === null
      ? say('plain', { text: facts.kind })
      : say('kindAndSize', { kind: facts.kind, size: size(facts.bytes) });
  if (facts.pending > 0) return warn(say('olderDatabase', { database: what }), say('backUpThenStart'));
  if (facts.isExempt) return warn(say('skipsRowSecurity', { database: what }), say('seePostgres'));
  // A PostgreSQL server looks for damage itself.
  if (found === 'unknown' && !config.databaseUrl)
    return unknown(say('damageNotFoundOut', { database: what }));
  return ok(found === 'whole' ? say('noDamage', { database: what }) : what);
}

export async function checkKey({ config, key, explain, now, database }: Surroundings): Promise<Judgement> {
  let file: Awaited<ReturnType<typeof key>>;
  try {
    file = await key();
  } catch (error) {
    const words = explain(error);
    if (words === undefined) throw error;
    return bad(refusal(words));
  }
  if (!file) {
    const facts = await database().catch((error: unknown) => error);
    if (facts === null) return unknown(say('noKeyYet'));
    return facts instanceof MasterKeyError
      ? bad(say('keyIsMissing'), say('putKeyBack'))
      : unknown(say('noKeyIn', { folder: `${config.dataDir}/keys` }));
  }
  if (file.isOpenToOthers) return bad(say('keyIsOpen'), say('startAgain'));
  return ok(say('keyOf', { day: day(file.at), days: days(Math.max(0, now - file.at)) }));
}

export async function checkBackup({ backup, now }: Surroundings): Promise<Judgement> {
  const { last, dueDays, hasFamilies, nightly } = await backup();
  if (nightly !== null) {
    const judged = judgeNightly(nightly, last, now);
    if (nightly.running === null) return judged;
    const { step, ...counts } = nightly.running;
    const running = say(step === 'write' ? 'backupIsWritten' : 'backupIsReadBack', counts);
    return { ...judged, detail: sayAll(judged.detail, running) };
  }
  const todo = say('setBackup');
  const { age, days: limit, isDue } = judgeBackup(now, last, dueDays);
  if (last === null || age === null)
    return hasFamilies || isDue ? bad(say('noBackup'), todo) : warn(say('noBackup'), todo);
  if (age < -FAR_MS) return unknown(say('backupIsToCome', { day: day(last) }), say('lookAtClock'));
  const detail = say('backupAge', { days: days(Math.max(0, age)) });
  return isDue && limit !== null
    ? bad(sayAll(detail, say('backupIsDue', { days: days(limit * DAY_MS) })), todo)
    : ok(detail);
}

function judgeNightly(
  { madeAt, failedAt, missing, isLate }: NightlyFacts,
  lastHere: number | null,
  now: number,
): Judgement {
  const todo = say('lookAtBackupFolder');
  // Another server may have made it; by hand there may be a newer one.
  const last = Math.max(lastHere ?? Number.NEGATIVE_INFINITY, madeAt ?? Number.NEGATIVE_INFINITY);
  const detail = Number.isFinite(last)
    ? say('backupAge', { days: days(Math.max(0, now - last)) })
    : say('noBackup');
  if (failedAt !== null) return bad(sayAll(detail, say('nightlyFailed', { day: day(failedAt) })), todo);
  if (isLate) return bad(sayAll(detail, say('nightlyIsLate')), todo);
  return missing > 0 ? bad(sayAll(detail, say('nightlyLacksPhotos')), say('replacePhotos')) : ok(detail);
}

export async function checkRestore({ backup, restoredAt, now }: Surroundings): Promise<Judgement> {
  const { nightly } = await backup();
  const triedAt = nightly?.triedAt ?? null;
  const failedAt = nightly?.trialFailedAt ?? null;
  if (failedAt !== null) return bad(say('trialFailed', { day: day(failedAt) }), say('lookAtTrial'));
  if (triedAt !== null && now - triedAt <= RESTORE_EVERY_MS)
    return ok(say('trialPassed', { day: day(triedAt) }));
  const todo = say('tryRestore');
  const at = await restoredAt();
  // A restore that was tried elsewhere leaves no trace in this installation.
  if (at === null) return unknown(say('noRestore'), todo);
  const detail = say('restoredOn', { day: day(at) });
  return now - at > RESTORE_EVERY_MS ? unknown(sayAll(detail, say('noLaterRestore')), todo) : ok(detail);
}
