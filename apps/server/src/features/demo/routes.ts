/** Binds what only a demo can be asked for. */
import { demoRoutes } from '@haris/contract/http/demo';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import type { FireDrill } from '../../fire-drill.ts';
import { bind } from '../../http/bind.ts';

export function demoFeature(app: FastifyInstance, context: Context, drill: FireDrill): void {
  bind(app, context, demoRoutes.startFireDrill, {
    async handle() {
      drill.start();
      return { message: 'The fire drill begins: the simulated sensor gets hot.' };
    },
  });
}
