/** Settings that staff change while the product runs, and what the web app asks before anyone signs in. */
import { isDeepStrictEqual } from 'node:util';
import { operationRoutes } from '@haris/contract/http/operations';
import { findThresholdProblem, type Settings } from '@haris/contract/objects';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { readSettings, takeSettings, writeSettings } from '../../db/settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import { bind } from '../../http/bind.ts';
import { requireProof } from '../../http/proof.ts';

export function settingsFeature(app: FastifyInstance, context: Context): void {
  bind(app, context, operationRoutes.getSettings, {
    async handle() {
      return { settings: await readSettings(context.db, context.config) };
    },
  });
  bind(app, context, operationRoutes.updateSettings, {
    async handle({ actor, body }) {
      await inTransaction(context.db, async (tx) => {
        await takeSettings(tx.trx);
        const changed = Object.fromEntries(
          Object.entries(body).filter(([, value]) => value !== undefined),
        ) as Partial<Settings>;
        const before = await readSettings(tx.trx, context.config);
        if (changesThreshold(before, changed)) requireProof(context, actor);
        const merged: Settings = { ...before, ...changed };
        const problem = findThresholdProblem(merged);
        if (problem)
          throw new AppError('invalid_request', {
            message: problem.message,
            fields: { [problem.field]: problem.message },
          });
        await writeSettings(tx.trx, changed);
        await context.audit.append(tx, { actor, action: 'settings.updated', details: detailsOf(changed) });
        await context.events.append(tx, { type: 'settings.updated' });
      });
      return { settings: await readSettings(context.db, context.config) };
    },
  });
  bind(app, context, operationRoutes.getClientConfig, {
    async handle() {
      return {
        demo: context.config.demo,
        registerUrl: context.config.registerUrl,
        now: toMoment(context.clock.now()),
      };
    },
  });
}

/** Thresholds for naming a face, asking about one, and raising an alarm. Changing them can silence Haris. */
const THRESHOLDS = [
  'recognitionThreshold',
  'recognitionMargin',
  'duplicateThreshold',
  'questionThreshold',
  'alarms',
  'areaAlarms',
] as const satisfies readonly (keyof Settings)[];

/** Whether a threshold becomes another one. Pure. */
function changesThreshold(before: Settings, changed: Partial<Settings>): boolean {
  return THRESHOLDS.some((name) => name in changed && !isDeepStrictEqual(before[name], changed[name]));
}

/** What the audit log keeps of a change: numbers and texts as they are, the rest as JSON. */
function detailsOf(changed: Partial<Settings>): Record<string, string | number | null> {
  return Object.fromEntries(
    Object.entries(changed).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  );
}
