/** Ends the pairing of a kiosk or desk tablet after a staff member has given email and password. Makes no session. */
import { deskRoutes } from '@haris/contract/http/desk';
import { kioskRoutes } from '@haris/contract/http/kiosk';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { unpairKiosk } from '../../db/kiosks.ts';
import { hasEndedLink } from '../../db/oidc.ts';
import { inTransaction } from '../../db/transaction.ts';
import { bind } from '../../http/bind.ts';
import { browserOf } from '../../http/device.ts';
import { checkCredentials } from './sign-in.ts';

export function bindKioskLeave(app: FastifyInstance, context: Context): void {
  for (const route of [kioskRoutes.leaveKiosk, deskRoutes.leaveDesk])
    bind(app, context, route, {
      async handle({ actor, body, request }) {
        const from = { origin: actor.origin, browser: browserOf(context, request) };
        const member = await checkCredentials(context, 'admin', body, from, async () => {}).catch(
          (error: unknown) => {
            // 401 would tell the device that its own token has ended.
            if (error instanceof AppError && error.code === 'invalid_credentials')
              throw new AppError('wrong_password');
            throw error;
          },
        );
        const hasEnded = await inTransaction(context.db, ({ trx }) => hasEndedLink(trx, member.id));
        if (member.email_verified !== 1 || hasEnded) throw new AppError('wrong_password');
        await inTransaction(context.db, async (tx) => {
          await unpairKiosk(tx.trx, actor.id);
          await context.audit.append(tx, {
            actor: null,
            origin: actor.origin,
            action: 'kiosk.left',
            subject: { kind: 'kiosk', id: actor.id },
            details: { staff: member.id },
          });
          await context.events.append(tx, { type: 'kiosk.updated' });
        });
        return undefined;
      },
    });
}
