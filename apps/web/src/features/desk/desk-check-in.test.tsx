/** Check-ins at a desk tablet without a connection: who may, what the screen says until they are sent, the slip, and what comes after. */
import type { DeskList } from '@haris/contract/desk-list';
import { accountRoutes } from '@haris/contract/http/accounts';
import { type DeskEntry, type DeskOutcome, deskRoutes } from '@haris/contract/http/desk';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, refuse, server } from '../../testing/contract-server.ts';
import { entriesDisk } from '../../testing/entries-disk.ts';
import { stopClock } from '../../testing/house-clock.ts';
import { childOf, DESK, NADIA, outsideOf, PAIRED, sealedWith, toBase64Url } from '../../testing/kept-list.ts';
import { admin, LONG_NAME } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

/** Stands in for the browser's database of the list, which jsdom has not. */
const disk = vi.hoisted((): { now: unknown } => ({ now: null }));
vi.mock('../../desk-list/store.ts', () => ({
  canStore: () => true,
  readRow: async () => disk.now,
  writeRow: async (row: unknown) => {
    disk.now = row;
  },
  deleteRow: async () => {
    disk.now = null;
  },
}));
vi.mock(
  '../../desk-entries/store.ts',
  async () => (await import('../../testing/entries-disk.ts')).entriesStore,
);

const HOUR = 3_600_000;
const TICKET = 'ticket-of-nadia';
const keyBytes = new Uint8Array(32).fill(7);
const bees = { id: 'room-bees', name: 'Bees', isDefault: true };
const cats = { id: 'room-cats', name: 'Cats', isDefault: false };

const listed = (over: Partial<DeskList> = {}): DeskList => ({
  inside: [childOf('Omar Hassan')],
  outside: [
    outsideOf('Layla Hassan'),
    outsideOf('Youssef Adel', { guardian: null, homeRoomId: 'room-cats' }),
  ],
  checkIn: { rooms: [bees, cats] },
  ...over,
});

/** The server has this list from now on. */
function serve(list: DeskList, revision = 'one'): void {
  server.use(
    handle(deskRoutes.getDesk, DESK),
    handle(deskRoutes.getDeskList, async ({ query }) => {
      if (query.revision === revision) return { revision };
      const until = new Date(Date.now() + 12 * HOUR).toISOString();
      return { revision, sealed: await sealedWith(keyBytes, list), until };
    }),
  );
}

function cutOff(): void {
  server.use(
    handle(deskRoutes.getDesk, offline),
    handle(deskRoutes.getDeskList, offline),
    handle(deskRoutes.sendDeskEntries, offline),
  );
}

/** The server takes what the tablet sends, after `wait`. Returns what it got. */
function take(outcome: DeskOutcome, wait: Promise<void> = Promise.resolve()): DeskEntry[] {
  const got: DeskEntry[] = [];
  server.use(
    handle(deskRoutes.sendDeskEntries, async ({ body, headers }) => {
      await wait;
      expect(headers.get('authorization')).toBe(`Bearer ${PAIRED.token}`);
      got.push(...body.entries);
      return { entries: body.entries.map(({ id }) => ({ id, outcome })) };
    }),
  );
  return got;
}

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true);
  disk.now = null;
  entriesDisk.reset();
  localStorage.setItem('haris.desk', JSON.stringify(PAIRED));
});

interface Opening {
  readonly list?: DeskList;
  readonly language?: 'en' | 'ar';
  readonly size?: 'desk' | 'phone';
  readonly hasTicket?: boolean;
}

