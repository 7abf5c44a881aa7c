/** Binds the calls of kiosks, of the desk's list of them, and of a parent's PIN and code. */
import { type Kiosk, kioskRoutes } from '@haris/contract/http/kiosk';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findKiosks, type KioskView } from '../../db/kiosks.ts';
import { findParent } from '../../db/parents.ts';
import { countFailures } from '../../device-tries.ts';
import { bind } from '../../http/bind.ts';
import { createKioskCode, identify } from './identify.ts';
import { changeKiosk, createKiosk, createKioskPairing, getKiosk, pairKiosk, removeKiosk } from './pairing.ts';
import { getPinState, removePin, setPin } from './pins.ts';
import { ask, cancelVisit, getVisit, listRequests, refuse, requireRequest } from './visits.ts';

export function kioskFeature(app: FastifyInstance, context: Context): void {
  bindKiosks(app, context);
  bindDevice(app, context);
  bindParent(app, context);
  bind(app, context, kioskRoutes.listKioskRequests, {
    handle: ({ actor }) => listRequests(context, actor),
  });
  bind(app, context, kioskRoutes.refuseKioskRequest, {
    find: ({ params }) => requireRequest(context, params.id),
    async handle({ actor, subject }) {
      await refuse(context, actor, subject);
      return { message: 'Refused' };
    },
  });
}

const momentOrNull = (at: number | null) => (at === null ? null : toMoment(at));

async function present(context: Context, kiosk: KioskView): Promise<Kiosk> {
  return {
    _id: kiosk.id,
    kind: kiosk.kind,
    name: kiosk.name,
    isPaired: kiosk.paired_at !== null,
    pairedAt: momentOrNull(kiosk.paired_at),
    lastUsedAt: momentOrNull(kiosk.last_used_at),
    failures: await countFailures(context, kiosk.id),
  };
}

/** The calls by which staff manage kiosks. */
function bindKiosks(app: FastifyInstance, context: Context): void {
  const find = ({ params }: { params: { id: string } }) => getKiosk(context, params.id);
  bind(app, context, kioskRoutes.listKiosks, {
    async handle() {
      const kiosks: Kiosk[] = [];
      for (const kiosk of await findKiosks(context.db)) kiosks.push(await present(context, kiosk));
      return { kiosks };
    },
  });
  bind(app, context, kioskRoutes.createKiosk, {
    async handle({ actor, body }) {
      const kiosk = await createKiosk(context, actor, body);
      return { message: 'Kiosk added successfully', kiosk: await present(context, kiosk) };
    },
  });
  bind(app, context, kioskRoutes.updateKiosk, {
    find,
    async handle({ actor, subject, body }) {
      const kiosk = await changeKiosk(context, actor, subject.id, body.name);
      return { message: 'Kiosk updated successfully', kiosk: await present(context, kiosk) };
    },
  });
  bind(app, context, kioskRoutes.deleteKiosk, {
    find,
    async handle({ actor, subject }) {
      await removeKiosk(context, actor, subject.id);
      return { message: 'Kiosk removed successfully' };
    },
  });
  bind(app, context, kioskRoutes.createKioskPairing, {
    find,
    async handle({ actor, subject }) {
      const { code, expiresAt } = await createKioskPairing(context, actor, subject.id);
      return { code, expiresAt: toMoment(expiresAt) };
    },
  });
}

/** The calls of the device itself. */
function bindDevice(app: FastifyInstance, context: Context): void {
  bind(app, context, kioskRoutes.pairKiosk, {
    async handle({ actor, body }) {
      const { kiosk, token } = await pairKiosk(context, actor.origin, body);
      return { kioskId: kiosk.id, name: kiosk.name, token };
    },
  });
  bind(app, context, kioskRoutes.getKiosk, { handle: async ({ actor }) => ({ name: actor.name }) });
  bind(app, context, kioskRoutes.identifyAtKiosk, {
    async handle({ actor, body }) {
      const { digits, pin, code } = body;
      if (code !== undefined) return identify(context, actor, { code });
      if (digits === undefined || pin === undefined) {
        const message = 'digits and pin, or code, are required';
        throw new AppError('invalid_request', { message, fields: { digits: message } });
      }
      return identify(context, actor, { digits, pin });
    },
  });
  bind(app, context, kioskRoutes.askAtKiosk, { handle: ({ actor, body }) => ask(context, actor, body) });
  bind(app, context, kioskRoutes.getKioskVisit, {
    handle: ({ actor, params }) => getVisit(context, actor, params.visit),
  });
  bind(app, context, kioskRoutes.cancelKioskVisit, {
    handle: ({ actor, params }) => cancelVisit(context, actor, params.visit),
  });
}

/** The calls by which a parent, or staff for a parent, manage the PIN and the code for the kiosk. */
function bindParent(app: FastifyInstance, context: Context): void {
  bind(app, context, kioskRoutes.getKioskPin, {
    async handle({ actor }) {
      const { setAt, ...state } = await getPinState(context, actor.id);
      return { setAt: momentOrNull(setAt), ...state };
    },
  });
  bind(app, context, kioskRoutes.setKioskPin, {
    async handle({ actor, body }) {
      const setAt = await setPin(context, actor, body.pin);
      return { message: 'Your PIN is set.', setAt: toMoment(setAt) };
    },
  });
  bind(app, context, kioskRoutes.removeKioskPin, {
    async handle({ actor }) {
      await removePin(context, actor, actor.id);
      return { message: 'Your PIN was removed.' };
    },
  });
  bind(app, context, kioskRoutes.createKioskCode, {
    async handle({ actor }) {
      const { code, expiresAt } = await createKioskCode(context, actor);
      return { code, expiresAt: toMoment(expiresAt) };
    },
  });
  bind(app, context, kioskRoutes.resetKioskPin, {
    async find({ params }) {
      if (!(await findParent(context.db, params.id))) throw new AppError('not_found');
      return params.id;
    },
    async handle({ actor, subject }) {
      await removePin(context, actor, subject);
      return { message: 'The PIN was removed. The family was notified.' };
    },
  });
}
