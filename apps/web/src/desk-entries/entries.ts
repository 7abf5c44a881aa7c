/**
 * Writes what happens at a desk tablet without a connection (decision 055): sealed, in the name of the person of this page, and on disk before
 * anybody is told that it is done.
 */
import type { EntryPeriod } from '@haris/contract/fields';
import { randomUuid } from '../calls/random-uuid.ts';
import { type DeskTime, deskNow, noteOf } from './desk-clock.ts';
import { randomBase64Url, randomHex, type StoredEntry, sealEntry } from './entry-seal.ts';
import { addEntry } from './store.ts';
import { type HeldTicket, heldTicket } from './ticket.ts';
import { addWritten, loadWritten, type WrittenEntry, writtenNow } from './written.ts';

/** Bytes of the codes of a stay and of its slip, as the server draws them. */
const STAY_CODE_BYTES = 32;
const SLIP_TOKEN_BYTES = 16;

/**
 * Why an entry was not written. `noSignIn`: nobody with a ticket is signed in in this page, any more. `notStored`: the browser refused, or the
 * disk is full. `busy`: another press is being written. `twice`: this desk wrote a check-in of the child already.
 */
export type EntryFailure = 'noSignIn' | 'notStored' | 'busy' | 'twice';

export class EntryError extends Error {
  readonly why: EntryFailure;
  constructor(why: EntryFailure, cause?: unknown) {
    super(`The entry was not written: ${why}`, { cause });
    this.name = 'EntryError';
    this.why = why;
  }
}

export interface OfflineCheckIn {
  readonly childId: string;
  readonly minutes: EntryPeriod;
  readonly roomId: string | null;
  /** Idempotency key of the ordinary call of this press, if it was sent and had no answer. */
  readonly id?: string;
}

export interface WrittenSlip {
  readonly entry: WrittenEntry;
  readonly uniqueEntryId: string;
  /** What the code on the slip says. */
  readonly slipCode: string;
}

let isWriting = false;

/** Writes a check-in. Resolves once it is on disk. Throws {@link EntryError}; then nothing of it is written. */
export async function createEntry(wanted: OfflineCheckIn): Promise<WrittenSlip> {
  if (isWriting) throw new EntryError('busy');
  isWriting = true;
  try {
    // The time of the press, not that of the disk.
    const time = deskNow();
    const held = await heldTicket();
    if (held === null || time === null) throw new EntryError('noSignIn');
    return await write(wanted, held, time);
  } catch (error) {
    throw error instanceof EntryError ? error : new EntryError('notStored', error);
  } finally {
    isWriting = false;
  }
}

async function write(wanted: OfflineCheckIn, held: HeldTicket, time: DeskTime): Promise<WrittenSlip> {
  const { childId, minutes, roomId, id = randomUuid() } = wanted;
  await loadWritten();
  const { entries } = writtenNow();
  // One that the server does not understand may never arrive, and must not keep the child out for good.
  if (entries.some((old) => old.id === id || (old.childId === childId && old.state !== 'refused')))
    throw new EntryError('twice');
  const entry: StoredEntry = {
    kind: 'check_in',
    ticket: held.ticket,
    ...time,
    childId,
    uniqueEntryId: randomBase64Url(STAY_CODE_BYTES),
    slipToken: randomHex(SLIP_TOKEN_BYTES),
    minutes,
    roomId,
  };
  const sealed = await sealEntry(held.key, id, entry);
  const seq = await addEntry({ id, sealed }, noteOf(time), held.page);
  if (seq === null) throw new EntryError('noSignIn');
  const { uniqueEntryId, slipToken } = entry;
  return {
    entry: addWritten({ seq, id, sealed, toldAt: null }, entry),
    uniqueEntryId,
    slipCode: `${uniqueEntryId}.${slipToken}`,
  };
}