/** Nadia signs in, the connection goes, and she opens the list. */
async function openInside(opening: Opening = {}) {
  const { list = listed(), language = 'en', size = 'desk', hasTicket = true } = opening;
  const { pass } = stopClock();
  serve(list);
  server.use(
    handle(deskRoutes.signInAtDesk, {
      token: `token-of-nadia-${'x'.repeat(30)}`,
      admin: admin({ _id: NADIA._id, name: NADIA.name }),
      idleMinutes: 60,
      offlineKey: toBase64Url(keyBytes),
      ...(hasTicket ? { offlineTicket: TICKET } : {}),
    }),
    handle(deskRoutes.pressSession, undefined),
    handle(accountRoutes.logout, undefined),
  );
  localStorage.setItem('haris.desk', JSON.stringify({ ...PAIRED, language }));
  const { user, router } = await renderScreen('/desk', { language, size });
  await user.click(await screen.findByRole('button', { name: /Nadia Farouk/ }));
  await user.keyboard('830561');
  await waitFor(() => expect(disk.now).not.toBeNull());
  if (hasTicket) await waitFor(() => expect(entriesDisk.ticket).not.toBeNull());
  // The bar loads after the list is kept, and only then are seconds without an answer counted.
  await screen.findByRole('button', { name: language === 'ar' ? 'تسليم الجهاز' : 'Hand over' });
  // What an earlier test left in memory goes with a look at the disk.
  window.dispatchEvent(new Event('online'));
  cutOff();
  await pass(16_000);
  await user.click(
    await screen.findByRole('button', {
      name: language === 'ar' ? 'عرض الموجودين في الداخل' : 'Show who is inside',
    }),
  );
  // The number is there once the list is open.
  const dialog = await screen.findByRole('dialog', { name: language === 'ar' ? /^طفل/ : /^\d+ child/ });
  return { user, router, pass, dialog, inside: within(dialog) };
}

type Opened = Awaited<ReturnType<typeof openInside>>;

/** Finds a child by name and opens its check-in. */
async function ask({ user, inside }: Opened, typed: string, name: string) {
  const box = inside.getByRole('searchbox');
  await user.clear(box);
  await user.type(box, typed);
  await user.click(await inside.findByRole('button', { name: `Check in ${name}` }));
  return within(await screen.findByRole('dialog', { name: `Check in \u2068${name}\u2069` }));
}

async function checkIn(opened: Opened, typed = 'layla', name = 'Layla Hassan') {
  const asked = await ask(opened, typed, name);
  await opened.user.click(asked.getByRole('button', { name: 'Check in' }));
  await opened.inside.findByText(/^written here at .+, not sent yet$/);
}

const rowOf = ({ inside }: Opened, name: string) =>
  within(inside.getByText(name, { selector: 'strong bdi' }).closest('li') as HTMLElement);

/** The server answers again, and the tablet notices. */
async function comeBack({ pass }: Opened): Promise<void> {
  await pass(6_000);
  window.dispatchEvent(new Event('online'));
  await pass(6_000);
}

