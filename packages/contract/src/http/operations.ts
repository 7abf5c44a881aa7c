/** Operation of the facility: events, settings, the audit log, and the configuration of the web app. */
import * as z from 'zod/mini';
import { changedAreaAlarmsSchema } from '../alarms.ts';
import { AUDIT_FILTERS } from '../audit.ts';
import { CLIENT_CONFIG_PATH, EVENT_STREAMS_PER_ACCOUNT } from '../constants.ts';
import { languageSchema } from '../fields.ts';
import { auditEntrySchema, facilitySchema, momentSchema, settingsSchema } from '../objects.ts';
import { defineRoute, listQueryShape, pageShape } from './route.ts';

const momentQuery = z.optional(
  z.union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'must be an ISO 8601 time, or a day like 2026-11-21',
  }),
);

/** Bounds of `at`: `from` inclusive, `to` exclusive. Days are days of the facility; both are inclusive. */
const auditFilterShape = {
  from: momentQuery,
  to: momentQuery,
  actor: z.optional(z.string().check(z.maxLength(100))),
  subject: z.optional(z.string().check(z.maxLength(100))),
  kind: z.optional(z.enum(AUDIT_FILTERS)),
};

/** `revision` is always sent, and changes with every change of the settings. */
const settingsAnswerSchema = z.object({ settings: settingsSchema, revision: z.optional(z.string()) });

export const operationRoutes = {
  streamEvents: defineRoute({
    id: 'streamEvents',
    method: 'GET',
    path: '/api/events',
    access: 'signed-in',
    permission: 'by-subject',
    summary: `Server-sent events: all for staff, those of their own family for a parent; \`Last-Event-ID\` resumes; one account has at most ${EVENT_STREAMS_PER_ACCOUNT} open, one more closes the oldest`,
    status: 200,
    answer: 'text/event-stream',
    errors: [],
  }),
  getSettings: defineRoute({
    id: 'getSettings',
    method: 'GET',
    path: '/api/settings',
    access: 'staff',
    permission: 'settings.view',
    summary: 'Settings that staff can change while the product runs',
    status: 200,
    answer: settingsAnswerSchema,
    errors: [],
  }),
  updateSettings: defineRoute({
    id: 'updateSettings',
    method: 'PUT',
    path: '/api/settings',
    access: 'staff',
    permission: 'settings.manage',
    proof: 'by-body',
    summary:
      'Change any of the settings; what can silence an alert, a shorter retention, and easier hand-overs need a proof. With a `revision` it is refused if the settings have changed since',
    body: z.object({
      ...z.partial(settingsSchema).shape,
      areaAlarms: z.optional(changedAreaAlarmsSchema),
      revision: z.optional(z.string().check(z.maxLength(100))),
    }),
    status: 200,
    answer: settingsAnswerSchema,
    errors: [
      'settings_changed',
      'forbidden',
      'no_factor',
      'no_mail_server',
      'approval_required',
      'no_second_person',
      'too_many_attempts',
    ],
  }),
  listAudit: defineRoute({
    id: 'listAudit',
    method: 'GET',
    path: '/api/audit',
    access: 'staff',
    permission: 'audit.view',
    rows: { entries: ['seq'] },
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
    permission: 'audit.export',
    approval: true,
    proof: 'always',
    summary: 'The same rows as CSV, oldest first; `x-total-rows` is the number of rows after the header',
    query: z.object({
      search: listQueryShape.search,
      ...auditFilterShape,
      language: z.optional(languageSchema),
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
    summary: 'Configuration that the web app needs before sign-in',
    status: 200,
    answer: z.object({
      demo: z.boolean(),
      /** Base URL of the face registration service; empty for this origin (spec §7). */
      registerUrl: z.string(),
      facility: facilitySchema,
      /** False: there is no mail server, so mails stay on the server until somebody passes them on. */
      sendsMail: z.boolean(),
      /** The organisation's identity provider, at which staff may sign in; null if none is configured. */
      oidc: z.nullable(z.object({ name: z.string() })),
      now: momentSchema,
    }),
    errors: [],
  }),
};
