/** The list that a desk tablet keeps for a time without a connection: who reads it, what it shows, and when it is gone. */
import { EMPTY_CARE_CARD } from '@haris/contract/care-card';
import type { DeskList } from '@haris/contract/desk-list';
import { accountRoutes } from '@haris/contract/http/accounts';
import { deskRoutes } from '@haris/contract/http/desk';
import { kioskRoutes } from '@haris/contract/http/kiosk';
import { stayRoutes } from '@haris/contract/http/stays';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { KeptRow } from '../../desk-list/store.ts';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, refuse, server } from '../../testing/contract-server.ts';
import { stopClock } from '../../testing/house-clock.ts';
import { childOf, DESK, NADIA, outsideOf, PAIRED, sealedWith, toBase64Url } from '../../testing/kept-list.ts';
import { admin, entryId } from '../../testing/people.ts';
import { renderScreen, settle } from '../../testing/render-screen.tsx';

/** Stands in for the browser's database, which jsdom has not. */
const disk = vi.hoisted(() => {
  const row: { now: unknown } = { now: null };
  return { row, isThere: true, isFull: false, isStuck: false };
});
vi.mock('../../desk-list/store.ts', () => ({
  canStore: () => disk.isThere,
  readRow: async () => disk.row.now,
  writeRow: async (row: unknown) => {
    if (disk.isFull) throw new Error('full');
    disk.row.now = row;
  },
  deleteRow: async () => {
    if (disk.isStuck) await new Promise(() => {});
    disk.row.now = null;
  },
}));
vi.mock(
  '../../desk-entries/store.ts',
  async () => (await import('../../testing/entries-disk.ts')).entriesStore,
);
const kept = () => disk.row.now as KeptRow | null;

const HOUR = 3_600_000;
const listed = (): DeskList => ({
  inside: [
    childOf('Omar Hassan', {
      card: {
        ...EMPTY_CARE_CARD,
        allergies: [
          { allergen: 'peanut', substance: '', severity: 'severe', reaction: '', action: 'Use the pen' },
        ],
      },
    }),
    childOf('Salma Adel', { room: null, guardian: null, isCardUnreadable: true }),
  ],
  outside: [outsideOf('Layla Hassan')],
  checkIn: null,
});

/** The key of each sign-in. */
const keyBytes = new Uint8Array(32).fill(7);

/** The calls for the list. */
let asked: { revision: string | undefined; authorization: string | null }[];

/** The server has this list from now on. */
function serve(list: DeskList, { revision = 'one', bytes = keyBytes } = {}): void {
  server.use(
    handle(deskRoutes.getDesk, DESK),
    handle(deskRoutes.getDeskList, async ({ query, headers }) => {
      asked.push({ revision: query.revision, authorization: headers.get('authorization') });
      if (query.revision === revision) return { revision };
      const until = new Date(Date.now() + 12 * HOUR).toISOString();
      return { revision, sealed: await sealedWith(bytes, list), until };
    }),
  );
}

function cutOff(): void {
  server.use(handle(deskRoutes.getDesk, offline), handle(deskRoutes.getDeskList, offline));
}

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true);
  asked = [];
  Object.assign(disk, { isThere: true, isFull: false, isStuck: false });
  disk.row.now = null;
  localStorage.setItem('haris.desk', JSON.stringify(PAIRED));
  serve(listed());
});

interface Signing {
  readonly language?: 'en' | 'ar';
  readonly offlineKey?: string;
}

/** Nadia signs in; without `offlineKey` the facility wants no list. */
async function takeOver({ language = 'en', ...key }: Signing = { offlineKey: toBase64Url(keyBytes) }) {
  server.use(
    handle(deskRoutes.signInAtDesk, {
      token: `token-of-nadia-${'x'.repeat(30)}`,
      admin: admin({ _id: NADIA._id, name: NADIA.name }),
      idleMinutes: 2,
      ...key,
    }),
    handle(deskRoutes.pressSession, undefined),
    handle(accountRoutes.logout, undefined),
  );
  if (language === 'ar') localStorage.setItem('haris.desk', JSON.stringify({ ...PAIRED, language }));
  const opened = await renderScreen('/desk', { language });
  await opened.user.click(await screen.findByRole('button', { name: /Nadia Farouk/ }));
  await opened.user.keyboard('830561');
  await screen.findByRole('button', { name: language === 'ar' ? 'تسليم الجهاز' : 'Hand over' });
  return opened;
}