describe('a check-in', () => {
  test('is two presses, and the child stands among who is inside, with the words that it was not sent', async () => {
    const opened = await openInside();
    const { user, inside } = opened;
    expect(inside.getByText(/You can check children in/)).toBeVisible();
    const asked = await ask(opened, 'layla', 'Layla Hassan');
    expect(asked.getByText('Mother of Layla Hassan')).toBeVisible();
    expect(asked.getByRole('combobox', { name: 'Room' })).toHaveValue('room-bees');
    expect(asked.getByRole('radio', { name: '30 minutes' })).toBeChecked();
    expect(asked.getByText(/^until /)).toBeVisible();
    await expectAccessible();
    await user.click(asked.getByRole('radio', { name: '2 hours' }));
    await user.click(asked.getByRole('button', { name: 'Check in' }));
    expect(await inside.findByText(/^\u2068Layla Hassan\u2069 is checked in/)).toBeVisible();
    await inside.findByText(/^written here at .+, not sent yet$/);
    const row = rowOf(opened, 'Layla Hassan');
    expect(row.getByText('Bees')).toBeVisible();
    expect(row.getByText(/^due /)).toBeVisible();
    expect(row.getByRole('timer', { name: 'Time left for Layla Hassan' })).toBeVisible();
    expect(inside.getByRole('heading', { name: '2 children inside' })).toBeVisible();
    expect(inside.getByText('1 entry waits to be sent')).toBeVisible();
    expect(inside.queryByRole('button', { name: 'Check in Layla Hassan' })).toBeNull();
    expect(entriesDisk.rows).toHaveLength(1);
    await expectAccessible();
  });

  test('by keyboard alone, also on a phone, and the slip has the focus after it', async () => {
    const opened = await openInside({ size: 'phone' });
    const { user, inside } = opened;
    // Four letters as fast as tests type them, and Enter, are what a scanner does.
    await user.type(inside.getByRole('searchbox'), 'lay');
    inside.getByRole('button', { name: 'Check in Layla Hassan' }).focus();
    await user.keyboard('{Enter}');
    const asked = within(await screen.findByRole('dialog', { name: /^Check in/ }));
    expect(asked.getByRole('button', { name: 'Check in' })).toHaveFocus();
    await user.keyboard('{Enter}');
    await inside.findByText(/not sent yet$/);
    const [slip] = inside.getAllByRole('button', { name: 'Print slip of Layla Hassan' });
    expect(slip).toHaveFocus();
  });

  test('into the home room, or into another one', async () => {
    const opened = await openInside();
    const asked = await ask(opened, 'youssef', 'Youssef Adel');
    expect(asked.getByText('No guardian on this list')).toBeVisible();
    const room = asked.getByRole('combobox', { name: 'Room' });
    expect(room).toHaveValue('room-cats');
    expect(asked.getByRole('option', { name: '\u2068Cats\u2069 (home room)' })).toBeInTheDocument();
    await opened.user.selectOptions(room, 'room-bees');
    await opened.user.click(asked.getByRole('button', { name: 'Check in' }));
    await opened.inside.findByText(/not sent yet$/);
    expect(rowOf(opened, 'Youssef Adel').getByText('Bees')).toBeVisible();
  });

  test('whose home room takes nobody asks for another one', async () => {
    const list = listed({ outside: [outsideOf('Layla Hassan', { homeRoomId: 'room-full' })] });
    const opened = await openInside({ list });
    const asked = await ask(opened, 'layla', 'Layla Hassan');
    expect(asked.getByText(/^The home room takes nobody/)).toBeVisible();
    await opened.user.click(asked.getByRole('button', { name: 'Check in' }));
    expect(asked.getByText('Please choose a room.')).toBeVisible();
    expect(asked.getByRole('combobox', { name: 'Room' })).toHaveFocus();
    expect(entriesDisk.rows).toEqual([]);
    await opened.user.selectOptions(asked.getByRole('combobox', { name: 'Room' }), 'room-cats');
    await opened.user.click(asked.getByRole('button', { name: 'Check in' }));
    await opened.inside.findByText(/not sent yet$/);
  });

  test('of a child with a care card says that it is not here, before and after', async () => {
    const list = listed({ outside: [outsideOf('Layla Hassan', { hasCard: true, isUnconfirmed: true })] });
    const opened = await openInside({ list });
    const asked = await ask(opened, 'layla', 'Layla Hassan');
    expect(asked.getByText(/^There is a care card, and it is not on this tablet/)).toBeVisible();
    expect(asked.getByText('Not confirmed yet')).toBeVisible();
    await opened.user.click(asked.getByRole('button', { name: 'Check in' }));
    await opened.inside.findByText(/not sent yet$/);
    const row = rowOf(opened, 'Layla Hassan');
    expect(row.getByText(/^There is a care card/)).toBeVisible();
    expect(row.getByText('Not confirmed yet')).toBeVisible();
    await opened.user.click(row.getByRole('button', { name: 'Print slip of Layla Hassan' }));
    const slip = within(await screen.findByRole('dialog', { name: 'Print slip' }));
    expect(slip.getByText(/^There is a care card, and it was not on the tablet/)).toBeVisible();
    await expectAccessible();
  });

  test('never looks free of a care card, also to the next person, whose list has the names alone', async () => {
    const list = listed({ outside: [outsideOf('Layla Hassan', { hasCard: true })] });
    const opened = await openInside({ list });
    await checkIn(opened);
    const { user, inside, pass } = opened;
    const signInOf = () => (disk.now as { readonly signIn: string } | null)?.signIn;
    const first = signInOf();
    await user.click(inside.getByRole('button', { name: 'Hand over' }));
    // What was written is not taken yet.
    serve(listed({ outside: [outsideOf('Layla Hassan')], checkIn: null }), 'two');
    await pass(6_000);
    await user.click(await screen.findByRole('button', { name: /Nadia Farouk/ }));
    await user.keyboard('830561');
    await waitFor(() => expect([undefined, first]).not.toContain(signInOf()));
    await screen.findByRole('button', { name: 'Hand over' });
    cutOff();
    await pass(16_000);
    await user.click(await screen.findByRole('button', { name: 'Show who is inside' }));
    const dialog = within(await screen.findByRole('dialog', { name: '2 children inside' }));
    expect(dialog.getByText(/^This tablet does not know whether there is a care card/)).toBeVisible();
  });

  test('that could not be stored says so, and nothing is shown as done', async () => {
    const opened = await openInside();
    const asked = await ask(opened, 'layla', 'Layla Hassan');
    entriesDisk.isFull = true;
    await opened.user.click(asked.getByRole('button', { name: 'Check in' }));
    expect(await asked.findByText(/^The check-in was not written/)).toBeVisible();
    await expectAccessible();
    expect(opened.inside.queryByText(/written here/)).toBeNull();
    expect(opened.inside.queryByText(/is checked in/)).toBeNull();
    expect(entriesDisk.rows).toEqual([]);
    entriesDisk.isFull = false;
    await opened.user.click(asked.getByRole('button', { name: 'Check in' }));
    await opened.inside.findByText(/not sent yet$/);
    expect(entriesDisk.rows).toHaveLength(1);
  });

  test('of one of a hundred children, with a name that nothing breaks', async () => {
    const crowd = Array.from({ length: 100 }, (_, number) => outsideOf(`Mariam ${number + 1}`));
    const opened = await openInside({ list: listed({ outside: [...crowd, outsideOf(LONG_NAME)] }) });
    await opened.user.type(opened.inside.getByRole('searchbox'), 'mariam');
    expect(opened.inside.getAllByRole('button', { name: /^Check in Mariam/ })).toHaveLength(100);
    await checkIn(opened, 'abdelrahman', LONG_NAME);
    expect(rowOf(opened, LONG_NAME).getByText(/not sent yet$/)).toBeVisible();
  });

  test('in Arabic', async () => {
    const { user, inside } = await openInside({ language: 'ar' });
    await user.type(inside.getByRole('searchbox'), 'layla');
    await user.click(await inside.findByRole('button', { name: 'تسجيل حضور Layla Hassan' }));
    const asked = within(await screen.findByRole('dialog', { name: /^تسجيل حضور/ }));
    await user.click(asked.getByRole('button', { name: 'تسجيل الحضور' }));
    expect(await inside.findByText(/^كُتب هنا الساعة .+، ولم يُرسل بعد$/)).toBeVisible();
    expect(inside.getByText('تسجيل واحد ينتظر الإرسال')).toBeVisible();
  });
});

