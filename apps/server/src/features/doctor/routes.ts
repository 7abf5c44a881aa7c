/** Route of the installation's health, for those who operate it. */
import { healthRoutes } from '@haris/contract/http/health';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { findAccountLanguage } from '../../db/accounts.ts';
import { bind } from '../../http/bind.ts';
import { openHealth } from './health.ts';
import { tell } from './judgement.ts';

export function healthFeature(app: FastifyInstance, context: Context): void {
  function port(): number {
    const address = app.server.address();
    return address !== null && typeof address === 'object' ? address.port : context.config.port;
  }
  const health = openHealth(context, port);
  bind(app, context, healthRoutes.getHealth, {
    handle: async ({ query, actor }) => {
      const language = query.language ?? (await findAccountLanguage(context.db, actor));
      const { findings, examinedAt } = await health();
      return { findings: findings.map((finding) => tell(finding, language)), examinedAt };
    },
  });
}
