/** Binds "I'm on my way": a parent announces a pick-up and takes it back; staff say that they have seen it. */
import { pickupRoutes } from '@haris/contract/http/pickups';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findChild } from '../../db/children.ts';
import { bind } from '../../http/bind.ts';
import { presentChild } from '../../http/present.ts';
import { announcePickup, cancelPickup, markPickupSeen } from '../../pickups.ts';
import { guardianshipOf } from '../../policy.ts';

export function pickupFeature(app: FastifyInstance, context: Context): void {
  bind(app, context, pickupRoutes.announcePickup, {
    async precheck({ actor, fields }) {
      // 404 comes before 400 (contract §2). More ids than an announcement may have are refused below.
      const ids = Array.isArray(fields.children) ? fields.children.slice(0, 100) : [];
      for (const id of ids) {
        if (typeof id !== 'string') continue;
        const child = await findChild(context.db, id);
        if (!child || !guardianshipOf(actor, child.guardians)?.mayTake) throw new AppError('not_found');
      }
    },
    async handle({ actor, body }) {
      const children = await announcePickup(context, actor, {
        parentId: actor.id,
        childIds: body.children,
        arrivesAt: Date.parse(body.arrivesAt),
        source: 'phone',
      });
      return {
        message: 'The nursery knows that you are on your way',
        children: children.map((child) => presentChild(child, actor)),
      };
    },
  });
  bind(app, context, pickupRoutes.markPickupSeen, {
    async handle({ actor, body }) {
      const children = await markPickupSeen(context, actor, {
        childIds: body.children,
        arrivesAt: Date.parse(body.arrivesAt),
        isSeen: body.seen,
      });
      return { message: 'Noted', children: children.map((child) => presentChild(child, actor)) };
    },
  });
  bind(app, context, pickupRoutes.cancelPickup, {
    async find({ actor, params }) {
      const child = await findChild(context.db, params.id);
      if (!child || !guardianshipOf(actor, child.guardians)) throw new AppError('not_found');
      return child.id;
    },
    async handle({ actor, subject }) {
      const child = await cancelPickup(context, actor, subject);
      return { message: 'Taken back', child: presentChild(child, actor) };
    },
  });
}