describe('nobody is checked in', () => {
  test.each<[string, Opening, RegExp]>([
    ['by somebody without the right', { list: listed({ checkIn: null }) }, /only to read/],
    ['where no room takes any', { list: listed({ checkIn: { rooms: [] } }) }, /No room takes children now/],
    ['without a ticket of the sign-in', { hasTicket: false }, /only to read/],
  ])('%s', async (_, options, words) => {
    const { user, inside } = await openInside(options);
    expect(inside.getByText(words)).toBeVisible();
    await user.type(inside.getByRole('searchbox'), 'layla');
    expect(await inside.findByText('Layla Hassan')).toBeVisible();
    expect(inside.queryByRole('button', { name: /^Check in/ })).toBeNull();
  });

  test('by a press after the tablet slept for hours, which locks it instead', async () => {
    const opened = await openInside();
    const asked = await ask(opened, 'layla', 'Layla Hassan');
    vi.setSystemTime(Date.now() + 2 * HOUR);
    await opened.user.click(asked.getByRole('button', { name: 'Check in' }));
    await waitFor(() => expect(document.body.textContent).not.toContain('Layla Hassan'));
    await waitFor(() => expect(entriesDisk.ticket).toBeNull());
    expect(entriesDisk.rows).toEqual([]);
  });

  test('on this screen once the connection is back, because the usual way knows more', async () => {
    const { user, inside, pass } = await openInside();
    await user.type(inside.getByRole('searchbox'), 'layla');
    await inside.findByRole('button', { name: 'Check in Layla Hassan' });
    serve(listed());
    await pass(6_000);
    expect(await inside.findByText(/The connection is back/)).toBeVisible();
    expect(inside.queryByRole('button', { name: 'Check in Layla Hassan' })).toBeNull();
  });
});

