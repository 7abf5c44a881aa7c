/**
 * The ticket of the last sign-in at this desk tablet: with it the page of that sign-in writes entries in the person's name (decision 055).
 * On disk, sealed, it also says which page holds the desk: there is one row, and the newest sign-in replaces it.
 */
import { DESK_TICKET_MS } from '@haris/contract/http/desk';
import { useSyncExternalStore } from 'react';
import { randomUuid } from '../calls/random-uuid.ts';
import { getTokenState, subscribeToken } from '../calls/token-store.ts';
import { beginClock } from './desk-clock.ts';
import { makeEntryKey, openTicket, sealTicket } from './entry-seal.ts';
import { deleteTicket, keepKey, readKey, readTicket, type TicketRow, writeTicket } from './store.ts';

/** A clock that was set back further than this is not believed. Milliseconds. */
const SET_BACK_MS = 5 * 60_000;

/** Of this page, while it holds the ticket. */
let page: string | null = null;
/** Counts sign-ins and ends: what was begun before one has no effect. */
let turn = 0;
let hasAskedToPersist = false;
const listeners = new Set<() => void>();

function become(now: string | null): void {
  if (page === now) return;
  page = now;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Whether the person of this page may write entries, as far as this page knows. */
export function useMayWrite(): boolean {
  return useSyncExternalStore(subscribe, () => page !== null);
}

/** Asks the browser, once, not to delete what is stored when it runs out of room. */
function askToPersist(): void {
  if (hasAskedToPersist) return;
  hasAskedToPersist = true;
  const { storage } = navigator as { storage?: StorageManager };
  void storage?.persist?.().catch(() => {});
}

/** The key of this tablet's entries: made at the first need, and kept until the pairing is over and nothing waits. */
async function ownKey(): Promise<CryptoKey> {
  return (await readKey()) ?? keepKey(await makeEntryKey());
}

/**
 * Keeps the ticket of a sign-in in place of the one before. Without one the facility wants no entries. Never throws: where it cannot be kept,
 * this page writes none.
 */
export async function beginTicket(offlineTicket: string | undefined): Promise<void> {
  const mine = ++turn;
  become(null);
  // The sign-in has just been answered.
  beginClock();
  const dropped = deleteTicket().catch(() => {});
  if (offlineTicket === undefined) return dropped;
  askToPersist();
  const next = randomUuid();
  try {
    await dropped;
    const sealed = await sealTicket(await ownKey(), next, offlineTicket);
    if (mine !== turn) return;
    const keptAt = Date.now();
    await writeTicket({ sealed, page: next, keptAt, endsAt: keptAt + DESK_TICKET_MS });
  } catch {
    return;
  }
  if (mine === turn) become(next);
  // Ended, or begun anew, while it was written.
  else await deleteTicket(next).catch(() => {});
}

/** Ends this page's ticket: from the call on it writes nothing. Resolves once the ticket is deleted, and never throws. */
export async function endTicket(): Promise<void> {
  const mine = page;
  turn++;
  become(null);
  // In another page somebody may have signed in since.
  if (mine !== null) await deleteTicket(mine).catch(() => {});
}

// Whoever was signed out writes nothing more: here by whatever button, elsewhere, or by the server.
subscribeToken(() => {
  if (getTokenState().token === null) void endTicket();
});

/** Ends whichever ticket this tablet has. Never throws. */
export async function dropTicket(): Promise<void> {
  turn++;
  become(null);
  await deleteTicket().catch(() => {});
}

/** Whether its time is over, or this device's clock was set back, so that nobody knows. */
function isOver({ keptAt, endsAt }: TicketRow): boolean {
  const now = Date.now();
  return now >= endsAt || now < keptAt - SET_BACK_MS;
}

/** Deletes a ticket whose time is over, also one of a page that is gone. Never throws. */
export async function checkTicket(): Promise<void> {
  const row = await readTicket().catch(() => null);
  if (row === null || !isOver(row)) return;
  if (row.page === page) become(null);
  await deleteTicket(row.page).catch(() => {});
}

export interface HeldTicket {
  readonly ticket: string;
  readonly key: CryptoKey;
  readonly page: string;
}

/** The ticket, if this page holds it; null if it is over, or if somebody has signed in in another page since. Throws if the browser refuses. */
export async function heldTicket(): Promise<HeldTicket | null> {
  const mine = page;
  if (mine === null) return null;
  const [row, key] = await Promise.all([readTicket(), readKey()]);
  // Ended meanwhile.
  if (mine !== page) return null;
  if (row === null || key === null || row.page !== mine || isOver(row)) {
    become(null);
    await checkTicket();
    return null;
  }
  const ticket = await openTicket(key, mine, row.sealed);
  return mine === page ? { ticket, key, page: mine } : null;
}