const BUTTON = 'Show who is inside';
const alerts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent ?? '');
const hasWords = (words: RegExp | string) =>
  waitFor(() => expect(alerts().some((text) => text.match(words) !== null)).toBe(true));

/** Signs in, loses the connection, and opens the list. */
async function openInside() {
  const { pass } = stopClock();
  const { user } = await takeOver();
  await waitFor(() => expect(kept()).not.toBeNull());
  cutOff();
  await pass(16_000);
  await user.click(await screen.findByRole('button', { name: BUTTON }));
  return { user, pass, dialog: await screen.findByRole('dialog', { name: '2 children inside' }) };
}

describe('while there is a connection', () => {
  test('the list is fetched with the tablet’s own token and kept sealed, with a key that no script reads out', async () => {
    await takeOver();
    await waitFor(() => expect(kept()?.revision).toBe('one'));
    expect(asked[0]).toEqual({ revision: undefined, authorization: `Bearer ${PAIRED.token}` });
    expect(kept()?.key.extractable).toBe(false);
    expect(kept()?.key.usages).toEqual(['decrypt']);
    const stored =
      new TextDecoder('latin1').decode(kept()?.sealed) +
      JSON.stringify({ ...localStorage, ...sessionStorage });
    expect(stored).not.toMatch(/Omar|Hassan|01001234567/);
    expect(stored).not.toContain(toBase64Url(keyBytes));
    expect(screen.queryByRole('button', { name: BUTTON })).toBeNull();
  });

  test('it is asked for again each half minute, and replaced only by a newer one', async () => {
    const { pass } = stopClock();
    await takeOver();
    await waitFor(() => expect(kept()?.revision).toBe('one'));
    const first = kept();
    await pass(31_000);
    await waitFor(() => expect(asked.at(-1)?.revision).toBe('one'));
    await waitFor(() => expect(kept()?.asOf).toBeGreaterThan(Number(first?.asOf)));
    expect(kept()?.sealed).toBe(first?.sealed);
    serve({ inside: [], outside: [], checkIn: null }, { revision: 'two' });
    await pass(31_000);
    await waitFor(() => expect(kept()?.revision).toBe('two'));
  });

  test('one that this sign-in’s key does not open is not kept, and neither is the one before', async () => {
    const { pass } = stopClock();
    await takeOver();
    await waitFor(() => expect(kept()?.revision).toBe('one'));
    serve(listed(), { revision: 'two', bytes: new Uint8Array(32).fill(8) });
    await pass(31_000);
    await waitFor(() => expect(kept()).toBeNull());
  });

  test('nothing is asked for or kept where the facility wants no list', async () => {
    const { pass } = stopClock();
    await takeOver({});
    await pass(31_000);
    expect(asked).toEqual([]);
    expect(kept()).toBeNull();
    cutOff();
    await pass(16_000);
    expect(screen.queryByRole('button', { name: BUTTON })).toBeNull();
  });

  test('a refusal is an answer, so there is no talk of a lost connection', async () => {
    const { pass } = stopClock();
    await takeOver();
    await waitFor(() => expect(kept()).not.toBeNull());
    let answered = 0;
    server.use(
      handle(deskRoutes.getDesk, () => {
        answered++;
        return refuse('internal_error');
      }),
    );
    for (let round = 1; round <= 4; round++) {
      await pass(5_500);
      await waitFor(() => expect(answered).toBeGreaterThanOrEqual(round));
    }
    expect(screen.queryByRole('button', { name: BUTTON })).toBeNull();
  });
});