describe('the slip', () => {
  test('is printed with the code that the tablet drew, and again later', async () => {
    const print = vi.fn();
    vi.stubGlobal('print', print);
    const opened = await openInside();
    await checkIn(opened);
    const { user, inside } = opened;
    const [first] = inside.getAllByRole('button', { name: 'Print slip of Layla Hassan' });
    await user.click(first as HTMLElement);
    const slip = within(await screen.findByRole('dialog', { name: 'Print slip' }));
    const paper = within(slip.getByRole('article', { name: 'Entry slip of Layla Hassan' }));
    expect(paper.getByText('Layla Hassan')).toBeVisible();
    expect(paper.getByRole('img', { name: 'QR code of this entry' })).toBeVisible();
    // It is a proof: no words about a copy.
    expect(slip.queryByText(/no proof of pick-up/)).toBeNull();
    await expectAccessible();
    await user.click(slip.getByRole('button', { name: 'Print' }));
    expect(print).toHaveBeenCalledOnce();
    await user.click(slip.getByRole('button', { name: 'Close' }));
    await user.click(inside.getByRole('button', { name: 'Back' }));
    await user.click(await screen.findByRole('button', { name: 'Show who is inside' }));
    expect(await screen.findByRole('button', { name: 'Print slip of Layla Hassan' })).toBeVisible();
  });
});

