/** Binds the calls about who may take a child, and who took it (decision 049). */
import { barredRoutes } from '@haris/contract/http/barred';
import { collectorRoutes } from '@haris/contract/http/collectors';
import { handOverRoutes } from '@haris/contract/http/hand-over';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findBar } from '../../db/barred-adults.ts';
import { findChild } from '../../db/children.ts';
import { findCollector } from '../../db/collectors.ts';
import type { CollectorRow } from '../../db/schema.ts';
import { acrossFacilities } from '../../facility.ts';
import { bind } from '../../http/bind.ts';
import { firstGuardian, guardianshipOf, may } from '../../policy.ts';
import { addBarred, liftBar, listBarred, noteNamesake } from './barred.ts';
import { removeBarredPhoto, setBarredPhoto } from './barred-photos.ts';
import { removeCollectorPhoto, setCollectorPhoto } from './collector-photos.ts';
import { isOpenTo } from './collector-steps.ts';
import { listCollectors } from './collector-views.ts';
import { addCollector, changeCollector, endCollector } from './collectors.ts';
import { createPass, revokePass } from './passes.ts';
import { listReleases, readHandOver, readPass, reportUnexpected, takePickupSecret } from './releases.ts';

interface Named {
  readonly actor: Actor;
  readonly params: { readonly id: string };
}

export function handOverFeature(app: FastifyInstance, context: Context): void {
  const { db } = context;
  /** The child, which a parent finds only as its first guardian: the list of collectors is of all. Throws 404. */
  const childOf = async (actor: Actor, id: string) => {
    const child = await findChild(db, id);
    if (!child || !may(actor, 'families.view', firstGuardian(child))) throw new AppError('not_found');
    return child;
  };
  const childById = ({ actor, params }: Named) => childOf(actor, params.id);
  /** Whether a guardian may take the child; undefined for staff. */
  const mayTake = (actor: Actor, child: FoundChild) => guardianshipOf(actor, firstGuardian(child))?.mayTake;
  /** Throws 404 for a guardian without the right to name collectors. */
  const mayName = (actor: Actor, child: FoundChild): FoundChild => {
    if (actor.kind === 'parent' && !guardianshipOf(actor, firstGuardian(child))?.mayCollect)
      throw new AppError('not_found');
    return child;
  };
  const collectorById = async ({ actor, params }: Named): Promise<CollectorRow> => {
    const row = await findCollector(db, params.id);
    if (!row || row.ended_at !== null) throw new AppError('not_found');
    const child = mayName(actor, await childOf(actor, row.child_id));
    if (!isOpenTo(actor, mayTake(actor, child), row)) throw new AppError('not_found');
    return row;
  };
  const barById = async ({ params }: Named) => {
    const row = await findBar(db, params.id);
    if (!row || row.lifted_at !== null) throw new AppError('not_found');
    return row;
  };

  bind(app, context, collectorRoutes.listCollectors, {
    find: childById,
    handle: async ({ actor, subject }) => ({
      collectors: await listCollectors(context, actor, subject.id, mayTake(actor, subject)),
    }),
  });
  bind(app, context, collectorRoutes.addCollector, {
    find: async (call) => mayName(call.actor, await childById(call)),
    async handle({ actor, subject, body }) {
      const collector = await addCollector(context, actor, subject.id, body);
      return { message: 'Collector added', collector };
    },
  });
  bind(app, context, collectorRoutes.updateCollector, {
    find: collectorById,
    async handle({ actor, subject, body }) {
      const collector = await changeCollector(context, actor, subject, body);
      return { message: 'Collector updated', collector };
    },
  });
  bind(app, context, collectorRoutes.setCollectorPhoto, {
    find: collectorById,
    async handle({ actor, subject, files }) {
      const collector = await setCollectorPhoto(context, actor, subject, files.photo);
      return { message: 'Photo saved', collector };
    },
  });
  bind(app, context, collectorRoutes.removeCollectorPhoto, {
    find: collectorById,
    async handle({ actor, subject }) {
      const collector = await removeCollectorPhoto(context, actor, subject);
      return { message: 'Photo removed', collector };
    },
  });
  bind(app, context, collectorRoutes.removeCollector, {
    find: collectorById,
    async handle({ actor, subject }) {
      await endCollector(context, actor, subject);
      return { message: 'Collector removed' };
    },
  });
  bind(app, context, collectorRoutes.createCollectorPass, {
    find: collectorById,
    handle: ({ actor, subject, body }) => createPass(context, actor, subject, body.day),
  });
  bind(app, context, collectorRoutes.revokeCollectorPass, {
    find: collectorById,
    async handle({ actor, subject }) {
      await revokePass(context, actor, subject);
      return { message: 'Pass revoked' };
    },
  });
  bind(app, context, collectorRoutes.showPass, {
    handle: ({ body }) => acrossFacilities(() => readPass(context, body.token)),
  });
  bindBarred(app, context, { childById, barById });
  bindReleases(app, context, { childById });
}

