/**
 * The list that a desk tablet keeps for a time without a connection (decision 055): begun by a sign-in, fetched again while there is a
 * connection, and deleted with the pairing, with the setting, and twelve hours after the sign-in. Who may open it, its screen decides. The
 * ticket for writing (`desk-entries/`) begins and ends with it.
 */
import type { DeskList } from '@haris/contract/desk-list';
import { DESK_TICKET_MS, deskRoutes } from '@haris/contract/http/desk';
import { useSyncExternalStore } from 'react';
import { ApiError } from '../calls/api-error.ts';
import { call } from '../calls/http.ts';
import { serverNow } from '../calls/server-clock.ts';
import { beginClock, noteClock } from '../desk-entries/desk-clock.ts';
import { deleteUnlessWaiting } from '../desk-entries/store.ts';
import { beginTicket, checkTicket, dropTicket } from '../desk-entries/ticket.ts';
import { forgetTold } from '../desk-entries/written.ts';
import { asTablet } from '../tablet/failure.ts';
import { isSecurePage } from '../ui/secure-page.ts';
import { fromBase64Url, importListKey, openSealed } from './sealed-list.ts';
import { canStore, deleteRow, type KeptRow, readRow, writeRow } from './store.ts';

/**
 * `off`: this tablet keeps none. `waiting`: it has a key, and no list yet. `kept`: it has one. `insecure`: it should, but the page was opened
 * without HTTPS. `refused`: the browser keeps nothing.
 */
export type ListState = 'off' | 'waiting' | 'kept' | 'insecure' | 'refused';

/** A clock that was set back further than this is not believed. Milliseconds. */
const SET_BACK_MS = 5 * 60_000;
/** So long a page waits for the deletion: some browsers' databases never answer, and a pairing must begin and end all the same. Milliseconds. */
const DELETION_MS = 3_000;

let state: ListState = 'off';
/** The key of the newest sign-in, until a list that it opens is on disk. */
let newKey: CryptoKey | null = null;
/** Of the newest sign-in in this page; empty without one. */
let signIn = '';
/** Counts sign-ins and deletions: what was begun before one has no effect. */
let turn = 0;
let running: Promise<void> = Promise.resolve();
/** Of this tablet's pairing, by the newest question. */
let token = '';
let next: Promise<void> | null = null;
const listeners = new Set<() => void>();

function become(now: ListState): void {
  if (state === now) return;
  state = now;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Whether this tablet keeps a list, or why it does not. */
export function useListState(): ListState {
  return useSyncExternalStore(subscribe, () => state);
}

/** Waits for a deletion, and not for ever. Never throws. */
async function deleted(work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DELETION_MS);
  });
  // Without a database there is nothing to delete.
  await Promise.race([work.catch(() => {}), waited]);
  clearTimeout(timer);
}

/** Deletes list and key, and ends the ticket: without the list nobody writes. Never throws. */
async function dropList(): Promise<void> {
  turn++;
  newKey = null;
  signIn = '';
  become('off');
  // What was told is of use only beside the list.
  const told = forgetTold(Number.POSITIVE_INFINITY);
  await deleted(Promise.all([deleteRow().catch(() => {}), dropTicket(), told]));
}

/** Deletes what the pairing has left here, but for entries that wait: staff pair the tablet again to deliver them. Never throws. */
export async function endDesk(): Promise<void> {
  await dropList();
  await deleted(deleteUnlessWaiting());
}

/**
 * Begins with the key and the ticket of a sign-in, and fetches the first list. What was kept for the person before is deleted. `offlineKey`
 * undefined: the facility wants no list.
 */
export async function beginList(
  deskToken: string,
  offlineKey: string | undefined,
  offlineTicket: string | undefined,
): Promise<void> {
  const dropped = dropList();
  const mine = turn;
  if (offlineKey === undefined) return dropped;
  if (!isSecurePage() || crypto.subtle === undefined) {
    become('insecure');
    return dropped;
  }
  if (!canStore()) {
    become('refused');
    return;
  }
  become('waiting');
  // At once, so that who hands over meanwhile ends it.
  const begun = beginTicket(offlineTicket);
  await dropped;
  const key = await importListKey(offlineKey).catch(() => null);
  if (mine !== turn) return;
  if (key === null) return dropList();
  newKey = key;
  signIn = crypto.randomUUID();
  await refreshList(deskToken);
  await begun;
}

