/** Binds the calls that only the demo has. */
import { demoRoutes } from '@haris/contract/http/demo';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { FireDrill } from '../../fire-drill.ts';
import { bind } from '../../http/bind.ts';

export function demoFeature(app: FastifyInstance, context: Context, drill: FireDrill): void {
  bind(app, context, demoRoutes.startFireDrill, {
    async handle({ actor }) {
      // The audit row comes first, so that no drill runs unrecorded.
      await inTransaction(context.db, (tx) =>
        context.audit.append(tx, { actor, action: 'demo.fire_drill_started' }),
      );
      drill.start();
      return { message: 'The fire drill begins: the simulated sensor gets hot.' };
    },
  });
}
