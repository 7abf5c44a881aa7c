/** Binds the calls that analyse a face without storing it. */
import { childRoutes } from '@haris/contract/http/children';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { bind } from '../../http/bind.ts';
import { withFaceCounted } from '../../proposals/limits.ts';
import { askerOf } from '../../vision/client.ts';
import type { Access } from './access.ts';
import { checkFaces } from './check-faces.ts';

export function bindFaces(app: FastifyInstance, context: Context, { ownParent }: Access): void {
  bind(app, context, childRoutes.registerFace, {
    async precheck({ actor, fields }) {
      if (typeof fields.parentId === 'string' && fields.parentId !== '')
        await ownParent(actor, fields.parentId);
    },
    async handle({ actor, files }) {
      const { image } = files;
      const { encoding, model, quality } = await withFaceCounted(context, actor, 'register', image, () =>
        context.vision.enrol(image, askerOf(actor)),
      );
      return { data: { encoding, model, quality } };
    },
  });
  bind(app, context, childRoutes.checkFace, {
    handle: async ({ actor, files }) => ({ faces: await checkFaces(context, actor, files.image) }),
  });
  bind(app, context, childRoutes.guideFace, {
    handle: ({ actor, files }) => context.vision.guide(files.image, askerOf(actor)),
  });
}
