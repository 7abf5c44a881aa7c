/** The health of the installation: what its checks found, and what to do (contract §6). */
import * as z from 'zod/mini';
import { languageSchema } from '../fields.ts';
import { momentSchema } from '../objects.ts';
import { defineRoute } from './route.ts';

/** The checks, in the order of a start: first what the others rest on. */
export const HEALTH_CHECKS = [
  'version',
  'node',
  'folder',
  'disk',
  'clock',
  'database',
  'keys',
  'backup',
  'restore',
  'server',
  'https',
  'phones',
  'mail',
  'engine',
  'broker',
  'cameras',
] as const;
const healthCheckSchema = z.enum(HEALTH_CHECKS);
export type HealthCheck = z.infer<typeof healthCheckSchema>;

/** The worst first. `bad`: something does not work or is not safe. `warn`: it works, and should be better. `unknown`: not found out. */
export const HEALTH_STATES = ['bad', 'warn', 'unknown', 'ok'] as const;
const healthStateSchema = z.enum(HEALTH_STATES);
export type HealthState = z.infer<typeof healthStateSchema>;

/** `detail` and `todo` are sentences without a secret and without a person's name. `todo`: what to do about it. */
const healthFindingSchema = z
  .object({
    id: healthCheckSchema,
    state: healthStateSchema,
    detail: z.string(),
    todo: z.optional(z.string()),
  })
  .register(z.globalRegistry, { id: 'HealthFinding' });
export type HealthFinding = z.infer<typeof healthFindingSchema>;

/** For this long the server gives the same findings to everybody. Milliseconds. */
export const HEALTH_KEPT_MS = 10_000;

export const healthRoutes = {
  getHealth: defineRoute({
    id: 'getHealth',
    method: 'GET',
    path: '/api/health',
    access: 'staff',
    permission: 'installation.operate',
    summary: `What is right with the installation and what is not, as the server that answers finds it; examined again after ${HEALTH_KEPT_MS / 1000} s`,
    /** Of the sentences; without it, that of the account. */
    query: z.object({ language: z.optional(languageSchema) }),
    status: 200,
    answer: z.object({
      /** One for each check, the worst first. */
      findings: z.array(healthFindingSchema),
      examinedAt: momentSchema,
    }),
    errors: [],
  }),
};
