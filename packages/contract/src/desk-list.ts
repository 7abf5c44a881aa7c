/** What a desk tablet keeps, sealed, for a time without a connection (decision 055). */
import * as z from 'zod/mini';
import { careCardSchema } from './care-card.ts';
import { momentSchema } from './objects.ts';

const keptChildSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Staff never confirmed the name or the photo. */
  isUnconfirmed: z.boolean(),
  /** The first guardian; null if nobody may be named. */
  guardian: z.nullable(z.object({ name: z.string(), phone: z.nullable(z.string()) })),
  room: z.nullable(z.string()),
  entryTime: momentSchema,
  /** In whole minutes from `entryTime`. */
  duration: z.int(),
  /** Null without one, and if the list is for somebody who may not see it. */
  card: z.nullable(careCardSchema),
  /** There is a care card that could not be read: nobody must take the child for one without allergies. */
  isCardUnreadable: z.boolean(),
});
export type KeptChild = z.infer<typeof keptChildSchema>;

/** The children of a facility: all of them are in one of the two, in the order of their names. */
export const deskListSchema = z.object({
  inside: z.array(keptChildSchema),
  outside: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type DeskList = z.infer<typeof deskListSchema>;

/** What the sealed list is bound to, so that nothing else that is sealed with its key opens as one. */
export const DESK_LIST_CONTEXT = 'desk list';
