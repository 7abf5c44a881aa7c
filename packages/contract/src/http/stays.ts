/** Calls for a stay besides check-in and checkout: undo either shortly afterwards, and look a stay up by its slip. */
import * as z from 'zod/mini';
import { ENTRY_LOOKUPS_PER_MINUTE, STAY_MAX_MINUTES, UNDO_WINDOW_SECONDS } from '../constants.ts';
import { entryIdSchema } from '../fields.ts';
import { childSchema, momentSchema } from '../objects.ts';
import { defineRoute, idempotencyHeaders, listQueryShape, pageShape } from './route.ts';

const entryBodySchema = z.object({ uniqueEntryId: entryIdSchema });

const undoneSchema = z.object({ message: z.string(), child: childSchema });

/**
 * The stay of a printed slip. `inside`: it is open. `left`: it has ended, though the child may be inside again under
 * another slip. `void`: its check-in was undone. `exitTime` is null only while the stay is open; `child` is the
 * current child object.
 */
const entrySchema = z.object({
  state: z.enum(['inside', 'left', 'void']),
  entryTime: momentSchema,
  exitTime: z.nullable(momentSchema),
  child: childSchema,
});
export type Entry = z.infer<typeof entrySchema>;

const minutesMessage = `minutes must be a whole number from 1 to ${STAY_MAX_MINUTES}`;
const momentOf = (field: string) =>
  z.iso.datetime({ offset: true, error: `${field} must be an ISO 8601 time` });

/**
 * `due` is the end of the stay as the person saw it: entry time plus duration. The extension is refused if the stay has
 * another end by now.
 */
const extensionBodySchema = z
  .object({
    due: momentOf('due'),
    minutes: z.optional(
      z.int(minutesMessage).check(z.gte(1, minutesMessage), z.lte(STAY_MAX_MINUTES, minutesMessage)),
    ),
    until: z.optional(momentOf('until')),
  })
  .check(
    z.refine(({ minutes, until }) => (minutes === undefined) !== (until === undefined), {
      error: 'Send either minutes or until',
      path: ['minutes'],
    }),
  );

/**
 * One stay of a child's history. `booked`: minutes booked at check-in; `duration`: minutes booked in the end. Both are
 * whole. Names are null once the person has been deleted.
 */
const pastStaySchema = z
  .object({
    _id: z.string(),
    entryTime: momentSchema,
    exitTime: z.nullable(momentSchema),
    booked: z.int(),
    duration: z.int(),
    /** The check-in was undone, so nobody was there. */
    isVoid: z.boolean(),
    checkedInBy: z.nullable(z.string()),
    checkedOutBy: z.nullable(z.string()),
    /** Oldest first, without those that were undone. */
    extensions: z.array(z.object({ minutes: z.int(), at: momentSchema, by: z.nullable(z.string()) })),
  })
  .register(z.globalRegistry, { id: 'PastStay' });
export type PastStay = z.infer<typeof pastStaySchema>;

export const stayRoutes = {
  extendStay: defineRoute({
    id: 'extendStay',
    method: 'POST',
    path: '/api/children/extend-stay/{id}',
    access: 'staff',
    permission: 'children.check_in',
    summary:
      'Extend the stay of a child inside by `minutes` (from its end, or from now if that has passed), or `until` a time; the entry slip stays valid',
    headers: idempotencyHeaders,
    body: extensionBodySchema,
    status: 200,
    answer: undoneSchema,
    errors: ['not_found', 'not_inside', 'stay_changed', 'unsuitable_end', 'idempotency_key_reused'],
  }),
  undoExtendStay: defineRoute({
    id: 'undoExtendStay',
    method: 'POST',
    path: '/api/children/undo-extend-stay/{id}',
    access: 'staff',
    permission: 'children.check_in',
    summary: `Take the last extension of a stay back, within ${UNDO_WINDOW_SECONDS} seconds; \`due\` is the end that it gave`,
    headers: idempotencyHeaders,
    body: z.object({ due: momentOf('due') }),
    status: 200,
    answer: undoneSchema,
    errors: ['not_found', 'nothing_to_undo', 'undo_too_late', 'idempotency_key_reused'],
  }),
  listStays: defineRoute({
    id: 'listStays',
    method: 'GET',
    path: '/api/children/{id}/stays',
    access: 'staff',
    permission: 'families.view',
    rows: { stays: ['_id'] },
    summary: 'The stays of one child, newest first, with their extensions and void ones',
    query: z.object({ limit: listQueryShape.limit, cursor: listQueryShape.cursor }),
    status: 200,
    answer: z.object({ stays: z.array(pastStaySchema), ...pageShape }),
    errors: ['not_found'],
  }),
  undoCheckInChild: defineRoute({
    id: 'undoCheckInChild',
    method: 'POST',
    path: '/api/children/undo-checkin-child/{id}',
    access: 'staff',
    permission: 'children.check_in',
    summary: `Undo a check-in made by mistake, within ${UNDO_WINDOW_SECONDS} seconds: the stay becomes void; recorded as a correction. While an adult is barred, only by who made it`,
    headers: idempotencyHeaders,
    body: entryBodySchema,
    status: 200,
    answer: undoneSchema,
    errors: ['not_found', 'nothing_to_undo', 'undo_too_late', 'collector_required', 'idempotency_key_reused'],
  }),
  undoCheckOutChild: defineRoute({
    id: 'undoCheckOutChild',
    method: 'POST',
    path: '/api/children/undo-checkout-child/{id}',
    access: 'staff',
    permission: 'children.check_in',
    summary: `Undo a checkout made by mistake, within ${UNDO_WINDOW_SECONDS} seconds: the same stay continues; recorded as a correction`,
    headers: idempotencyHeaders,
    body: entryBodySchema,
    status: 200,
    answer: undoneSchema,
    errors: ['not_found', 'nothing_to_undo', 'already_inside', 'undo_too_late', 'idempotency_key_reused'],
  }),
  findEntry: defineRoute({
    id: 'findEntry',
    method: 'POST',
    path: '/api/children/find-entry',
    access: 'staff',
    permission: 'children.check_in',
    summary: `The stay of an entry slip; its id is in the body, so that no log records it; at most ${ENTRY_LOOKUPS_PER_MINUTE} per minute and account`,
    body: entryBodySchema,
    status: 200,
    answer: z.object({ entry: entrySchema }),
    errors: ['not_found', 'too_many_attempts'],
  }),
};
