/** The search by which staff find a child or a family from any screen (contract §4). */
import * as z from 'zod/mini';
import { entryPeriodSchema, stayEndSchema } from '../fields.ts';
import { childSchema, parentSchema } from '../objects.ts';
import { defineRoute } from './route.ts';

/** Searches that one account may make in a row, and per second afterwards. */
export const SEARCHES_AT_ONCE = 60;
export const SEARCHES_PER_SECOND = 5;

const SEARCH_LIMIT_MAX = 50;
const SEARCH_LIMIT_DEFAULT = 10;

const limitMessage = `limit must be a whole number from 1 to ${SEARCH_LIMIT_MAX}`;

/** How the family checked in last: the children who came together, and for how long. */
export const usualEntrySchema = z.object({
  childIds: z.array(z.string()),
  /** Null if it was not one of the periods, or if there is none. */
  minutes: z.nullable(entryPeriodSchema),
  /** The end that was chosen instead of a period; `at` is when that stay was to end. */
  end: z.optional(stayEndSchema),
});
export type UsualEntry = z.infer<typeof usualEntrySchema>;

/** Place in the order of children and parents together, 0 the best. */
const rankSchema = z.int().check(z.nonnegative());

const foundChildSchema = z
  .object({
    rank: rankSchema,
    child: childSchema,
    /** `name`: the confirmed name; `proposed`: a name that waits for staff. */
    by: z.enum(['name', 'proposed']),
    /** The child's family, with the siblings. */
    parent: parentSchema,
    usual: usualEntrySchema,
  })
  .register(z.globalRegistry, { id: 'FoundChild' });
export type FoundChild = z.infer<typeof foundChildSchema>;

const foundParentSchema = z
  .object({ rank: rankSchema, parent: parentSchema, usual: usualEntrySchema })
  .register(z.globalRegistry, { id: 'FoundParent' });
export type FoundParent = z.infer<typeof foundParentSchema>;

export const searchRoutes = {
  search: defineRoute({
    id: 'search',
    method: 'GET',
    path: '/api/search',
    access: 'staff',
    permission: 'families.view',
    rows: { children: ['child._id'], parents: ['parent._id'] },
    summary:
      'Children and parents by name in either script and with typing errors, parents also by e-mail or the digits of their phone; best first. Without `q`: the first parents by name',
    query: z.object({
      q: z._default(
        z.pipe(
          z.string().check(z.maxLength(200, 'Search may have up to 200 characters')),
          z.transform((text) => text.trim()),
        ),
        '',
      ),
      limit: z._default(
        z
          .pipe(z.string().check(z.regex(/^[0-9]{1,9}$/, limitMessage)), z.transform(Number))
          .check(z.refine((limit) => limit >= 1 && limit <= SEARCH_LIMIT_MAX, { error: limitMessage })),
        SEARCH_LIMIT_DEFAULT,
      ),
    }),
    status: 200,
    answer: z.object({ children: z.array(foundChildSchema), parents: z.array(foundParentSchema) }),
    errors: ['too_many_attempts'],
  }),
};
