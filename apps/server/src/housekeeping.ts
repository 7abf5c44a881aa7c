/** Periodic tasks of a running server: announces stays whose time is up, and removes expired rows. */
import { BOOKINGS_KEPT_DAYS } from '@haris/contract/constants';
import { describeFailure } from '@haris/runtime/log';
import { openAuditHeadKeeper } from './audit-heads.ts';
import { dayOf } from './calendar.ts';
import type { Context } from './context.ts';
import { deleteOldApprovals } from './db/approvals.ts';
import { deleteBookingsBefore } from './db/bookings.ts';
import { deleteDeskEntriesBefore } from './db/desk-entries.ts';
import { deleteDeskTicketsBefore } from './db/desk-tickets.ts';
import { deleteEventsBefore } from './db/events.ts';
import { deleteExpiredChallenges } from './db/factor-challenges.ts';
import { deleteHeadCountsBefore } from './db/head-counts.ts';
import { deleteAnswersBefore } from './db/idempotency.ts';
import { deleteIncidentsBefore } from './db/incidents.ts';
import { deleteExpiredKioskProofs } from './db/kiosk-proofs.ts';
import { deleteKioskRequestsBefore } from './db/kiosk-requests.ts';
import { deleteOldPlaces } from './db/known-places.ts';
import { deleteFailedMailsBefore } from './db/mails.ts';
import { deleteDeliveriesBefore } from './db/notification-queue.ts';
import { deleteExpiredAttempts } from './db/oidc.ts';
import { deleteExpiredTokens } from './db/one-time-tokens.ts';
import { deleteReadingsBefore, rollUpReadings } from './db/sensor-history.ts';
import { deleteExpiredSessions } from './db/session-ends.ts';
import { readSettings } from './db/settings.ts';
import { deleteSightingsBefore } from './db/sightings.ts';
import { deleteHitsBefore, HITS_KEPT_MS } from './db/throttle.ts';
import { deleteVisitorsBefore } from './db/visitors.ts';
import { eraseEndedCollectors } from './erasure/collectors.ts';
import { endUnverifiedAccounts } from './features/accounts/unverified.ts';
import { enqueueExtensions } from './features/notifications/stay-extensions.ts';
import { endPastPresences } from './features/rooms/presence.ts';
import { IDEMPOTENCY_KEPT_MS } from './features/stays/idempotency.ts';
import { DESK_ENTRY_MAX_AGE_MS } from './features/stays/offline.ts';
import { announceTimeUp } from './features/stays/service.ts';
import { endPastPickups } from './pickups.ts';
import { mailHeldChanges } from './proposals/change-mail.ts';

const TIME_UP_EVERY_MS = 1_000;
const EXTENSIONS_EVERY_MS = 2_000;
const PICKUPS_EVERY_MS = 30_000;
const PRESENCES_EVERY_MS = 60_000;
const HELD_CHANGES_EVERY_MS = 60_000;
const CLEAN_EVERY_MS = 10 * 60_000;
/** Ended deliveries are kept this long, for the rate limit and for staff to see failures. Milliseconds. */
const SENT_NOTIFICATIONS_KEPT_MS = 3 * 24 * 3_600_000;
const FAILED_NOTIFICATIONS_KEPT_MS = 30 * 24 * 3_600_000;
/** Events are kept this long for clients that resume. Milliseconds. */
const EVENTS_KEPT_MS = 3 * 24 * 3_600_000;
/** So long a tablet may send an entry again. */
const DESK_ENTRIES_KEPT_MS = 90 * 24 * 3_600_000;

const ROLL_UP_EVERY_MS = 60_000;
/** How often a growing audit log's head is stored outside the database. Milliseconds. */
const AUDIT_HEAD_EVERY_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

/** Rolls up readings, then deletes those that are older than the settings allow. */
async function keepReadings(context: Context): Promise<void> {
  const now = context.clock.now();
  const { rawReadingDays, meanReadingDays } = await readSettings(context.db, context.config);
  const rolledUpTo = await rollUpReadings(context.db, now);
  const before = { raw: now - rawReadingDays * DAY_MS, means: now - meanReadingDays * DAY_MS };
  // Rolling up loses nothing, but with a wrong clock the deletion would lose everything.
  if (!(await context.clockGuard.look())) await deleteReadingsBefore(context.db, before, rolledUpTo);
}

async function clean(context: Context): Promise<void> {
  if (await context.clockGuard.look()) return;
  const now = context.clock.now();
  await deleteExpiredSessions(context.db, now);
  // Adds erasures and bars that this server could not write earlier, and those of other servers.
  await context.erasures.update();
  await deleteHitsBefore(context.db, now - HITS_KEPT_MS);
  await deleteOldPlaces(context.db, now);
  await deleteEventsBefore(context.db, now - EVENTS_KEPT_MS);
  await deleteDeliveriesBefore(context.db, {
    sent: now - SENT_NOTIFICATIONS_KEPT_MS,
    failed: now - FAILED_NOTIFICATIONS_KEPT_MS,
  });
  const { sightingsDays, incidentDays, visitorDays, timeZone } = await readSettings(
    context.db,
    context.config,
  );
  await deleteSightingsBefore(context.db, now - sightingsDays * DAY_MS);
  await deleteHeadCountsBefore(context.db, now - sightingsDays * DAY_MS);
  await deleteIncidentsBefore(context.db, now - incidentDays * DAY_MS);
  await deleteVisitorsBefore(context.db, now - visitorDays * DAY_MS);
  // By the day of the main facility: a day more or less does not matter after so many.
  await deleteBookingsBefore(context.db, dayOf(now - BOOKINGS_KEPT_DAYS * DAY_MS, timeZone));
  await endUnverifiedAccounts(context);
  await eraseEndedCollectors(context);
  await deleteExpiredTokens(context.db, now);
  await deleteExpiredChallenges(context.db, now);
  await deleteOldApprovals(context.db, now);
  await deleteExpiredAttempts(context.db, now);
  await deleteExpiredKioskProofs(context.db, now);
  await deleteKioskRequestsBefore(context.db, now - DAY_MS);
  await deleteAnswersBefore(context.db, now - IDEMPOTENCY_KEPT_MS);
  await deleteFailedMailsBefore(context.db, now - EVENTS_KEPT_MS);
  await deleteDeskTicketsBefore(context.db, now - DESK_ENTRY_MAX_AGE_MS);
  await deleteDeskEntriesBefore(context.db, now - DESK_ENTRIES_KEPT_MS);
}

/** Runs all deleting tasks once, for tests. */
export async function cleanOnce(context: Context): Promise<void> {
  await clean(context);
  await keepReadings(context);
}

/** Starts all tasks; returns a function that stops them and waits for those in progress. */
export function startHousekeeping(context: Context): () => Promise<void> {
  const auditHeads = openAuditHeadKeeper(context);
  const tasks: { stop: () => Promise<void> }[] = [
    every(TIME_UP_EVERY_MS, () => announceTimeUp(context), context),
    every(EXTENSIONS_EVERY_MS, () => enqueueExtensions(context), context),
    every(PICKUPS_EVERY_MS, () => endPastPickups(context), context),
    every(PRESENCES_EVERY_MS, () => endPastPresences(context), context),
    every(HELD_CHANGES_EVERY_MS, () => mailHeldChanges(context), context),
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

/** Runs `work` periodically, one run at a time. A failed run is logged, and the schedule continues. */
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
