/** Binds the calls of notices, and opens the queue that brings them to people. */
import { noticeRoutes } from '@haris/contract/http/notices';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findDeliveriesOf, findFailedPage } from '../../db/notice-queue.ts';
import { findPushSubscriptions } from '../../db/push-devices.ts';
import { bind } from '../../http/bind.ts';
import type { IncidentStep } from '../../incident-step.ts';
import { announceStep, standInByMail } from './announce.ts';
import { presentDevice, presentFailure, presentTest, presentWebhook } from './present.ts';
import { openNoticeQueue } from './queue.ts';
import { addDevice, getPreferences, removeDevice, setWebhook, updatePreferences } from './service.ts';
import { confirmArrival, sendTest } from './trial.ts';
import { openVapidKeys } from './vapid.ts';
import { mailCarrier } from './ways/mail.ts';
import type { Reach } from './ways/outgoing.ts';
import { pushCarrier } from './ways/push.ts';
import { readWebhook, webhookCarrier } from './ways/webhook.ts';

export interface Notices {
  /** Resolves once the step is in the queue. */
  readonly onStep: (step: IncidentStep) => Promise<void>;
  stop(): Promise<void>;
}

/** Rejects when the database does not answer, or keeps keys that another master key sealed. */
export async function noticeFeature(app: FastifyInstance, context: Context): Promise<Notices> {
  const { mayStayHere, pushContact } = context.config.notices;
  const pushReach: Reach = mayStayHere ? 'anywhere' : 'public';
  const webhookReach: Reach = mayStayHere ? 'anywhere' : 'house';
  const keys = await openVapidKeys(context);
  const queue = openNoticeQueue(
    context,
    {
      push: pushCarrier(context, { keys, contact: pushContact, reach: pushReach }),
      mail: mailCarrier(context),
      webhook: webhookCarrier(context, webhookReach),
    },
    (row, content) => standInByMail(context, row, content),
  );

  async function testOf(actor: Actor, id: string) {
    const rows = await findDeliveriesOf(context.db, id);
    const isOwn = rows.some(
      (row) => row.phase === 'test' && row.account_kind === actor.kind && row.account_id === actor.id,
    );
    if (!isOwn) throw new AppError('not_found');
    return { test: presentTest(id, rows) };
  }

  bind(app, context, noticeRoutes.getPushKey, {
    handle: async () => ({ publicKey: keys.publicKey }),
  });
  bind(app, context, noticeRoutes.listPushDevices, {
    async handle({ actor }) {
      const rows = await findPushSubscriptions(context.db, [actor], context.clock.now());
      return { devices: rows.map((row) => presentDevice(row, actor.session)) };
    },
  });
  bind(app, context, noticeRoutes.addPushDevice, {
    async handle({ actor, body }) {
      return { device: presentDevice(await addDevice(context, actor, body, pushReach), actor.session) };
    },
  });
  bind(app, context, noticeRoutes.removePushDevice, {
    async find({ actor, params }) {
      const own = await findPushSubscriptions(context.db, [actor], context.clock.now());
      if (!own.some(({ id }) => id === params.id)) throw new AppError('not_found');
    },
    async handle({ actor, params }) {
      await removeDevice(context, actor, params.id);
      return { message: 'This device gets no notices any more' };
    },
  });
  bind(app, context, noticeRoutes.getNoticePreferences, {
    handle: async ({ actor }) => ({ preferences: await getPreferences(context, actor) }),
  });
  bind(app, context, noticeRoutes.updateNoticePreferences, {
    handle: async ({ actor, body }) => ({ preferences: await updatePreferences(context, actor, body) }),
  });
  bind(app, context, noticeRoutes.sendNoticeTest, {
    async handle({ actor }) {
      const id = await sendTest(context, actor);
      queue.kick();
      return testOf(actor, id);
    },
  });
  bind(app, context, noticeRoutes.getNoticeTest, {
    handle: ({ actor, params }) => testOf(actor, params.id),
  });
  bind(app, context, noticeRoutes.confirmNotice, {
    async handle({ body }) {
      await confirmArrival(context, body.receipt);
      return undefined;
    },
  });
  bind(app, context, noticeRoutes.listFailedNotices, {
    async handle({ query }) {
      const { rows, ...page } = await findFailedPage(context.db, query);
      return { failures: rows.map(presentFailure), ...page };
    },
  });
  bind(app, context, noticeRoutes.getWebhook, {
    handle: async () => ({ webhook: presentWebhook(await readWebhook(context)) }),
  });
  bind(app, context, noticeRoutes.updateWebhook, {
    async handle({ actor, body }) {
      const secret = await setWebhook(context, actor, body.url, webhookReach);
      return { webhook: presentWebhook(await readWebhook(context)), secret };
    },
  });

  return {
    async onStep(step: IncidentStep) {
      await announceStep(context, step);
      queue.kick();
    },
    stop: queue.stop,
  };
}
