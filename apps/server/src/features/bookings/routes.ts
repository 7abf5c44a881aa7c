/** Binds the calls of bookings and absences (decision 051). */
import { bookingRoutes, daySchema } from '@haris/contract/http/bookings';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findChild } from '../../db/children.ts';
import { findFacilitiesOfChild } from '../../db/facilities.ts';
import { findChildIdsOf } from '../../db/guardians/children-of.ts';
import { facilityOrMain } from '../../facility.ts';
import { bind } from '../../http/bind.ts';
import { firstGuardian, guardianshipOf } from '../../policy.ts';
import { announceArrival, type ChildAt, reportAbsence, withdrawAbsence } from './absences.ts';
import { presentAbsence, presentBookings, presentExpected } from './present.ts';
import { removeBookedDay, removeBookings, setBookedDay, setBookings } from './service.ts';

type Call = { readonly actor: Actor; readonly params: { readonly id: string } };

export function bookingFeature(app: FastifyInstance, context: Context): void {
  /**
   * A parent speaks for the own child wherever it is known, staff for the facility where they work. Of guardians only the
   * first does: absences have notes.
   */
  async function childAt({ actor, params }: Call): Promise<ChildAt> {
    const child = await findChild(context.db, params.id);
    if (!child || (actor.kind === 'parent' && !guardianshipOf(actor, firstGuardian(child))))
      throw new AppError('not_found');
    const known = await findFacilitiesOfChild(context.db, child.id);
    const here = actor.facility ?? facilityOrMain();
    const facilities = actor.kind === 'parent' ? known : known.filter((facility) => facility === here);
    return { childId: child.id, facilities };
  }
  const answer = async ({ childId, facilities }: ChildAt) => ({
    bookings: await presentBookings(context, childId, facilities),
  });

  bindReading(app, context, childAt);
  bind(app, context, bookingRoutes.setBookings, {
    find: childAt,
    async handle({ actor, subject, body }) {
      await setBookings(context, actor, subject.childId, body);
      return answer(subject);
    },
  });
  bind(app, context, bookingRoutes.removeBookings, {
    find: childAt,
    async handle({ actor, subject, params }) {
      await removeBookings(context, actor, subject.childId, params.validFrom);
      return answer(subject);
    },
  });
  bind(app, context, bookingRoutes.setBookedDay, {
    find: childAt,
    async handle({ actor, subject, params, body }) {
      await setBookedDay(context, actor, subject.childId, { day: dayOf(params.day), times: body.times });
      return answer(subject);
    },
  });
  bind(app, context, bookingRoutes.removeBookedDay, {
    find: childAt,
    async handle({ actor, subject, params }) {
      await removeBookedDay(context, actor, subject.childId, dayOf(params.day));
      return answer(subject);
    },
  });
  bindAbsences(app, context, childAt);
}

/** A day in a path. Throws 400. */
function dayOf(text: string): string {
  const day = daySchema.safeParse(text);
  if (day.success) return day.data;
  const message = day.error.issues[0]?.message ?? '';
  throw new AppError('invalid_request', { message, fields: { day: message } });
}

type Find = (call: Call) => Promise<ChildAt>;

function bindReading(app: FastifyInstance, context: Context, childAt: Find): void {
  bind(app, context, bookingRoutes.listExpected, {
    handle: ({ actor }) => presentExpected(context, actor),
  });
  bind(app, context, bookingRoutes.listOwnBookings, {
    async handle({ actor }) {
      const bookings = [];
      for (const id of await findChildIdsOf(context.db, actor.id)) {
        const { childId, facilities } = await childAt({ actor, params: { id } });
        bookings.push(...(await presentBookings(context, childId, facilities)));
      }
      return { bookings };
    },
  });
  bind(app, context, bookingRoutes.listBookingsOfChild, {
    find: childAt,
    handle: async ({ subject }) => ({
      bookings: await presentBookings(context, subject.childId, subject.facilities),
    }),
  });
}

function bindAbsences(app: FastifyInstance, context: Context, childAt: Find): void {
  bind(app, context, bookingRoutes.reportAbsence, {
    find: childAt,
    async handle({ actor, subject, body }) {
      const absence = await reportAbsence(context, actor, subject, body);
      const bookings = await presentBookings(context, subject.childId, subject.facilities);
      return { absence: presentAbsence(absence), bookings };
    },
  });
  bind(app, context, bookingRoutes.withdrawAbsence, {
    find: childAt,
    async handle({ actor, subject, params }) {
      await withdrawAbsence(context, actor, subject, params.absenceId);
      const bookings = await presentBookings(context, subject.childId, subject.facilities);
      return { message: 'Absence withdrawn', bookings };
    },
  });
  bind(app, context, bookingRoutes.announceArrival, {
    find: childAt,
    async handle({ actor, subject, body }) {
      await announceArrival(context, actor, subject, Date.parse(body.arrivesAt));
      return { bookings: await presentBookings(context, subject.childId, subject.facilities) };
    },
  });
}
