/** Calls of the care log: entries of a child's day, and the family's signature (decision 052). */
import * as z from 'zod/mini';
import { CARE_LOG_DAYS_BACK, careEntrySchema, signatureSchema } from '../care-log.ts';
import { momentSchema } from '../objects.ts';
import { daySchema } from './bookings.ts';
import { defineRoute, idempotencyHeaders, listQueryShape } from './route.ts';

/** Errors that depend on the present moment, and on the care card. */
export const CARE_LOG_FUTURE = 'The time must not lie in the future';
export const CARE_LOG_TOO_OLD = `The time must lie within the last ${CARE_LOG_DAYS_BACK} days`;
export const CARE_LOG_WRONG_CORRECTION = 'A correction must be of the same kind, or withdraw the entry';

export const careLogEntrySchema = z
  .object({
    _id: z.string(),
    childId: z.string(),
    /** Name of the facility; null without one. */
    facility: z.nullable(z.string()),
    /** The local day of the facility. */
    day: z.iso.date(),
    /** When it happened, and when somebody entered it. */
    at: momentSchema,
    recordedAt: momentSchema,
    /** Name of the staff member; null after the account's deletion. */
    recordedBy: z.nullable(z.string()),
    /** Null: it could not be read. */
    entry: z.nullable(careEntrySchema),
    /** Id of the entry that this one corrects, and of the one that corrects this. */
    corrects: z.nullable(z.string()),
    correctedBy: z.nullable(z.string()),
    /** Whether the family is asked to sign. False for a guardian who is not the first one, who signs. */
    asksSignature: z.boolean(),
    /** Null: nobody has signed; always for a guardian who is not the first one. */
    acknowledged: z.nullable(
      z.object({
        at: momentSchema,
        /** Null: it could not be read. */
        signature: z.nullable(signatureSchema),
      }),
    ),
  })
  .register(z.globalRegistry, { id: 'CareLogEntry' });
export type CareLogEntry = z.infer<typeof careLogEntrySchema>;

const sleepSchema = z.nullable(
  z
    .object({
      since: momentSchema,
      checkedAt: momentSchema,
      everyMinutes: z.int(),
      /** When the next check is due. */
      dueAt: momentSchema,
    })
    .register(z.globalRegistry, { id: 'CareLogSleep' }),
);
export type CareLogSleep = z.infer<typeof sleepSchema>;

const permittedMedicineSchema = z
  .object({ name: z.string(), dose: z.string(), when: z.string() })
  .register(z.globalRegistry, { id: 'PermittedMedicine' });
export type PermittedMedicine = z.infer<typeof permittedMedicineSchema>;

export const careLogRoutes = {
  listCareLog: defineRoute({
    id: 'listCareLog',
    method: 'GET',
    path: '/api/children/{id}/care-log',
    access: 'signed-in',
    permission: 'care_log.view',
    rows: { entries: ['_id'] },
    summary:
      "A child's care log, newest first, also corrected entries; of one day with `day`. For staff the entries of their facility, which is recorded, for a parent those of every facility",
    query: z.object({
      day: z.optional(daySchema),
      limit: listQueryShape.limit,
      cursor: listQueryShape.cursor,
    }),
    status: 200,
    answer: z.object({
      entries: z.array(careLogEntrySchema),
      nextCursor: z.nullable(z.string()),
      /** The present local day, and its zone. */
      today: z.iso.date(),
      timeZone: z.string(),
      /** The sleep that goes on; null while the child is awake or outside. */
      asleep: sleepSchema,
    }),
    errors: ['not_found'],
  }),
  addCareLogEntry: defineRoute({
    id: 'addCareLogEntry',
    method: 'POST',
    path: '/api/children/{id}/care-log',
    access: 'staff',
    permission: 'care_log.record',
    summary:
      'Add an entry, or with `corrects` one that replaces another of the same kind or withdraws it. `at`: when it happened, by default now, or the time of the entry that is corrected. A medicine must be on the care card and permitted by the family',
    body: z.object({
      entry: careEntrySchema,
      at: z.optional(
        z.iso.datetime({ precision: 3, error: 'at must be a time like 2026-11-20T10:15:00.000Z' }),
      ),
      corrects: z.optional(z.string().check(z.maxLength(100))),
    }),
    headers: idempotencyHeaders,
    status: 201,
    answer: z.object({ entry: careLogEntrySchema, asleep: sleepSchema }),
    errors: [
      'not_found',
      'not_inside',
      'already_asleep',
      'not_asleep',
      'medicine_not_permitted',
      'care_entry_corrected',
      'idempotency_key_reused',
    ],
  }),
  listPermittedMedicines: defineRoute({
    id: 'listPermittedMedicines',
    method: 'GET',
    path: '/api/children/{id}/care-log/medicines',
    access: 'staff',
    permission: 'care_log.record',
    summary:
      'The medicines of the care card that the family has permitted and that have not ended. Reading is recorded',
    status: 200,
    answer: z.object({ medicines: z.array(permittedMedicineSchema) }),
    errors: ['not_found'],
  }),
  acknowledgeCareLogEntry: defineRoute({
    id: 'acknowledgeCareLogEntry',
    method: 'POST',
    path: '/api/children/{id}/care-log/{entryId}/acknowledgement',
    access: 'parent',
    summary: 'Sign an accident or a medicine of the own child, once',
    body: z.object({ signature: signatureSchema }),
    status: 201,
    answer: z.object({ entry: careLogEntrySchema }),
    errors: ['not_found', 'care_entry_corrected', 'care_entry_acknowledged'],
  }),
  listCareLogToSign: defineRoute({
    id: 'listCareLogToSign',
    method: 'GET',
    path: '/api/care-log/to-sign',
    access: 'parent',
    summary: 'The own children with entries that wait for a signature, and how many',
    status: 200,
    answer: z.object({
      waiting: z.array(z.object({ childId: z.string(), count: z.int().check(z.positive()) })),
    }),
    errors: [],
  }),
};
