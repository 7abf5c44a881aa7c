/** What is kept of an entry of a desk tablet beside ids and times, sealed with the child's key (decision 055). */
import { describeFailure } from '@haris/runtime/log';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { DeskConflictRow } from '../../db/desk-conflicts.ts';
import type { DataKey } from '../../vault/vault.ts';

/** Of a checkout: who took the child, and the kind of the proof. Of a check-in: for how long, and into which room. */
const detailsSchema = z.union([
  z.object({ collectorId: z.string(), proof: z.enum(['slip', 'pass', 'known']) }),
  z.object({ durationInMinutes: z.int(), roomId: z.string().optional() }),
]);
export type EntryDetails = z.infer<typeof detailsSchema>;

/** Where the details of an entry are sealed. */
export const entryPlace = (id: string): string => `desk entry ${id}`;
/** Where what staff wrote about an entry is sealed. */
export const notePlace = (id: string): string => `note of desk entry ${id}`;

/** The details of an entry; null if none are kept, or they cannot be read. */
export function openDetails(
  { log }: Pick<Context, 'log'>,
  key: DataKey | undefined,
  { id, sealed }: Pick<DeskConflictRow, 'id' | 'sealed'>,
): EntryDetails | null {
  if (!key || sealed === null) return null;
  try {
    return detailsSchema.parse(JSON.parse(key.open(entryPlace(id), sealed).toString('utf8')));
  } catch (error) {
    log.error(describeFailure(error), 'what a desk tablet told could not be read');
    return null;
  }
}
