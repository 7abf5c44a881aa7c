/** What a desk tablet writes without a connection: who may, what lies on the disk, and how it reaches the server. */
import { type DeskEntry, type DeskOutcome, deskRoutes } from '@haris/contract/http/desk';
import { act, renderHook, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { setToken } from '../calls/token-store.ts';
import { endDesk } from '../desk-list/kept-list.ts';
import { handle, offline, refuse, server } from '../testing/contract-server.ts';
import { entriesDisk } from '../testing/entries-disk.ts';
import { createEntry, EntryError, type OfflineCheckIn } from './entries.ts';
import { endPause, sendEntries } from './send-entries.ts';
import { beginTicket, checkTicket, endTicket, useMayWrite } from './ticket.ts';
import { useCheckInOffline, useWaitingEntries } from './use-entries.ts';
import { forgetTold, loadWritten, writtenNow } from './written.ts';

vi.mock('./store.ts', async () => (await import('../testing/entries-disk.ts')).entriesStore);

const HOUR = 3_600_000;
const DESK = 'token-of-the-desk-tablet';

const ofChild = (childId: string): OfflineCheckIn => ({ childId, minutes: 60, roomId: 'bees' });
const failureOf = (press: Promise<unknown>) =>
  press.then(
    () => 'written',
    (error: unknown) => (error instanceof EntryError ? error.why : error),
  );
const states = () => writtenNow().entries.map(({ childId, state }) => `${childId} ${state}`);

/** The calls that the server has had, each with its entries. */
let calls: DeskEntry[][];

/** The server answers from now on, each entry with the outcome of its child or `applied`. */
function answer(outcomes: Readonly<Record<string, DeskOutcome>> = {}): void {
  server.use(
    handle(deskRoutes.sendDeskEntries, ({ body: { entries }, headers }) => {
      expect(headers.get('authorization')).toBe(`Bearer ${DESK}`);
      calls.push(entries);
      return { entries: entries.map(({ id, childId }) => ({ id, outcome: outcomes[childId] ?? 'applied' })) };
    }),
  );
}

beforeEach(async () => {
  entriesDisk.reset();
  calls = [];
  endPause();
  await loadWritten();
  await beginTicket('ticket-of-nadia');
});

describe('who signs in', () => {
  test('writes, with a key that no script reads out and a ticket that is not in clear', async () => {
    const { result } = renderHook(useMayWrite);
    expect(result.current).toBe(true);
    expect(entriesDisk.key?.extractable).toBe(false);
    const stored = new TextDecoder('latin1').decode(entriesDisk.ticket?.sealed);
    expect(stored).not.toContain('nadia');
    expect(Number(entriesDisk.ticket?.endsAt) - Number(entriesDisk.ticket?.keptAt)).toBe(12 * HOUR);
    // The key stays, or what waits could not be opened any more.
    const { key, ticket } = entriesDisk;
    await act(() => beginTicket('ticket-of-omar'));
    expect(entriesDisk.key).toBe(key);
    expect(entriesDisk.ticket?.page).not.toBe(ticket?.page);
  });

  test('nobody without a ticket, because the facility does not want it', async () => {
    await beginTicket(undefined);
    expect(entriesDisk.ticket).toBeNull();
    expect(await failureOf(createEntry(ofChild('omar')))).toBe('noSignIn');
  });

  test('nobody where the ticket cannot be kept', async () => {
    entriesDisk.isFull = true;
    await beginTicket('ticket-of-omar');
    expect(await failureOf(createEntry(ofChild('omar')))).toBe('noSignIn');
  });

  test('nobody from the press on “Hand over” on', async () => {
    const pressed = failureOf(createEntry(ofChild('omar')));
    const { result } = renderHook(useMayWrite);
    act(() => void endTicket());
    expect(result.current).toBe(false);
    expect(await pressed).toBe('noSignIn');
    expect(await failureOf(createEntry(ofChild('omar')))).toBe('noSignIn');
    expect(entriesDisk).toMatchObject({ ticket: null, rows: [] });
  });

  test('nor while the entry of a press is on its way to the disk', async () => {
    const gate = Promise.withResolvers<void>();
    entriesDisk.wait = gate.promise;
    const pressed = failureOf(createEntry(ofChild('omar')));
    await waitFor(() => expect(entriesDisk.hasBegun).toBe(true));
    await endTicket();
    gate.resolve();
    expect(await pressed).toBe('noSignIn');
    expect(entriesDisk.rows).toEqual([]);
  });

  test('nobody once the session is over, whoever ended it', async () => {
    setToken('token-of-nadia');
    expect(await failureOf(createEntry(ofChild('omar')))).toBe('written');
    setToken(null);
    expect(await failureOf(createEntry(ofChild('salma')))).toBe('noSignIn');
    await waitFor(() => expect(entriesDisk.ticket).toBeNull());
    expect(entriesDisk.rows).toHaveLength(1);
  });

  test('who hands over while the ticket is being kept leaves none', async () => {
    const begun = beginTicket('ticket-of-omar');
    await endTicket();
    await begun;
    expect(await failureOf(createEntry(ofChild('omar')))).toBe('noSignIn');
    await waitFor(() => expect(entriesDisk.ticket).toBeNull());
  });

  test('nobody here once somebody has signed in in another page, and that ticket stays', async () => {
    const now = Date.now();
    const theirs = { page: 'another', sealed: new Uint8Array(40), keptAt: now, endsAt: now + HOUR };
    entriesDisk.ticket = theirs;
    expect(await failureOf(createEntry(ofChild('omar')))).toBe('noSignIn');
    await endTicket();
    expect(entriesDisk).toMatchObject({ ticket: theirs, rows: [] });
  });

  test.each([
    ['after twelve hours', { endsAt: 0 }],
    ['after the clock of the tablet was set back', { keptAt: Date.now() + HOUR }],
  ])('nobody %s', async (_, over) => {
    const { ticket } = entriesDisk;
    entriesDisk.ticket = ticket && { ...ticket, ...over };
    expect(await failureOf(createEntry(ofChild('omar')))).toBe('noSignIn');
    expect(entriesDisk).toMatchObject({ ticket: null, rows: [] });
  });

  test('a ticket of a page that is gone is deleted in its time', async () => {
    const { ticket } = entriesDisk;
    await checkTicket();
    expect(entriesDisk.ticket).toBe(ticket);
    entriesDisk.ticket = ticket && { ...ticket, page: 'gone', endsAt: Date.now() };
    await checkTicket();
    expect(entriesDisk.ticket).toBeNull();
  });
});

describe('a check-in', () => {
  test('is on disk, sealed, once its press is answered, with the codes of its slip', async () => {
    const { result } = renderHook(() => ({ ...useCheckInOffline(), waiting: useWaitingEntries() }));
    const before = Date.now();
    const slip = await act(() => result.current.checkIn(ofChild('omar')));
    expect(slip.slipCode).toMatch(/^[A-Za-z0-9_-]{43}\.[0-9a-f]{32}$/);
    expect(slip.slipCode.startsWith(`${slip.uniqueEntryId}.`)).toBe(true);
    expect(slip.entry).toMatchObject({ childId: 'omar', minutes: 60, roomId: 'bees', state: 'waiting' });
    expect(Math.abs(slip.entry.at - before)).toBeLessThan(HOUR);
    expect(entriesDisk.rows).toHaveLength(1);
    const text = new TextDecoder('latin1').decode(entriesDisk.rows[0]?.sealed);
    for (const secret of ['omar', 'bees', 'nadia', slip.uniqueEntryId]) expect(text).not.toContain(secret);
    expect(entriesDisk.note?.server).toBe(slip.entry.at);
    expect(result.current).toMatchObject({
      isBusy: false,
      waiting: { isLoaded: true, count: 1, refused: 0, entries: [slip.entry] },
    });
    expect(result.current.waiting.ofChild.get('omar')).toEqual(slip.entry);
    // No codes where screens only count.
    expect(JSON.stringify(result.current.waiting)).not.toContain(slip.uniqueEntryId);
  });

  test('is not written at all on a disk that is full, and can be tried again', async () => {
    entriesDisk.isFull = true;
    expect(await failureOf(createEntry(ofChild('omar')))).toBe('notStored');
    expect(states()).toEqual([]);
    entriesDisk.isFull = false;
    expect(await failureOf(createEntry(ofChild('omar')))).toBe('written');
    expect(states()).toEqual(['omar waiting']);
  });

  test('is written once, whoever presses twice', async () => {
    const both = await Promise.all([1, 2].map(() => failureOf(createEntry(ofChild('omar')))));
    expect(both).toEqual(['written', 'busy']);
    expect(await failureOf(createEntry(ofChild('omar')))).toBe('twice');
    expect(await failureOf(createEntry(ofChild('salma')))).toBe('written');
    expect(entriesDisk.rows).toHaveLength(2);
  });

  test('is not said to be over by a second press', async () => {
    const { result } = renderHook(useCheckInOffline);
    const gate = Promise.withResolvers<void>();
    entriesDisk.wait = gate.promise;
    let first: Promise<unknown> | undefined;
    act(() => {
      first = result.current.checkIn(ofChild('omar'));
    });
    expect(await act(() => failureOf(result.current.checkIn(ofChild('omar'))))).toBe('busy');
    expect(result.current.isBusy).toBe(true);
    gate.resolve();
    await act(async () => {
      await first;
    });
    expect(result.current.isBusy).toBe(false);
    expect(entriesDisk.rows).toHaveLength(1);
  });

  test('has the key of the ordinary call that had no answer', async () => {
    const id = crypto.randomUUID();
    const { entry } = await createEntry({ ...ofChild('omar'), id });
    expect(entry.id).toBe(id);
    expect(entriesDisk.rows[0]?.id).toBe(id);
  });

  test('outlives the page, and keeps its own ticket when others sign in', async () => {
    await createEntry(ofChild('omar'));
    await endTicket();
    await beginTicket('ticket-of-omar');
    await createEntry(ofChild('salma'));
    answer();
    await sendEntries(DESK);
    expect(calls.flat().map(({ childId, ticket }) => `${childId} ${ticket}`)).toEqual([
      'omar ticket-of-nadia',
      'salma ticket-of-omar',
    ]);
  });
});

describe('once the server answers', () => {
  test('all are sent, oldest first, and each is shown until a list has it', async () => {
    for (const child of ['omar', 'salma']) await createEntry(ofChild(child));
    answer();
    expect(await sendEntries(DESK)).toBe(true);
    expect(calls.map((entries) => entries.map(({ childId }) => childId))).toEqual([['omar', 'salma']]);
    expect(calls[0]?.[0]).toMatchObject({ kind: 'check_in', durationInMinutes: 60, roomId: 'bees' });
    expect(states()).toEqual(['omar told', 'salma told']);
    expect(writtenNow()).toMatchObject({ count: 0, refused: 0 });
    // They are not sent again.
    expect(await sendEntries(DESK)).toBe(false);
    expect(calls).toHaveLength(1);
    await forgetTold(Number(entriesDisk.rows[0]?.toldAt) - 1);
    expect(entriesDisk.rows).toHaveLength(2);
    await forgetTold(Number(entriesDisk.rows[0]?.toldAt));
    expect(entriesDisk.rows).toEqual([]);
    expect(states()).toEqual([]);
  });

  test('“later” stays and holds back its child alone; any other answer is one', async () => {
    for (const child of ['omar', 'salma', 'layla']) await createEntry(ofChild(child));
    answer({ omar: 'later', salma: 'conflict', layla: 'already' });
    await sendEntries(DESK);
    expect(calls).toHaveLength(1);
    expect(states()).toEqual(['omar waiting', 'salma told', 'layla told']);
    answer();
    endPause();
    await sendEntries(DESK);
    expect(calls[1]?.map(({ childId }) => childId)).toEqual(['omar']);
    expect(writtenNow().count).toBe(0);
  });

  test('an entry without an answer to its id stays', async () => {
    await createEntry(ofChild('omar'));
    const answers = { entries: [{ id: crypto.randomUUID(), outcome: 'applied' as const }] };
    server.use(handle(deskRoutes.sendDeskEntries, answers));
    expect(await sendEntries(DESK)).toBe(false);
    expect(states()).toEqual(['omar waiting']);
  });

  test('one that it does not understand keeps no other back, and is named', async () => {
    for (const child of ['omar', 'salma', 'layla']) await createEntry(ofChild(child));
    const sizes: number[] = [];
    server.use(
      handle(deskRoutes.sendDeskEntries, ({ body: { entries } }) => {
        sizes.push(entries.length);
        if (entries.some(({ childId }) => childId === 'salma')) return refuse('invalid_request');
        return { entries: entries.map(({ id }) => ({ id, outcome: 'applied' as const })) };
      }),
    );
    expect(await sendEntries(DESK)).toBe(true);
    expect(sizes).toEqual([3, 1, 1, 1]);
    expect(states()).toEqual(['omar told', 'salma refused', 'layla told']);
    expect(writtenNow()).toMatchObject({ count: 0, refused: 1 });
    expect(entriesDisk.rows.find(({ toldAt }) => toldAt === null)).toBeDefined();
    // It does not ask again in this page, nor keep the child out.
    await sendEntries(DESK);
    expect(sizes).toHaveLength(4);
    expect(await failureOf(createEntry(ofChild('salma')))).toBe('written');
  });

  test.each(['no answer', 'storage_full', 'internal_error', 'too_many_attempts', 'unauthenticated'] as const)(
    '%s changes nothing, and there is another try, less and less often',
    async (why) => {
      await createEntry(ofChild('omar'));
      let asked = 0;
      server.use(
        handle(deskRoutes.sendDeskEntries, () => {
          asked++;
          return why === 'no answer' ? offline : refuse(why);
        }),
      );
      for (let tick = 0; tick < 20; tick++) expect(await sendEntries(DESK)).toBe(false);
      expect(asked).toBeGreaterThan(4);
      expect(asked).toBeLessThan(10);
      expect(states()).toEqual(['omar waiting']);
      expect(entriesDisk.rows).toMatchObject([{ toldAt: null }]);
      answer();
      endPause();
      await sendEntries(DESK);
      expect(writtenNow().count).toBe(0);
    },
  );

  test('whoever asks for a day of patience gets five minutes', async () => {
    await createEntry(ofChild('omar'));
    let asked = 0;
    server.use(
      handle(deskRoutes.sendDeskEntries, () => {
        asked++;
        return refuse('unavailable', { retryAfter: 86_400 });
      }),
    );
    for (let tick = 0; tick < 60; tick++) await sendEntries(DESK);
    expect(asked).toBe(1);
    await sendEntries(DESK);
    expect(asked).toBe(2);
  });

  test.each([400, 413])('a proxy that says %i in its place refuses nothing', async (status) => {
    for (const child of ['omar', 'salma']) await createEntry(ofChild(child));
    server.use(http.post('*/api/desk/offline', () => new HttpResponse('no', { status })));
    expect(await sendEntries(DESK)).toBe(false);
    expect(states()).toEqual(['omar waiting', 'salma waiting']);
  });

  test('what arrived before the line failed again is done', async () => {
    for (const child of ['omar', 'salma']) await createEntry(ofChild(child));
    server.use(
      handle(deskRoutes.sendDeskEntries, ({ body: { entries } }) => {
        const [first] = entries;
        if (entries.length > 1) return refuse('invalid_request');
        if (first?.childId !== 'omar') return offline;
        return { entries: [{ id: first.id, outcome: 'applied' }] };
      }),
    );
    expect(await sendEntries(DESK)).toBe(true);
    expect(states()).toEqual(['omar told', 'salma waiting']);
  });

  test('another page of this browser that is at it is left alone', async () => {
    await createEntry(ofChild('omar'));
    answer();
    const request = vi.fn(async (_: string, __: object, work: (lock: null) => unknown) => work(null));
    Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } });
    try {
      expect(await sendEntries(DESK)).toBe(false);
    } finally {
      Reflect.deleteProperty(navigator, 'locks');
    }
    expect(request).toHaveBeenCalledOnce();
    expect(calls).toEqual([]);
    expect(states()).toEqual(['omar waiting']);
  });

  test('what this tablet cannot open is counted, and keeps no other back', async () => {
    for (const child of ['omar', 'salma']) await createEntry(ofChild(child));
    // The first has the text of the second.
    const [first, second] = entriesDisk.rows;
    if (first === undefined || second === undefined) throw new Error('nothing was written');
    const swapped = { ...first, seq: first.seq + 1_000_000, id: crypto.randomUUID(), sealed: second.sealed };
    entriesDisk.rows = [swapped, second];
    answer();
    await sendEntries(DESK);
    expect(calls.flat().map(({ childId }) => childId)).toEqual(['salma']);
    expect(writtenNow()).toMatchObject({ count: 0, refused: 1 });
    expect(entriesDisk.rows).toHaveLength(2);
  });

  test('a disk that was emptied leaves nothing to send, and nobody who may write', async () => {
    await createEntry(ofChild('omar'));
    entriesDisk.reset();
    answer();
    await sendEntries(DESK);
    expect(calls).toEqual([]);
    expect(writtenNow()).toMatchObject({ count: 0, entries: [] });
    expect(await failureOf(createEntry(ofChild('salma')))).toBe('noSignIn');
  });
});

describe('with the pairing', () => {
  test('all ends, but for entries that wait and their key', async () => {
    await createEntry(ofChild('omar'));
    const { key, rows } = entriesDisk;
    await endDesk();
    expect(entriesDisk).toMatchObject({ ticket: null, rows });
    expect(entriesDisk.key).toBe(key);
    // Paired again, it delivers them.
    answer({ omar: 'conflict' });
    await sendEntries(DESK);
    expect(calls.flat().map(({ ticket }) => ticket)).toEqual(['ticket-of-nadia']);
    await endDesk();
    expect(entriesDisk).toMatchObject({ key: null, ticket: null, note: null, rows: [] });
  });
});