describe('once the server answers again', () => {
  test('the entry is sent with its own time, and the bar says so until it is there', async () => {
    const opened = await openInside();
    const before = Date.now();
    await checkIn(opened);
    const after = Date.now();
    await opened.pass(60_000);
    const answered = Promise.withResolvers<void>();
    serve(listed({ inside: [childOf('Layla Hassan'), childOf('Omar Hassan')], outside: [] }), 'two');
    const got = take('applied', answered.promise);
    await comeBack(opened);
    expect((await screen.findAllByText('Sending 1 entry…')).length).toBeGreaterThan(0);
    await expectAccessible();
    answered.resolve();
    await waitFor(() => expect(screen.queryByText('Sending 1 entry…')).toBeNull());
    expect(got).toEqual([
      expect.objectContaining({
        kind: 'check_in',
        ticket: TICKET,
        childId: 'id-of-Layla Hassan',
        durationInMinutes: 30,
        roomId: 'room-bees',
      }),
    ]);
    // The two clocks of a device may differ by a second and a half before one of them is doubted.
    expect(Date.parse(got[0]?.at ?? '')).toBeGreaterThan(before - 2_000);
    expect(Date.parse(got[0]?.at ?? '')).toBeLessThan(after + 2_000);
    // The newer list has the child, so that this tablet needs to say nothing more.
    await waitFor(() => expect(opened.inside.queryByText(/^written here at/)).toBeNull());
    expect(rowOf(opened, 'Layla Hassan').getByText('Bees')).toBeVisible();
    await waitFor(() => expect(entriesDisk.rows).toEqual([]));
  });

  test('one that the server has not on its list yet stays inside, as sent', async () => {
    const opened = await openInside();
    await checkIn(opened);
    server.use(handle(deskRoutes.getDesk, DESK));
    take('applied');
    await comeBack(opened);
    expect(await opened.inside.findByText(/^written here at .+, sent$/)).toBeVisible();
    expect(opened.inside.queryByText(/to be sent/)).toBeNull();
  });

  test('one that does not fit says where it is settled', async () => {
    const opened = await openInside();
    await checkIn(opened);
    serve(listed(), 'two');
    take('conflict');
    await comeBack(opened);
    expect(await screen.findByText('1 entry of this tablet does not fit what Haris has.')).toBeVisible();
    await opened.user.click(opened.inside.getByRole('button', { name: 'Back' }));
    await expectAccessible();
    await opened.user.click(screen.getByRole('link', { name: 'Settle under Desk Conflicts' }));
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/deskConflicts'));
    expect(screen.queryByText(/^1 entry of this tablet/)).toBeNull();
  });

  test('one that the server does not understand stays, and the page asks to be reloaded', async () => {
    const opened = await openInside();
    await checkIn(opened);
    serve(listed(), 'two');
    server.use(handle(deskRoutes.sendDeskEntries, refuse('invalid_request')));
    await comeBack(opened);
    expect((await screen.findAllByText(/^1 entry could not be sent/)).length).toBeGreaterThan(0);
    expect(entriesDisk.rows).toHaveLength(1);
  });

  test('what waits is not said to be sent, also once the list has ended', async () => {
    const opened = await openInside();
    await checkIn(opened);
    disk.now = { ...(disk.now as object), endsAt: Date.now() };
    await opened.pass(31_000);
    expect(await opened.inside.findByText('This tablet does not keep the list any more.')).toBeVisible();
    expect(opened.inside.getByText('1 entry waits to be sent')).toBeVisible();
    expect(screen.queryByText(/^Sending/)).toBeNull();
  });

  test('a tablet that was removed keeps what it wrote, and says that it must be paired again', async () => {
    const opened = await openInside();
    await checkIn(opened);
    await opened.user.click(opened.inside.getByRole('button', { name: 'Hand over' }));
    server.use(
      handle(deskRoutes.getDesk, refuse('unauthenticated')),
      handle(deskRoutes.getDeskList, refuse('unauthenticated')),
      handle(deskRoutes.sendDeskEntries, refuse('unauthenticated')),
    );
    await opened.pass(6_000);
    expect(await screen.findByText(/^1 entry of this tablet has not reached Haris/)).toBeVisible();
    await waitFor(() => expect(disk.now).toBeNull());
    expect(entriesDisk.rows).toHaveLength(1);
    expect(entriesDisk.key).not.toBeNull();
    await expectAccessible();
  });

  test('what one person wrote waits and is sent while the tablet is locked', async () => {
    const opened = await openInside();
    await checkIn(opened);
    await opened.user.click(opened.inside.getByRole('button', { name: 'Hand over' }));
    await opened.pass(6_000);
    expect(await screen.findByText('1 entry waits to be sent')).toBeVisible();
    expect(document.body.textContent).not.toContain('Layla Hassan');
    expect(entriesDisk.ticket).toBeNull();
    serve(listed(), 'two');
    const got = take('applied');
    await comeBack(opened);
    await waitFor(() => expect(got).toHaveLength(1));
    await waitFor(() => expect(screen.queryByText(/to be sent|Sending/)).toBeNull());
  });
});