describe('without a connection', () => {
  test('it takes fifteen seconds without an answer', async () => {
    const { pass } = stopClock();
    await takeOver();
    await waitFor(() => expect(kept()).not.toBeNull());
    cutOff();
    await pass(10_000);
    expect(screen.queryByRole('button', { name: BUTTON })).toBeNull();
    await pass(6_000);
    expect(await screen.findByRole('button', { name: BUTTON })).toBeVisible();
    await expectAccessible();
    serve(listed());
    await pass(6_000);
    await waitFor(() => expect(screen.queryByRole('button', { name: BUTTON })).toBeNull());
  });

  test.each(['unavailable', 'storage_full'] as const)(
    '%s is either no server or an answer by its status',
    async (code) => {
      const { pass } = stopClock();
      await takeOver();
      await waitFor(() => expect(kept()).not.toBeNull());
      server.use(handle(deskRoutes.getDesk, refuse(code)));
      for (let round = 0; round < 4; round++) await pass(5_500);
      const button = () => screen.queryByRole('button', { name: BUTTON });
      // 503 is a proxy’s word too; 507 comes from Haris alone.
      if (code === 'unavailable') await waitFor(() => expect(button()).not.toBeNull());
      else await waitFor(() => expect(button()).toBeNull());
    },
  );

  test('it shows who is inside with room, time left, guardian and signs, and since when it is', async () => {
    const { dialog } = await openInside();
    const inside = within(dialog);
    const omar = within(inside.getByText('Omar Hassan').closest('li') as HTMLElement);
    expect(omar.getByText('Bees')).toBeVisible();
    expect(omar.getByRole('timer', { name: 'Time left for Omar Hassan' })).toBeVisible();
    expect(omar.getByRole('link', { name: 'Call Mother of Omar Hassan, 01001234567' })).toHaveAttribute(
      'href',
      'tel:01001234567',
    );
    const salma = within(inside.getByText('Salma Adel').closest('li') as HTMLElement);
    expect(salma.getByText('No room')).toBeVisible();
    expect(salma.getByText('No guardian on this list')).toBeVisible();
    expect(salma.queryByRole('link')).toBeNull();
    expect(inside.getByText(/^as of \d/)).toBeVisible();
    // Only to read.
    expect(inside.queryByText('Layla Hassan')).toBeNull();
    expect(inside.queryByRole('checkbox')).toBeNull();
    await expectAccessible();
  });

  test('a press on the sign opens the care card; one that could not be read says so', async () => {
    const { user, dialog } = await openInside();
    await user.click(within(dialog).getByRole('button', { name: /Omar Hassan/ }));
    const card = await screen.findByRole('dialog', { name: 'Care card: Omar Hassan' });
    expect(within(card).getByText('Use the pen')).toBeVisible();
    await user.click(within(card).getByRole('button', { name: 'Close' }));
    await user.click(within(dialog).getByRole('button', { name: /Salma Adel/ }));
    expect(await screen.findByText(/could not be read\. Ask before/)).toBeVisible();
  });

  test('the search finds by sound, by guardian and who is not inside', async () => {
    const { user, dialog } = await openInside();
    const box = within(dialog).getByRole('searchbox', { name: 'Search by name' });
    await user.type(box, 'hasan');
    expect(within(dialog).getByText('Omar Hassan')).toBeVisible();
    expect(within(dialog).queryByText('Salma Adel')).toBeNull();
    const outside = within(dialog).getByRole('region', { name: 'Not inside' });
    expect(within(outside).getByText('Layla Hassan')).toBeVisible();
    await user.clear(box);
    await user.type(box, 'zzzz');
    expect(within(dialog).getByText('Nobody with this name.')).toBeVisible();
  });

  test('that is over says so, and the list is left by “Back”', async () => {
    const { user, pass, dialog } = await openInside();
    expect(within(dialog).getByText(/^No connection\./)).toBeVisible();
    serve(listed());
    await pass(6_000);
    expect(await within(dialog).findByText(/The connection is back/)).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(screen.queryByText('Omar Hassan')).toBeNull());
  });

  test('takes no slip: what is scanned over the list looks nothing up behind it', async () => {
    const asked: string[] = [];
    server.use(
      handle(stayRoutes.findEntry, ({ body }) => {
        asked.push(body.uniqueEntryId);
        return refuse('not_found');
      }),
    );
    const { dialog } = await openInside();
    /** False if the Enter at its end was taken. */
    const scan = (at: Element, code: string) =>
      [...code, 'Enter'].map((key) => fireEvent.keyDown(at, { key, code: '' })).at(-1);
    const before = entryId();
    // The dashboard loads its dialog with the first scan; later ones are asked for at once.
    scan(document.body, before);
    await waitFor(() => expect(asked).toEqual([before]));
    expect(scan(within(dialog).getByRole('searchbox'), entryId())).toBe(false);
    await settle();
    expect(asked).toEqual([before]);
  });

  test('nobody inside is said', async () => {
    const { pass } = stopClock();
    serve({ inside: [], outside: [], checkIn: null });
    const { user } = await takeOver();
    await waitFor(() => expect(kept()).not.toBeNull());
    cutOff();
    await pass(16_000);
    await user.click(await screen.findByRole('button', { name: BUTTON }));
    expect(await screen.findByText('Nobody was inside.')).toBeVisible();
  });

  test('in Arabic', async () => {
    const { pass } = stopClock();
    const { user } = await takeOver({ language: 'ar', offlineKey: toBase64Url(keyBytes) });
    await waitFor(() => expect(kept()).not.toBeNull());
    cutOff();
    await pass(16_000);
    await user.click(await screen.findByRole('button', { name: 'عرض الموجودين في الداخل' }));
    expect(await screen.findByRole('dialog', { name: 'طفلان في الداخل' })).toBeVisible();
    expect(screen.getByText(/^حتى الساعة/)).toBeVisible();
  });
});

