/** Routes of the first run: checklist, own address, mail server, reaching Haris from a phone, sample data. */
import { setupRoutes } from '@haris/contract/http/setup';
import type { FastifyInstance } from 'fastify';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { readSettings } from '../../db/settings.ts';
import { bind } from '../../http/bind.ts';
import type { SampleData } from '../../sample-data.ts';
import { chooseSetup, presentSetup } from './checklist.ts';
import { changeMailServer, forgetMailServer, presentMailServer, tryMailServer } from './mail-server.ts';
import { setOwnAddress } from './own-address.ts';
import { confirmReach, createReachCode } from './reach.ts';

export function setupFeature(app: FastifyInstance, context: Context, sample: SampleData): void {
  bind(app, context, setupRoutes.getSetup, {
    async handle({ actor }) {
      return { setup: await presentSetup(context, actor, sample) };
    },
  });
  bind(app, context, setupRoutes.updateSetup, {
    async handle({ actor, body }) {
      await chooseSetup(context, actor, body);
      return { setup: await presentSetup(context, actor, sample) };
    },
  });
  bind(app, context, setupRoutes.setOwnAddress, {
    async handle({ actor, body }) {
      await setOwnAddress(context, actor, body);
      return { message: 'Your address was saved.' };
    },
  });
  bindMailServer(app, context);
  bind(app, context, setupRoutes.createReachCode, {
    async handle() {
      const { code, expiresAt } = await createReachCode(context);
      return { code, expiresAt: toMoment(expiresAt) };
    },
  });
  bind(app, context, setupRoutes.confirmReach, {
    async handle({ actor, body, request }) {
      const reached = await confirmReach(
        context,
        actor.kind === 'visitor' ? null : actor,
        request,
        body.code,
      );
      const { facilityName } = await readSettings(context.db, context.config);
      return { ...reached, facility: facilityName };
    },
  });
  bind(app, context, setupRoutes.addSampleData, {
    async handle({ actor }) {
      await sample.add(actor);
      return { message: 'Sample data was added' };
    },
  });
  bind(app, context, setupRoutes.removeSampleData, {
    async handle({ actor }) {
      await sample.remove(actor);
      return { message: 'Sample data was removed' };
    },
  });
}

function bindMailServer(app: FastifyInstance, context: Context): void {
  bind(app, context, setupRoutes.getMailServer, {
    async handle({ actor }) {
      return { mail: await presentMailServer(context, actor) };
    },
  });
  bind(app, context, setupRoutes.updateMailServer, {
    async handle({ actor, body }) {
      await changeMailServer(context, actor, body);
      return { mail: await presentMailServer(context, actor) };
    },
  });
  bind(app, context, setupRoutes.deleteMailServer, {
    async handle({ actor }) {
      await forgetMailServer(context, actor);
      return { mail: await presentMailServer(context, actor) };
    },
  });
  bind(app, context, setupRoutes.testMailServer, {
    async handle({ actor, body }) {
      return tryMailServer(context, actor, body);
    },
  });
}
