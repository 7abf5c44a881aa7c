/** What a running server does by the clock: says that a stay's time is up, and removes what has run out. */
import { describeFailure } from '@haris/runtime/log';
import { openAuditHeadKeeper } from './audit-heads.ts';
import type { Context } from './context.ts';
import { deleteEventsBefore } from './db/events.ts';
import { deleteIncidentsBefore } from './db/incidents.ts';
import { deleteOldPlaces } from './db/known-places.ts';
import { deleteDeliveriesBefore } from './db/notice-queue.ts';
import { deleteReadingsBefore, rollUpReadings } from './db/sensor-readings.ts';
import { deleteExpiredSessions } from './db/sessions.ts';
import { readSettings } from './db/settings.ts';
import { deleteSightingsBefore } from './db/sightings.ts';
import { deleteHitsBefore, HITS_KEPT_MS } from './db/throttle.ts';
import { IDEMPOTENCY_KEPT_MS } from './features/stays/idempotency.ts';
import { announceTimeUp } from './features/stays/service.ts';

const TIME_UP_EVERY_MS = 1_000;
const CLEAN_EVERY_MS = 10 * 60_000;
/** What became of notices: long enough for their rate, and for staff to see what failed. Milliseconds. */
const SENT_NOTICES_KEPT_MS = 3 * 24 * 3_600_000;
const FAILED_NOTICES_KEPT_MS = 30 * 24 * 3_600_000;
/** Events are kept this long for clients that resume. Milliseconds. */
const EVENTS_KEPT_MS = 3 * 24 * 3_600_000;

const ROLL_UP_EVERY_MS = 60_000;
/** How often the head of the audit log is kept outside the database while it grows. Milliseconds. */
const AUDIT_HEAD_EVERY_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

/** Sums readings up, then removes what is older than the settings say. */
async function keepReadings(context: Context): Promise<void> {
  const now = context.clock.now();
  const { rawReadingDays, meanReadingDays } = await readSettings(context.db, context.config);
  const rolledUpTo = await rollUpReadings(context.db, now);
  const before = { raw: now - rawReadingDays * DAY_MS, means: now - meanReadingDays * DAY_MS };
  // Summing up loses nothing. Deleting by a wrong clock would lose everything.
  if (!(await context.clockGuard.look())) await deleteReadingsBefore(context.db, before, rolledUpTo);
}

async function clean(context: Context): Promise<void> {
  if (await context.clockGuard.look()) return;
  const now = context.clock.now();
  await deleteExpiredSessions(context.db, now);
  // What this server could not write down then, and what others have erased.
  await context.erasures.update();
  await deleteHitsBefore(context.db, now - HITS_KEPT_MS);
  await deleteOldPlaces(context.db, now);
  await deleteEventsBefore(context.db, now - EVENTS_KEPT_MS);
  await deleteDeliveriesBefore(context.db, {
    sent: now - SENT_NOTICES_KEPT_MS,
    failed: now - FAILED_NOTICES_KEPT_MS,
  });
  const { sightingsDays, incidentDays } = await readSettings(context.db, context.config);
  await deleteSightingsBefore(context.db, now - sightingsDays * DAY_MS);
  await deleteIncidentsBefore(context.db, now - incidentDays * DAY_MS);
  await context.db.deleteFrom('one_time_tokens').where('expires_at', '<=', now).execute();
  await context.db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', now - IDEMPOTENCY_KEPT_MS)
    .execute();
  await context.db
    .deleteFrom('mails')
    .where('failed_at', '<', now - EVENTS_KEPT_MS)
    .execute();
}

/** Everything that is done by the clock and deletes, once: for tests. */
export async function cleanOnce(context: Context): Promise<void> {
  await clean(context);
  await keepReadings(context);
}

/** Starts both; answers how to stop, which waits for what is at work. */
export function startHousekeeping(context: Context): () => Promise<void> {
  const auditHeads = openAuditHeadKeeper(context);
  const tasks: { stop: () => Promise<void> }[] = [
    every(TIME_UP_EVERY_MS, () => announceTimeUp(context), context),
    every(DAY_MS, async () => void (await context.integrity.check()), context),
    every(CLEAN_EVERY_MS, () => clean(context), context),
    every(ROLL_UP_EVERY_MS, () => keepReadings(context), context),
    every(AUDIT_HEAD_EVERY_MS, () => auditHeads.keep(), context),
  ];
  const keepHead = () =>
    auditHeads
      .keep()
      .catch((error: unknown) => context.log.error(describeFailure(error), 'the audit head was not kept'));
  void keepHead();
  return async () => {
    await Promise.all(tasks.map((task) => task.stop()));
    await keepHead();
  };
}

/** One run at a time; a failed one is logged and the next comes as planned. */
function every(ms: number, work: () => Promise<void>, context: Context): { stop: () => Promise<void> } {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => context.log.error(describeFailure(error), 'housekeeping failed'))
      .finally(() => {
        running = null;
      });
  }, ms);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