describe('who reads it', () => {
  test('nobody after “Hand over”: the tablet is shut, and says so', async () => {
    const { user, pass, dialog } = await openInside();
    await user.click(within(dialog).getByRole('button', { name: 'Hand over' }));
    await pass(6_000);
    expect(await screen.findByText(/opens only for somebody who was signed in/)).toBeVisible();
    expect(screen.queryByRole('button', { name: BUTTON })).toBeNull();
    expect(document.body.textContent).not.toMatch(/Omar Hassan|Salma Adel/);
  });

  test('nobody from the press on “Hand over” on, while the sign-out waits for an answer that does not come', async () => {
    const ended = Promise.withResolvers<void>();
    // The sign-out must be over before the next test.
    onTestFinished(() => ended.resolve());
    const { user, pass, dialog } = await openInside();
    server.use(
      handle(accountRoutes.logout, async (): Promise<typeof offline> => {
        await ended.promise;
        return offline;
      }),
    );
    await user.click(within(dialog).getByRole('button', { name: 'Hand over' }));
    expect(screen.queryByText('Omar Hassan')).toBeNull();
    ended.resolve();
    await pass(6_000);
    expect(await screen.findByText(/opens only for somebody who was signed in/)).toBeVisible();
  });

  test('nobody in another page than that of the sign-in, because the list has what that person may see', async () => {
    const { pass } = stopClock();
    const { user } = await takeOver();
    await waitFor(() => expect(kept()).not.toBeNull());
    cutOff();
    await pass(16_000);
    const button = await screen.findByRole('button', { name: BUTTON });
    disk.row.now = { ...kept(), signIn: 'in-another-page' };
    await user.click(button);
    expect(await screen.findByText('The list could not be opened.')).toBeVisible();
    expect(document.body.textContent).not.toMatch(/Omar Hassan|Salma Adel/);
    expect(kept()).not.toBeNull();
  });

  test('nobody once the time without a press is over', async () => {
    const { pass } = await openInside();
    await pass(121_000);
    await waitFor(() => expect(screen.queryByText('Omar Hassan')).toBeNull());
    expect(screen.queryByRole('button', { name: BUTTON })).toBeNull();
  });

  test('nobody who comes to a tablet at which nobody was signed in', async () => {
    const { pass } = stopClock();
    const { user } = await takeOver();
    await waitFor(() => expect(kept()).not.toBeNull());
    await user.click(screen.getByRole('button', { name: 'Hand over' }));
    await screen.findByRole('heading', { name: 'Who are you?' });
    // Locked, it goes on keeping a fresh list.
    const before = asked.length;
    await pass(31_000);
    await waitFor(() => expect(asked.length).toBeGreaterThan(before));
    cutOff();
    await pass(16_000);
    expect(await screen.findByRole('heading', { name: 'No connection' })).toBeVisible();
    expect(screen.queryByRole('button', { name: BUTTON })).toBeNull();
    expect(document.body.textContent).not.toContain('Omar Hassan');
    expect(kept()).not.toBeNull();
  });
});

