/** What staff run the place with: events, settings, the audit log; and what the web app asks first. */
import { z } from 'zod';
import { CLIENT_CONFIG_PATH, EVENT_STREAMS_PER_ACCOUNT } from '../constants.ts';
import { languageSchema } from '../fields.ts';
import { auditEntrySchema, momentSchema, settingsSchema } from '../objects.ts';
import { defineRoute, listQueryShape, pageShape } from './route.ts';

const momentQuery = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'must be an ISO 8601 time, or a day like 2026-11-21',
  })
  .optional();

/** Moments bound `at`: from this one on, and before that one. Days are those of the facility, and both belong to it. */
const auditFilterShape = {
  from: momentQuery,
  to: momentQuery,
  actor: z.string().max(100).optional(),
  subject: z.string().max(100).optional(),
};

export const operationRoutes = {
  streamEvents: defineRoute({
    id: 'streamEvents',
    method: 'GET',
    path: '/api/events',
    access: 'signed-in',
    summary: `Server-sent events: to staff all, to a parent the own family; \`Last-Event-ID\` resumes; one account has at most ${EVENT_STREAMS_PER_ACCOUNT} open, one more closes the oldest`,
    status: 200,
    answer: 'text/event-stream',
    errors: [],
  }),
  getSettings: defineRoute({
    id: 'getSettings',
    method: 'GET',
    path: '/api/settings',
    access: 'staff',
    summary: 'Settings that staff can change while the product runs',
    status: 200,
    answer: z.object({ settings: settingsSchema }),
    errors: [],
  }),
  updateSettings: defineRoute({
    id: 'updateSettings',
    method: 'PUT',
    path: '/api/settings',
    access: 'staff',
    proof: 'by-body',
    summary: 'Change any of the settings; other thresholds, of faces or of alarms, want a proof',
    body: settingsSchema.partial(),
    status: 200,
    answer: z.object({ settings: settingsSchema }),
    errors: [],
  }),
  listAudit: defineRoute({
    id: 'listAudit',
    method: 'GET',
    path: '/api/audit',
    access: 'staff',
    summary: 'The audit log, newest first',
    query: z.object({ ...listQueryShape, ...auditFilterShape }),
    status: 200,
    answer: z.object({ entries: z.array(auditEntrySchema), ...pageShape }),
    errors: [],
  }),
  exportAudit: defineRoute({
    id: 'exportAudit',
    method: 'GET',
    path: '/api/audit.csv',
    access: 'staff',
    proof: 'always',
    summary: 'The same rows as CSV, oldest first; `x-total-rows` tells how many come after the header',
    query: z.object({
      search: listQueryShape.search,
      ...auditFilterShape,
      language: languageSchema.optional(),
    }),
    status: 200,
    answer: 'text/csv',
    errors: [],
  }),
  getClientConfig: defineRoute({
    id: 'getClientConfig',
    method: 'GET',
    path: CLIENT_CONFIG_PATH,
    access: 'visitor',
    summary: 'What the web app needs to know before anyone signs in',
    status: 200,
    answer: z.object({
      demo: z.boolean(),
      /** Base URL of the face registration service; empty for this origin (spec §7). */
      registerUrl: z.string(),
      now: momentSchema,
    }),
    errors: [],
  }),
};
