/** What desk tablets told later and what does not fit: staff settle it (decision 055). */
import * as z from 'zod/mini';
import { momentSchema } from '../objects.ts';
import { PROOF_KINDS, RELEASE_REFUSALS } from '../release.ts';
import { defineRoute, listQueryShape, pageShape } from './route.ts';

const NOTE_MAX = 500;
/** Most conflicts that one call keeps as they are. */
export const KEPT_AT_ONCE_MAX = 100;

/**
 * Why an entry is a conflict. `release_refused`: it has had its effect, and would be refused now. The others have none: the tablet's right
 * to write (`switched_off`, `no_ticket`, `ticket_ended`, `too_old`, `no_right`), or what Haris knows of the child.
 */
export const DESK_CONFLICT_REASONS = [
  'switched_off',
  'no_ticket',
  'ticket_ended',
  'too_old',
  'no_right',
  'unknown_child',
  'registration_disowned',
  'already_inside',
  'inside_elsewhere',
  'overlaps',
  'entry_code_taken',
  'unknown_stay',
  'check_in_undone',
  'before_check_in',
  'seen_later',
  'left_twice',
  'other_adult',
  'release_refused',
] as const;
export type DeskConflictReason = (typeof DESK_CONFLICT_REASONS)[number];
/**
 * Reasons of entries without a valid ticket: nobody knows for certain who wrote them. They say nothing about who is inside, and what is
 * taken over is recorded in the name of whoever settles it.
 */
export const WITHOUT_TICKET = [
  'no_ticket',
  'ticket_ended',
  'switched_off',
  'too_old',
] as const satisfies readonly DeskConflictReason[];

/** `name` is null once the account is gone. */
const staffSchema = z.object({ _id: z.string(), name: z.nullable(z.string()) });
/** A guardian or collector of the child; `name` is null once nobody has it. */
const adultSchema = z.object({
  _id: z.string(),
  kind: z.enum(['guardian', 'collector']),
  name: z.nullable(z.string()),
});

/** A stay as Haris has it now. */
const stayNowSchema = z.object({
  entryTime: momentSchema,
  /** Null: the child is inside. */
  exitTime: z.nullable(momentSchema),
  /** The check-in was undone. */
  isVoid: z.boolean(),
  checkedInBy: staffSchema,
  checkedOutBy: z.nullable(staffSchema),
  room: z.nullable(z.string()),
  /** Who took the child, and by which proof; null while nobody is named. */
  adult: z.nullable(adultSchema),
  proof: z.nullable(z.enum(PROOF_KINDS)),
});

const conflictSchema = z
  .object({
    _id: z.string(),
    /** Changes with either side, and once it is settled. */
    revision: z.string(),
    reason: z.enum(DESK_CONFLICT_REASONS),
    /** Why the release would be refused, for staff with `barred.view` only. */
    refusal: z.optional(z.enum(RELEASE_REFUSALS)),
    /** `name` is null for a child that is not known here. */
    child: z.object({ _id: z.string(), name: z.nullable(z.string()) }),
    /** What the desk wrote. */
    desk: z.object({
      kind: z.enum(['check_in', 'check_out']),
      /** The tablet; `name` is null once it is removed. */
      tablet: z.object({ _id: z.string(), name: z.nullable(z.string()) }),
      at: momentSchema,
      /** The time that the tablet claimed, if it could not be. */
      claimedAt: z.nullable(momentSchema),
      /** Whether the tablet's clock may have been changed. */
      isUnsure: z.boolean(),
      /** When the tablet told it. */
      receivedAt: momentSchema,
      /** Null: nobody knows who wrote it. */
      by: z.nullable(staffSchema),
      /** Of a checkout: who took the child, and the kind of the proof. Null where it is not kept, and for a check-in. */
      adult: z.nullable(adultSchema),
      proof: z.nullable(z.enum(PROOF_KINDS)),
    }),
    /** The stay that it is about; null: Haris has none. */
    stay: z.nullable(stayNowSchema),
    /** Whether it can be taken over as the desk wrote it. Otherwise it can only be kept as Haris has it. */
    canTake: z.boolean(),
    /** Null while it is open. */
    settled: z.nullable(
      z.object({
        at: momentSchema,
        by: staffSchema,
        choice: z.enum(['keep', 'take']),
        note: z.nullable(z.string()),
      }),
    ),
  })
  .register(z.globalRegistry, { id: 'DeskConflict' });
export type DeskConflict = z.infer<typeof conflictSchema>;

const revisionSchema = z
  .string('revision is required')
  .check(z.minLength(1, 'revision is required'), z.maxLength(100, 'revision is not one that was given'));

export const deskConflictRoutes = {
  listDeskConflicts: defineRoute({
    id: 'listDeskConflicts',
    method: 'GET',
    path: '/api/desk-conflicts',
    access: 'staff',
    permission: 'children.check_in',
    rows: { conflicts: ['_id'] },
    summary:
      'What desk tablets told later and what does not fit, side by side with what Haris has: the open ones, oldest first, or those that are settled, newest first. `total` counts all of them',
    query: z.object({
      state: z._default(z.enum(['open', 'settled'], { error: 'state must be open or settled' }), 'open'),
      limit: listQueryShape.limit,
      cursor: listQueryShape.cursor,
    }),
    status: 200,
    answer: z.object({ conflicts: z.array(conflictSchema), ...pageShape }),
    errors: [],
  }),
  settleDeskConflict: defineRoute({
    id: 'settleDeskConflict',
    method: 'POST',
    path: '/api/desk-conflicts/{id}/settle',
    access: 'staff',
    permission: 'children.check_in',
    proof: 'by-body',
    summary:
      'Settle one. `keep`: all stays as Haris has it. `take`: what the desk wrote is done with its own time, and the former values are kept as a correction. Of a checkout, who wrote one of the sides needs a proof, and so does `take` if its ticket was not valid',
    body: z.object({
      choice: z.enum(['keep', 'take'], { error: 'choice must be keep or take' }),
      revision: revisionSchema,
      note: z.optional(
        z.pipe(
          z.pipe(
            z.string('The note must be text'),
            z.transform((text) => text.trim()),
          ),
          z.string().check(z.maxLength(NOTE_MAX, `The note may have up to ${NOTE_MAX} characters`)),
        ),
      ),
    }),
    status: 200,
    answer: z.object({ conflict: conflictSchema }),
    errors: ['not_found', 'conflict_changed', 'entry_cannot_be_taken', 'registration_disowned'],
  }),
  keepDeskConflicts: defineRoute({
    id: 'keepDeskConflicts',
    method: 'POST',
    path: '/api/desk-conflicts/keep',
    access: 'staff',
    permission: 'children.check_in',
    proof: 'by-body',
    summary:
      'Settle several with `keep`. Those that have changed since they were read, or that are not there, are left out; `left` counts them. A proof as for one',
    body: z.object({
      conflicts: z
        .array(
          z.object({
            id: z
              .string('must be an id')
              .check(z.minLength(1, 'must be an id'), z.maxLength(100, 'must be an id')),
            revision: revisionSchema,
          }),
        )
        .check(
          z.minLength(1, 'Choose at least one'),
          z.maxLength(KEPT_AT_ONCE_MAX, `At most ${KEPT_AT_ONCE_MAX} at once`),
        ),
    }),
    status: 200,
    answer: z.object({ settled: z.int(), left: z.int() }),
    errors: [],
  }),
};
