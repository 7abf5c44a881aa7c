/** Calls of desk tablets, and of staff about their PIN (decision 045). */

import { deskRoutes } from '@haris/contract/http/desk';
import { INCIDENT_KINDS, isDanger } from '@haris/contract/incident-kinds';
import type { FastifyInstance } from 'fastify';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findOpenIncidentFor, findOpenIncidents } from '../../db/incidents.ts';
import { notePress } from '../../db/sessions.ts';
import { readSettings } from '../../db/settings.ts';
import { findDeskStaff } from '../../db/staff-pins.ts';
import { currentFacility } from '../../facility.ts';
import { bind } from '../../http/bind.ts';
import { sendEventPosition } from '../../http/event-position.ts';
import { getDeskPin, removeDeskPin, setDeskPin } from './desk-pins.ts';
import { beginDeskPasskey, signInByPasskey, signInByPin } from './desk-sign-in.ts';
import { presentOwnAccount } from './present-staff.ts';
import { getStaffMember } from './staff.ts';

export function bindDesk(app: FastifyInstance, context: Context): void {
  bindTablet(app, context);
  bindPins(app, context);
  bind(app, context, deskRoutes.pressSession, {
    async handle({ actor }) {
      if (actor.deskId !== null) await notePress(context.db, actor.session, context.clock.now());
      return undefined;
    },
  });
}

const DANGERS = INCIDENT_KINDS.filter((kind) => isDanger(kind) && kind !== 'evacuation');

/**
 * The open dangers for a screen that anybody may read: a barred person, who may stand before it, and a missing child
 * are only `other`.
 */
async function findDangers({ db }: Pick<Context, 'db'>) {
  const open = (await findOpenIncidents(db, DANGERS)).map(({ kind, area, raised_at }) => ({
    ...(kind === 'temperature' || kind === 'air' ? { kind, area } : { kind: 'other' as const, area: null }),
    since: toMoment(raised_at),
  }));
  // Oldest first: the newest of a kind and room stays.
  return [...new Map(open.map((one) => [`${one.kind} ${one.area}`, one])).values()];
}

/** The calls of the tablet itself. */
function bindTablet(app: FastifyInstance, context: Context): void {
  const { db } = context;
  bind(app, context, deskRoutes.getDesk, {
    async handle({ actor }) {
      const { facilityName } = await readSettings(db, context.config);
      const evacuation = await findOpenIncidentFor(db, 'evacuation');
      const staff = await findDeskStaff(db);
      return {
        name: actor.name,
        facility: facilityName,
        staff: staff.map(({ id, hasPassword: _, ...member }) => ({ _id: id, ...member })),
        evacuatingSince: evacuation ? toMoment(evacuation.raised_at) : null,
        dangers: await findDangers(context),
      };
    },
  });
  bind(app, context, deskRoutes.beginDeskPasskey, {
    handle: ({ actor, body }) => beginDeskPasskey(context, actor, body.staffId),
  });
  bind(app, context, deskRoutes.signInAtDesk, {
    async handle({ actor, body: { staffId, pin, passkey, challenge }, reply }) {
      const { token, member, idleMinutes, offlineTicket, offlineKey } =
        passkey === undefined
          ? await signInByPin(context, actor, staffId, pin ?? '')
          : await signInByPasskey(context, actor, staffId, { passkey, challenge });
      await sendEventPosition(context, reply);
      return {
        token,
        admin: await presentOwnAccount(context, member, {
          factor: 'desk',
          deskId: actor.id,
          facility: currentFacility(),
        }),
        idleMinutes,
        ...(offlineTicket === null ? {} : { offlineTicket }),
        ...(offlineKey === null ? {} : { offlineKey }),
      };
    },
  });
}

/** The calls about a staff member's PIN. */
function bindPins(app: FastifyInstance, context: Context): void {
  bind(app, context, deskRoutes.getDeskPin, {
    async handle({ actor }) {
      const { setAt, hasDesk } = await getDeskPin(context, actor.id);
      return { setAt: setAt === null ? null : toMoment(setAt), hasDesk };
    },
  });
  bind(app, context, deskRoutes.setDeskPin, {
    async handle({ actor, body }) {
      const setAt = await setDeskPin(context, actor, body.pin);
      return { message: 'Your PIN is set.', setAt: toMoment(setAt) };
    },
  });
  bind(app, context, deskRoutes.removeDeskPin, {
    async handle({ actor }) {
      await removeDeskPin(context, actor, actor.id);
      return { message: 'Your PIN was removed.' };
    },
  });
  bind(app, context, deskRoutes.resetDeskPin, {
    async find({ params }) {
      await getStaffMember(context, params.id);
    },
    async handle({ actor, params }) {
      await removeDeskPin(context, actor, params.id);
      return { message: 'The PIN was removed. The person was notified.' };
    },
  });
}