describe('it is deleted', () => {
  test('when the server says that the tablet must keep none', async () => {
    const { pass } = stopClock();
    await takeOver();
    await waitFor(() => expect(kept()).not.toBeNull());
    server.use(handle(deskRoutes.getDeskList, { revision: null }));
    await pass(31_000);
    await waitFor(() => expect(kept()).toBeNull());
    cutOff();
    await pass(16_000);
    expect(screen.queryByRole('button', { name: BUTTON })).toBeNull();
  });

  test('when the tablet is paired no more', async () => {
    const { pass } = stopClock();
    await takeOver();
    await waitFor(() => expect(kept()).not.toBeNull());
    server.use(handle(deskRoutes.getDeskList, refuse('unauthenticated')));
    await pass(31_000);
    await waitFor(() => expect(kept()).toBeNull());
  });

  test('when a locked tablet finds that it was removed', async () => {
    const { user } = await takeOver();
    await waitFor(() => expect(kept()).not.toBeNull());
    await user.click(screen.getByRole('button', { name: 'Hand over' }));
    await screen.findByRole('heading', { name: 'Who are you?' });
    server.use(
      handle(deskRoutes.getDesk, refuse('unauthenticated')),
      handle(deskRoutes.getDeskList, refuse('unauthenticated')),
    );
    window.dispatchEvent(new Event('online'));
    expect(await screen.findByText(/no longer a shared desk/)).toBeVisible();
    await waitFor(() => expect(kept()).toBeNull());
  });

  test('twelve hours after the sign-in, also without a connection and while somebody reads', async () => {
    const { pass, dialog } = await openInside();
    const row = kept();
    expect(Number(row?.endsAt) - Number(row?.keptAt)).toBeLessThanOrEqual(12 * HOUR);
    expect(Number(row?.endsAt) - Number(row?.keptAt)).toBeGreaterThan(12 * HOUR - 60_000);
    // Rather than the clock, whose jump would end the person's time.
    disk.row.now = { ...row, endsAt: Date.now() - 1 };
    await pass(31_000);
    await waitFor(() => expect(kept()).toBeNull());
    expect(await within(dialog).findByText('This tablet does not keep the list any more.')).toBeVisible();
    expect(document.body.textContent).not.toContain('Omar Hassan');
  });

  test('when the clock of the tablet was set back, so that its age is unknown', async () => {
    const { pass } = stopClock();
    await takeOver();
    await waitFor(() => expect(kept()).not.toBeNull());
    cutOff();
    await pass(16_000);
    await screen.findByRole('button', { name: BUTTON });
    // By now no answer can write the row again.
    disk.row.now = { ...kept(), keptAt: Date.now() + HOUR };
    await pass(31_000);
    await waitFor(() => expect(kept()).toBeNull());
  });
});

test('a database that never answers keeps no tablet from being paired', async () => {
  localStorage.removeItem('haris.desk');
  disk.isStuck = true;
  server.use(handle(kioskRoutes.pairKiosk, { kioskId: 'desk-1', name: PAIRED.name, token: PAIRED.token }));
  await renderScreen('/desk/ABCDE-FGHJK');
  expect(await screen.findByRole('heading', { name: 'Who are you?' })).toBeVisible();
});

describe('where a tablet can keep none, it says why', () => {
  test.each([
    ['without HTTPS', () => vi.stubGlobal('isSecureContext', false), /not opened over HTTPS/],
    ['without a database', () => Object.assign(disk, { isThere: false }), /its browser stores nothing/],
    ['with a full disk', () => Object.assign(disk, { isFull: true }), /its browser stores nothing/],
  ])('%s', async (_, prepare, words) => {
    prepare();
    const { pass } = stopClock();
    await takeOver();
    cutOff();
    await pass(16_000);
    await hasWords(words);
    expect(screen.queryByRole('button', { name: BUTTON })).toBeNull();
    expect(kept()).toBeNull();
  });
});
