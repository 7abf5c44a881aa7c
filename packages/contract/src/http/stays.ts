/** What the desk does with a stay besides check-in and checkout: undo either for a moment, and find it by its slip. */
import { z } from 'zod';
import { ENTRY_LOOKUPS_PER_MINUTE, UNDO_WINDOW_SECONDS } from '../constants.ts';
import { entryIdSchema } from '../fields.ts';
import { childSchema, momentSchema } from '../objects.ts';
import { defineRoute, idempotencyHeaders } from './route.ts';

const entryBodySchema = z.object({ uniqueEntryId: entryIdSchema });

const undoneSchema = z.object({ message: z.string(), child: childSchema });

/**
 * The stay that a slip was printed for. `inside`: it is open. `left`: it has ended, though the child may be inside anew
 * under another slip. `void`: its check-in was undone. `exitTime` is null only while it is open; `child` is as it is now.
 */
const entrySchema = z.object({
  state: z.enum(['inside', 'left', 'void']),
  entryTime: momentSchema,
  exitTime: momentSchema.nullable(),
  child: childSchema,
});
export type Entry = z.infer<typeof entrySchema>;

export const stayRoutes = {
  undoCheckInChild: defineRoute({
    id: 'undoCheckInChild',
    method: 'POST',
    path: '/api/children/undo-checkin-child/{id}',
    access: 'staff',
    summary: `Undo a check-in made by mistake, within ${UNDO_WINDOW_SECONDS} seconds: the stay becomes void; kept as a correction`,
    headers: idempotencyHeaders,
    body: entryBodySchema,
    status: 200,
    answer: undoneSchema,
    errors: ['not_found', 'nothing_to_undo', 'undo_too_late', 'idempotency_key_reused'],
  }),
  undoCheckOutChild: defineRoute({
    id: 'undoCheckOutChild',
    method: 'POST',
    path: '/api/children/undo-checkout-child/{id}',
    access: 'staff',
    summary: `Undo a checkout made by mistake, within ${UNDO_WINDOW_SECONDS} seconds: the same stay goes on; kept as a correction`,
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
    summary: `The stay of an entry slip (in the body, so that no log keeps it); at most ${ENTRY_LOOKUPS_PER_MINUTE} a minute for one account`,
    body: entryBodySchema,
    status: 200,
    answer: z.object({ entry: entrySchema }),
    errors: ['not_found', 'too_many_attempts'],
  }),
};