/** Finds the subject of a call. Throws 404. */
type Find<T> = (call: Named) => Promise<T>;
type FoundChild = NonNullable<Awaited<ReturnType<typeof findChild>>>;
type FoundBar = NonNullable<Awaited<ReturnType<typeof findBar>>>;

function bindBarred(
  app: FastifyInstance,
  context: Context,
  { childById, barById }: { readonly childById: Find<FoundChild>; readonly barById: Find<FoundBar> },
): void {
  bind(app, context, barredRoutes.listBarred, {
    find: childById,
    handle: ({ actor, subject }) => listBarred(context, actor, subject),
  });
  bind(app, context, barredRoutes.addBarred, {
    find: childById,
    async handle({ actor, subject, body }) {
      return { message: 'Adult barred', barred: await addBarred(context, actor, subject.id, body) };
    },
  });
  /** Throws `beyond_own_rights` for staff who may not read the bar, which the answer tells. */
  const requireReader = (actor: Actor): void => {
    if (!may(actor, 'barred.view')) throw new AppError('beyond_own_rights');
  };
  /** Looks for the bar last, so that nobody else learns whether it is in force. Throws 404, `beyond_own_rights`. */
  const readableBar = (call: Named) => {
    requireReader(call.actor);
    return barById(call);
  };
  bind(app, context, barredRoutes.setBarredPhoto, {
    find: readableBar,
    async handle({ actor, subject, files }) {
      // The right may have been lost while the photo was on its way.
      requireReader(actor);
      const barred = await setBarredPhoto(context, actor, subject, files.photo);
      return { message: 'Photo saved', barred };
    },
  });
  bind(app, context, barredRoutes.removeBarredPhoto, {
    find: readableBar,
    async handle({ actor, subject }) {
      return { message: 'Photo removed', barred: await removeBarredPhoto(context, actor, subject) };
    },
  });
  bind(app, context, barredRoutes.liftBarred, {
    find: barById,
    async handle({ actor, subject }) {
      await liftBar(context, actor, subject);
      return { message: 'Bar lifted' };
    },
  });
  bind(app, context, barredRoutes.markNamesake, {
    find: barById,
    async handle({ actor, subject, body }) {
      const barred = await noteNamesake(context, actor, subject, body);
      return { message: 'Noted', barred };
    },
  });
}

function bindReleases(
  app: FastifyInstance,
  context: Context,
  { childById }: { readonly childById: Find<FoundChild> },
): void {
  bind(app, context, handOverRoutes.getHandOver, {
    find: childById,
    handle: ({ actor, subject }) => readHandOver(context, actor, subject),
  });
  bind(app, context, handOverRoutes.createPickupCode, {
    handle: async ({ actor }) => ({ secret: await takePickupSecret(context, actor.id) }),
  });
  bind(app, context, handOverRoutes.listReleases, {
    handle: async ({ actor }) => ({ releases: await listReleases(context, actor.id) }),
  });
  bind(app, context, handOverRoutes.reportUnexpectedRelease, {
    async handle({ actor, params }) {
      await reportUnexpected(context, actor, params.stayId);
      return { message: 'The desk has been told' };
    },
  });
}
