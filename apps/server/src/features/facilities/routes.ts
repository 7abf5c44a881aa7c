/** Binds the calls of facilities. */
import { facilityRoutes } from '@haris/contract/http/facilities';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { type ChildView, findChild } from '../../db/children.ts';
import { bind } from '../../http/bind.ts';
import { presentChild } from '../../http/present.ts';
import {
  addFacilityOfChild,
  findFacilitiesToAdd,
  listFacilitiesOfChild,
  removeFacilityOfChild,
} from './children.ts';
import { listOpeningHours } from './hours.ts';
import { createFacility, listFacilities } from './service.ts';

export function facilityFeature(app: FastifyInstance, context: Context): void {
  const childOf = async ({ params }: { params: { id: string } }): Promise<ChildView> => {
    const child = await findChild(context.db, params.id);
    if (!child) throw new AppError('not_found');
    return child;
  };

  bind(app, context, facilityRoutes.listFacilities, {
    handle: async ({ actor }) => ({
      facilities: await listFacilities(context, actor),
      current: actor.facility,
    }),
  });
  bind(app, context, facilityRoutes.listOpeningHours, {
    handle: async ({ actor }) => ({ facilities: await listOpeningHours(context, actor) }),
  });
  bind(app, context, facilityRoutes.createFacility, {
    handle: async ({ actor, body }) => ({ facility: await createFacility(context, actor, body) }),
  });
  bind(app, context, facilityRoutes.listChildFacilities, {
    find: childOf,
    handle: async ({ actor, subject }) => ({
      facilities: await listFacilitiesOfChild(context, subject.id),
      addable: await findFacilitiesToAdd(context, actor, subject.id),
    }),
  });
  bind(app, context, facilityRoutes.addChildFacility, {
    find: childOf,
    async handle({ actor, subject, body }) {
      await addFacilityOfChild(context, actor, subject.id, body.facilityId);
      const child = (await findChild(context.db, subject.id)) ?? subject;
      return {
        child: presentChild(child, actor),
        facilities: await listFacilitiesOfChild(context, subject.id),
      };
    },
  });
  bind(app, context, facilityRoutes.removeChildFacility, {
    find: childOf,
    async handle({ actor, params }) {
      await removeFacilityOfChild(context, actor, params.id, params.facilityId);
      return { message: 'Child removed from the facility.' };
    },
  });
}
