/** Binds the calls of the care log. */
import type { Sleep } from '@haris/contract/care-log';
import { IDEMPOTENCY_KEY_HEADER } from '@haris/contract/constants';
import { type CareLogEntry, type CareLogSleep, careLogRoutes } from '@haris/contract/http/care-log';
import { localDay } from '@haris/contract/zone-time';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { type CareEntryView, countUnsigned, findCareEntries } from '../../db/care-entries.ts';
import { findChild } from '../../db/children.ts';
import { findFacilitiesOfChild, findFacilityNames } from '../../db/facilities.ts';
import { findChildIdsOf } from '../../db/guardians/children-of.ts';
import { recordReading } from '../../db/read-audit.ts';
import { readSettings } from '../../db/settings.ts';
import { acrossFacilities, facilityOrMain, inFacility } from '../../facility.ts';
import { bind } from '../../http/bind.ts';
import { firstGuardian, guardianshipOf, may } from '../../policy.ts';
import { addEntry, findPermitted, findSleep, signEntry } from './service.ts';

type Call = { readonly actor: Actor; readonly params: { readonly id: string } };

function presentSleep(sleep: Sleep | null): CareLogSleep {
  if (sleep === null) return null;
  const { since, checkedAt, dueAt, everyMinutes } = sleep;
  return { since: toMoment(since), checkedAt: toMoment(checkedAt), dueAt: toMoment(dueAt), everyMinutes };
}

/** Entries for this reader. Of guardians only the first is asked to sign, and the others do not read its signature. */
async function present(
  { db }: Context,
  views: readonly CareEntryView[],
  { signs }: { readonly signs: boolean },
): Promise<CareLogEntry[]> {
  const names = await findFacilityNames(db);
  return views.map((view) => ({
    _id: view.id,
    childId: view.childId,
    facility: names.get(view.facility) ?? null,
    day: view.day,
    at: toMoment(view.at),
    recordedAt: toMoment(view.recordedAt),
    recordedBy: view.recordedBy,
    entry: view.content,
    corrects: view.corrects,
    correctedBy: view.correctedBy,
    asksSignature: signs && view.asksSignature,
    acknowledged:
      signs && view.signed ? { at: toMoment(view.signed.at), signature: view.signed.signature } : null,
  }));
}

/** An entry for staff, or for the guardian who has signed it. */
async function presentOne(context: Context, view: CareEntryView): Promise<CareLogEntry> {
  const [entry] = await present(context, [view], { signs: true });
  if (!entry) throw new AppError('not_found');
  return entry;
}

/** Today's local day: for staff at the facility where they work, for a parent at one of the child's facilities. */
async function findToday({ db, config, clock }: Context, actor: Actor, childId: string) {
  const [first] = actor.kind === 'parent' ? await findFacilitiesOfChild(db, childId) : [];
  const { timeZone } = await inFacility(first ?? facilityOrMain(), () => readSettings(db, config));
  return { today: localDay(clock.now(), timeZone), timeZone };
}

export function careLogFeature(app: FastifyInstance, context: Context): void {
  /** The child of a call, if the actor may do this. Throws 404. */
  const findFor = async (permission: 'care_log.view' | 'care_log.record', { actor, params }: Call) => {
    const child = await findChild(context.db, params.id);
    if (!child || !may(actor, permission, child.guardians)) throw new AppError('not_found');
    return child;
  };
  const childToRecord = async (call: Call) => (await findFor('care_log.record', call)).id;

  bind(app, context, careLogRoutes.listCareLog, {
    find: (call: Call) => findFor('care_log.view', call),
    async handle({ actor, subject: child, query }) {
      const subject = child.id;
      const signs = actor.kind === 'admin' || guardianshipOf(actor, firstGuardian(child)) !== undefined;
      const read = async () => {
        const { rows, nextCursor } = await findCareEntries(context.db, context.vault, subject, query);
        return {
          entries: await present(context, rows, { signs }),
          nextCursor,
          asleep: presentSleep(await findSleep(context, context.db, subject)),
        };
      };
      // What another facility entered is the family's too, also after the child has left it.
      if (actor.kind === 'parent')
        return { ...(await acrossFacilities(read)), ...(await findToday(context, actor, subject)) };
      await recordReading(context, actor, {
        action: 'care_log.read',
        subject: { kind: 'child', id: subject },
      });
      return { ...(await read()), ...(await findToday(context, actor, subject)) };
    },
  });
  bind(app, context, careLogRoutes.addCareLogEntry, {
    find: childToRecord,
    async handle({ actor, subject, body, headers }) {
      const key = headers[IDEMPOTENCY_KEY_HEADER] ?? null;
      const { view, asleep } = await addEntry(context, actor, subject, body, key);
      return { entry: await presentOne(context, view), asleep: presentSleep(asleep) };
    },
  });
  bind(app, context, careLogRoutes.listPermittedMedicines, {
    find: childToRecord,
    async handle({ actor, subject }) {
      await recordReading(context, actor, {
        action: 'care_card.read',
        subject: { kind: 'child', id: subject },
      });
      const { today } = await findToday(context, actor, subject);
      return { medicines: await findPermitted(context, context.db, subject, today) };
    },
  });
  bindFamily(app, context);
}

function bindFamily(app: FastifyInstance, context: Context): void {
  bind(app, context, careLogRoutes.acknowledgeCareLogEntry, {
    async find({ actor, params }) {
      const child = await findChild(context.db, params.id);
      if (!child || !guardianshipOf(actor, firstGuardian(child))) throw new AppError('not_found');
      return child.id;
    },
    async handle({ actor, subject, params, body }) {
      const view = await acrossFacilities(() =>
        signEntry(context, actor, subject, params.entryId, body.signature),
      );
      return { entry: await presentOne(context, view) };
    },
  });
  bind(app, context, careLogRoutes.listCareLogToSign, {
    async handle({ actor }) {
      const waiting = await acrossFacilities(async () =>
        countUnsigned(context.db, await findChildIdsOf(context.db, actor.id)),
      );
      return { waiting: [...waiting].map(([childId, count]) => ({ childId, count })) };
    },
  });
}