/** Whether a list must be deleted: its time is over, or this device's clock was set back, so that nobody knows. */
function isOver({ keptAt, endsAt }: KeptRow): boolean {
  const now = Date.now();
  return now >= endsAt || now < keptAt - SET_BACK_MS;
}

/** The row that is in force; null, and deleted, if it is over or cannot be read. */
async function findRow(): Promise<KeptRow | null> {
  const mine = turn;
  const row = await readRow().catch(() => null);
  if (mine !== turn) return null;
  if (row === null || !isOver(row)) return row;
  await dropList();
  return null;
}

/** Finds what was kept before the page was loaded, and deletes it once its time is over. */
export async function checkList(): Promise<void> {
  const mine = turn;
  void checkTicket();
  const row = await findRow();
  // A page that is opened later goes on from there.
  if (row !== null) void noteClock();
  if (mine !== turn || newKey !== null) return;
  if (row !== null) become('kept');
  else if (state === 'kept') become('off');
}

/**
 * Asks the server for the list of now, if the tablet keeps one. One call at a time, and at most one waits, which sees all that has happened until
 * it begins. Never throws: without an answer the list stays as it is.
 */
export function refreshList(deskToken: string): Promise<void> {
  token = deskToken;
  next ??= running.then(() => {
    next = null;
    running = refresh(token).catch(() => {});
    return running;
  });
  return next;
}

async function refresh(deskToken: string): Promise<void> {
  const mine = turn;
  const row = await findRow();
  const held = newKey === null ? row : { key: newKey, signIn };
  if (mine !== turn) return;
  if (held === null) return forgetTold(Number.POSITIVE_INFINITY);
  // The list is at least as new as the question.
  const asOf = serverNow();
  const keptAt = Date.now();
  const known = newKey === null ? row?.revision : undefined;
  const answer = await call(deskRoutes.getDeskList, {
    ...asTablet(deskToken),
    query: { revision: known },
  }).catch((error: unknown) => {
    // Paired no more.
    if (error instanceof ApiError && error.status === 401)
      return { revision: null, sealed: undefined, until: undefined };
    throw error;
  });
  if (mine !== turn) return;
  if (answer.revision === null) return dropList();
  beginClock();
  if (answer.sealed === undefined || answer.until === undefined) {
    if (row !== null && answer.revision === row.revision) await keep({ ...row, asOf, keptAt }, mine);
    return;
  }
  const sealed = fromBase64Url(answer.sealed);
  const isFitting = await openSealed(held.key, sealed).then(
    () => true,
    () => false,
  );
  if (mine !== turn) return;
  // Sealed for another sign-in, for instance one in another tab: nobody here can open it.
  if (!isFitting) return dropList();
  const left = Math.min(DESK_TICKET_MS, Date.parse(answer.until) - asOf);
  await keep({ ...held, sealed, revision: answer.revision, asOf, keptAt, endsAt: keptAt + left }, mine);
}

async function keep(row: KeptRow, mine: number): Promise<void> {
  try {
    await writeRow(row);
  } catch {
    if (mine !== turn) return;
    await dropList();
    become('refused');
    return;
  }
  // Deleted, or begun anew, while it was written.
  if (mine !== turn) return deleteRow().catch(() => {});
  newKey = null;
  become('kept');
  await forgetTold(row.asOf);
}

export interface OpenedList {
  readonly list: DeskList;
  /** When the server last said that it is up to date: milliseconds since 1970. */
  readonly asOf: number;
}

/**
 * Opens the kept list; null, and deleted, if there is none that can be opened. Null also for the list of a sign-in in another page: it is made
 * with the rights of that person.
 */
export async function openList(): Promise<OpenedList | null> {
  const mine = turn;
  const row = await findRow();
  if (row === null || row.signIn !== signIn) return null;
  try {
    return { list: await openSealed(row.key, row.sealed), asOf: row.asOf };
  } catch {
    if (mine === turn) await dropList();
    return null;
  }
}
