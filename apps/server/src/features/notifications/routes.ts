/** Binds the calls of notifications, and opens the queue of deliveries. */
import { notificationRoutes } from '@haris/contract/http/notifications';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findDeliveriesOf, findFailedPage } from '../../db/notification-queue.ts';
import { findPushSubscriptions } from '../../db/push-devices.ts';
import { bind } from '../../http/bind.ts';
import type { IncidentStep } from '../../incident-step.ts';
import type { Reach } from '../../reach.ts';
import { mailCarrier } from './channels/mail.ts';
import { pushCarrier } from './channels/push.ts';
import { readWebhook, webhookCarrier } from './channels/webhook.ts';
import { enqueueStep, standInByMail } from './enqueue-step.ts';
import { presentDevice, presentFailure, presentTest, presentWebhook } from './present.ts';
import { openNotificationQueue, SWEEP_MS } from './queue.ts';
import { addDevice, getPreferences, removeDevice, setWebhook, updatePreferences } from './service.ts';
import { confirmArrival, sendTest } from './trial.ts';
import { openVapidKeys, type VapidKeys } from './vapid.ts';

export interface Notifications {
  /** Resolves once the step is in the queue. */
  readonly onStep: (step: IncidentStep) => Promise<void>;
  /** Sends due deliveries until none is left, for tests. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Rejects if the database does not respond, or if its VAPID keys were sealed with another master key. */
export async function notificationFeature(app: FastifyInstance, context: Context): Promise<Notifications> {
  const { mayStayHere, pushContact } = context.config.notifications;
  const pushReach: Reach = mayStayHere ? 'anywhere' : 'public';
  const webhookReach: Reach = mayStayHere ? 'anywhere' : 'house';
  const keys = await openVapidKeys(context);
  const queue = openNotificationQueue(
    context,
    {
      push: pushCarrier(context, { keys, contact: pushContact, reach: pushReach }),
      mail: mailCarrier(context),
      webhook: webhookCarrier(context, webhookReach),
    },
    (row, content) => standInByMail(context, row, content),
  );
  queue.start(SWEEP_MS);

  bindPushDevices(app, context, keys, pushReach);
  bindPreferences(app, context);
  bindTests(app, context, queue.kick);
  bindStaffCalls(app, context, webhookReach);
  return {
    async onStep(step: IncidentStep) {
      await enqueueStep(context, step);
      queue.kick();
    },
    settled: queue.settled,
    stop: queue.stop,
  };
}

function bindPushDevices(
  app: FastifyInstance,
  context: Context,
  { publicKey }: VapidKeys,
  reach: Reach,
): void {
  bind(app, context, notificationRoutes.getPushKey, {
    handle: async () => ({ publicKey }),
  });
  bind(app, context, notificationRoutes.listPushDevices, {
    async handle({ actor }) {
      const rows = await findPushSubscriptions(context.db, [actor], context.clock.now());
      return { devices: rows.map((row) => presentDevice(row, actor.session)) };
    },
  });
  bind(app, context, notificationRoutes.addPushDevice, {
    async handle({ actor, body }) {
      return { device: presentDevice(await addDevice(context, actor, body, reach), actor.session) };
    },
  });
  bind(app, context, notificationRoutes.removePushDevice, {
    async find({ actor, params }) {
      const own = await findPushSubscriptions(context.db, [actor], context.clock.now());
      if (!own.some(({ id }) => id === params.id)) throw new AppError('not_found');
    },
    async handle({ actor, params }) {
      await removeDevice(context, actor, params.id);
      return { message: 'This device gets no notices any more' };
    },
  });
}

function bindPreferences(app: FastifyInstance, context: Context): void {
  bind(app, context, notificationRoutes.getNoticePreferences, {
    handle: async ({ actor }) => ({ preferences: await getPreferences(context, actor) }),
  });
  bind(app, context, notificationRoutes.updateNoticePreferences, {
    handle: async ({ actor, body }) => ({ preferences: await updatePreferences(context, actor, body) }),
  });
}

/** `kick` starts sending the enqueued deliveries. */
function bindTests(app: FastifyInstance, context: Context, kick: () => void): void {
  async function testOf(actor: Actor, id: string) {
    const rows = await findDeliveriesOf(context.db, id);
    const isOwn = rows.some(
      (row) => row.phase === 'test' && row.account_kind === actor.kind && row.account_id === actor.id,
    );
    if (!isOwn) throw new AppError('not_found');
    return { test: presentTest(id, rows) };
  }

  bind(app, context, notificationRoutes.sendNoticeTest, {
    async handle({ actor }) {
      const id = await sendTest(context, actor);
      kick();
      return testOf(actor, id);
    },
  });
  bind(app, context, notificationRoutes.getNoticeTest, {
    handle: ({ actor, params }) => testOf(actor, params.id),
  });
  bind(app, context, notificationRoutes.confirmNotice, {
    async handle({ body }) {
      await confirmArrival(context, body.receipt);
      return undefined;
    },
  });
}

function bindStaffCalls(app: FastifyInstance, context: Context, reach: Reach): void {
  bind(app, context, notificationRoutes.listFailedNotices, {
    async handle({ actor, query }) {
      const { rows, ...page } = await findFailedPage(context.db, query);
      return { failures: rows.map((row) => presentFailure(row, actor)), ...page };
    },
  });
  bind(app, context, notificationRoutes.getWebhook, {
    handle: async () => ({ webhook: presentWebhook(await readWebhook(context)) }),
  });
  bind(app, context, notificationRoutes.updateWebhook, {
    async handle({ actor, body }) {
      const secret = await setWebhook(context, actor, body.url, reach);
      return { webhook: presentWebhook(await readWebhook(context)), secret };
    },
  });
}
