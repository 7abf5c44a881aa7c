/** The care log in the child's sheet and on the parent's home: one press, forms, corrections, signatures (decision 052). */
import type { CareLogEntry, CareLogSleep, PermittedMedicine } from '@haris/contract/http/care-log';
import { careLogRoutes } from '@haris/contract/http/care-log';
import { BUILT_IN_ROLES } from '@haris/contract/permissions';
import { localDay } from '@haris/contract/zone-time';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { family, serveDesk } from '../features/dashboard/testing/desk.ts';
import { expectAccessible } from '../testing/accessibility.ts';
import { handle, offline, pending, refuse, server } from '../testing/contract-server.ts';
import { admin, child, LONG_NAME, parent } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';

const ZONE = 'Africa/Cairo';
const today = () => localDay(Date.now(), ZONE);
const omar = child({ _id: 'child-omar', name: 'Omar Hassan', isInside: true });
const ACCIDENT = {
  kind: 'accident',
  what: 'Fell from the swing',
  where: 'Left knee',
  firstAid: 'Cold pack',
  seenBy: '',
} as const;

let number = 0;
function entry(more: Partial<CareLogEntry> = {}): CareLogEntry {
  const at = new Date().toISOString();
  return {
    ...{ _id: `entry-${++number}`, childId: 'child-omar', facility: 'Little Ark', day: today(), at },
    ...{ recordedAt: at, recordedBy: 'Nadia Farouk', entry: ACCIDENT, corrects: null, correctedBy: null },
    ...{ asksSignature: (more.entry?.kind ?? 'accident') === 'accident', acknowledged: null },
    ...more,
  };
}

interface Known {
  entries: CareLogEntry[];
  asleep: CareLogSleep;
  medicines: PermittedMedicine[];
  sent: unknown[];
}

/** The server's log of Omar; what the page sends is in `sent`. */
function serveLog(...entries: CareLogEntry[]): Known {
  const known: Known = { entries, asleep: null, medicines: [], sent: [] };
  server.use(
    handle(careLogRoutes.listCareLog, () => ({
      ...{ entries: known.entries, nextCursor: null, today: today(), timeZone: ZONE },
      asleep: known.asleep,
    })),
    handle(careLogRoutes.listPermittedMedicines, () => ({ medicines: known.medicines })),
    handle(careLogRoutes.addCareLogEntry, ({ body }) => {
      known.sent.push(body);
      const made = entry({ entry: body.entry, corrects: body.corrects ?? null });
      known.entries = [made, ...known.entries];
      return { entry: made, asleep: known.asleep };
    }),
    handle(careLogRoutes.listCareLogToSign, () => {
      const count = known.entries.filter((one) => one.asksSignature && one.acknowledged === null).length;
      return { waiting: count === 0 ? [] : [{ childId: 'child-omar', count }] };
    }),
    handle(careLogRoutes.acknowledgeCareLogEntry, ({ params, body }) => {
      known.sent.push([params.entryId, body.signature]);
      const at = new Date().toISOString();
      known.entries = known.entries.map((one) =>
        one._id === params.entryId ? { ...one, acknowledged: { at, signature: body.signature } } : one,
      );
      return { entry: known.entries.find(({ _id }) => _id === params.entryId) ?? entry() };
    }),
  );
  return known;
}

async function openSheet(role: keyof typeof BUILT_IN_ROLES = 'teacher', options = {}) {
  serveDesk(family({ _id: 'parent-mona', name: 'Mona Hassan' }, omar));
  const page = await renderScreen('/adminDashboard?child=child-omar', {
    as: { admin: admin({ permissions: [...BUILT_IN_ROLES[role]] }) },
    ...options,
  });
  const sheet = within(await screen.findByRole('dialog'));
  await sheet.findByRole('heading', { name: 'Omar Hassan' });
  return { ...page, sheet };
}
const part = async (sheet: { findByRole: typeof screen.findByRole }, name = 'Care log') =>
  within(await sheet.findByRole('region', { name }));

describe('in the sheet', () => {
  test('one press records a nappy, a meal, and a look at a child asleep', async () => {
    const known = serveLog();
    const { sheet, user } = await openSheet();
    const log = await part(sheet);
    expect(await log.findByText('Nothing has been entered today.')).toBeInTheDocument();
    for (const name of ['Nappy: Wet', 'Meal: Ate some', 'Sleep: Fell asleep']) {
      const before = known.sent.length;
      await user.click(await log.findByRole('button', { name }));
      await waitFor(() => expect(known.sent).toHaveLength(before + 1));
      await waitFor(() => expect(log.getAllByRole('listitem')).toHaveLength(before + 1));
    }
    expect(known.sent).toEqual([
      { entry: { kind: 'nappy', nappy: 'wet', note: '' } },
      { entry: { kind: 'meal', eaten: 'some', note: '' } },
      { entry: { kind: 'sleep_start', everyMinutes: 10 } },
    ]);
  });

  test('of a child asleep it says since when, and by when somebody must look', async () => {
    const known = serveLog();
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    known.asleep = { since: at(-5), checkedAt: at(-5), everyMinutes: 10, dueAt: at(5) };
    const { sheet, user } = await openSheet();
    const log = await part(sheet);
    expect(await log.findByRole('group', { name: /^Sleep · asleep since .*, next check by / })).toBeVisible();
    await expectAccessible();
    await user.click(log.getByRole('button', { name: 'Sleep: Checked' }));
    await waitFor(() => expect(known.sent).toEqual([{ entry: { kind: 'sleep_check', note: '' } }]));
  });

  test('an accident needs what, where and first aid, and says what waits for the family', async () => {
    const known = serveLog();
    const { sheet, user } = await openSheet();
    const log = await part(sheet);
    await user.click(await log.findByRole('button', { name: 'Accident' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Accident: Omar Hassan' }));
    await user.click(dialog.getByRole('button', { name: 'Record' }));
    expect(dialog.getByLabelText(/^What happened/)).toHaveAccessibleDescription('Please fill this in');
    await expectAccessible();
    await user.type(dialog.getByLabelText(/^What happened/), 'Fell from the swing');
    await user.type(dialog.getByLabelText(/^Where on the body/), 'Left knee');
    await user.type(dialog.getByLabelText(/^First aid/), 'Cold pack');
    await user.click(dialog.getByRole('button', { name: 'Record' }));
    const [row] = await log.findAllByRole('listitem');
    expect(row).toHaveTextContent(
      /AccidentWhat happened Fell from the swing.*Waits for the family’s signature/,
    );
    expect(known.sent).toEqual([{ entry: ACCIDENT }]);
  });

  test('a medicine is chosen among those that the family permits', async () => {
    const known = serveLog();
    const { sheet, user } = await openSheet();
    const log = await part(sheet);
    await user.click(await log.findByRole('button', { name: 'Medicine' }));
    const title = 'Medicine for Omar Hassan';
    const first = within(await screen.findByRole('dialog', { name: title }));
    expect(await first.findByText(/The family has not permitted any medicine/)).toBeInTheDocument();
    await user.click(first.getByRole('button', { name: 'Cancel' }));
    known.medicines = [{ name: 'Zyrtec', dose: '5 ml', when: 'after lunch' }];
    await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).not.toBeInTheDocument());
    await user.click(log.getByRole('button', { name: 'Medicine' }));
    const dialog = within(await screen.findByRole('dialog', { name: title }));
    await user.selectOptions(await dialog.findByLabelText(/^Medicine/), 'Zyrtec');
    expect(dialog.getByLabelText(/^Dose/)).toHaveValue('5 ml');
    await expectAccessible();
    await user.click(dialog.getByRole('button', { name: 'Record' }));
    await waitFor(() =>
      expect(known.sent).toEqual([
        { entry: { kind: 'medicine', name: 'Zyrtec', dose: '5 ml', givenBy: '', witnessedBy: '' } },
      ]),
    );
  });

  test('a correction is a new entry; the old one stays, marked', async () => {
    const wrong = entry({ _id: 'wrong', entry: { kind: 'nappy', nappy: 'wet', note: '' } });
    const old = entry({ entry: { kind: 'meal', eaten: 'all', note: '' }, correctedBy: 'other' });
    const known = serveLog(wrong, old);
    const { sheet, user } = await openSheet();
    const log = await part(sheet);
    expect((await log.findAllByRole('listitem'))[1]).toHaveTextContent(/Meal: ate allCorrected/);
    await user.click(log.getByRole('button', { name: /^Correct: .* Nappy: wet$/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Correct an entry of Omar Hassan' }));
    await expectAccessible();
    await user.selectOptions(dialog.getByLabelText('Nappy'), 'Soiled');
    await user.click(dialog.getByRole('button', { name: 'Record' }));
    await waitFor(() =>
      expect(known.sent).toEqual([
        { entry: { kind: 'nappy', nappy: 'soiled', note: '' }, corrects: 'wrong' },
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Correct/ })).not.toBeInTheDocument());
    await user.click(log.getByRole('button', { name: /^Correct: .* Nappy: wet$/ }));
    const again = within(await screen.findByRole('dialog', { name: 'Correct an entry of Omar Hassan' }));
    await user.selectOptions(again.getByLabelText('What is wrong'), 'All of it: withdraw the entry');
    await user.type(again.getByLabelText(/^Reason/), 'Another child');
    await user.click(again.getByRole('button', { name: 'Record' }));
    await waitFor(() =>
      expect(known.sent[1]).toEqual({
        entry: { kind: 'withdrawn', reason: 'Another child' },
        corrects: 'wrong',
      }),
    );
  });

  test('a failed press says so, and nothing is entered', async () => {
    serveLog();
    const { sheet, user } = await openSheet();
    const log = await part(sheet);
    server.use(handle(careLogRoutes.addCareLogEntry, offline));
    await user.click(await log.findByRole('button', { name: 'Nappy: Dry' }));
    expect(await screen.findByText('This could not be recorded.')).toBeInTheDocument();
    server.use(handle(careLogRoutes.addCareLogEntry, refuse('already_asleep')));
    await user.click(log.getByRole('button', { name: 'Sleep: Fell asleep' }));
    expect(await screen.findByText('This child is already asleep.')).toBeInTheDocument();
  });

  test('a press after a lost answer is the same entry; the next one is another', async () => {
    serveLog();
    const { sheet, user } = await openSheet();
    const log = await part(sheet);
    const sentKeys: (string | null)[] = [];
    const answer = (isLost: boolean) =>
      handle(careLogRoutes.addCareLogEntry, ({ body, headers }) => {
        sentKeys.push(headers.get('idempotency-key'));
        return isLost ? offline : { entry: entry({ entry: body.entry }), asleep: null };
      });
    const press = async (count: number) => {
      await user.click(await log.findByRole('button', { name: 'Nappy: Both' }));
      await waitFor(() => expect(sentKeys).toHaveLength(count));
      await waitFor(() => expect(log.getByRole('button', { name: 'Nappy: Both' })).toBeEnabled());
    };
    server.use(answer(true));
    await press(1);
    server.use(answer(false));
    await press(2);
    await press(3);
    const [first, second, third] = sentKeys;
    expect(first).toMatch(/^[\x21-\x7e]{32,200}$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test('while it loads, when it fails, and without the permission', async () => {
    server.use(handle(careLogRoutes.listCareLog, pending));
    const waiting = await openSheet();
    expect(
      await (await part(waiting.sheet)).findByRole('status', { name: 'Loading the care log' }),
    ).toBeVisible();
    await waiting.unmount();
    server.use(handle(careLogRoutes.listCareLog, refuse('not_found')));
    const failed = await openSheet();
    expect(await (await part(failed.sheet)).findByRole('alert')).toHaveTextContent('This was not found.');
    await failed.unmount();
    const { sheet } = await openSheet('inspector');
    await sheet.findByRole('region', { name: 'Parent' });
    expect(sheet.queryByRole('region', { name: 'Care log' })).not.toBeInTheDocument();
  });

  test('all days, and one of them on paper', async () => {
    serveLog(entry(), entry({ day: '2026-01-05', entry: { kind: 'sleep_end', note: '' } }));
    const { sheet, user } = await openSheet();
    await user.click(await (await part(sheet)).findByRole('button', { name: /^All days/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Care log: Omar Hassan' }));
    expect(
      await dialog.findByRole('heading', { name: /Monday.*5 January 2026|Monday,? 5 January 2026/ }),
    ).toBeVisible();
    await expectAccessible();
    const printed = vi.spyOn(window, 'print').mockImplementation(() => undefined);
    await user.click(dialog.getByRole('button', { name: /^Print: Monday.* 5 January/ }));
    await waitFor(() => expect(printed).toHaveBeenCalledOnce());
    expect(document.querySelector('[data-print-sheet]')).toHaveTextContent(/Omar Hassan/);
    printed.mockRestore();
  });

  test('an entry of an earlier day is corrected from the whole log', async () => {
    serveLog(entry({ day: '2026-01-05', entry: { kind: 'nappy', nappy: 'wet', note: '' } }));
    const { sheet, user } = await openSheet();
    await user.click(await (await part(sheet)).findByRole('button', { name: /^All days/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Care log: Omar Hassan' }));
    await user.click(await dialog.findByRole('button', { name: /^Correct: .* Nappy: wet$/ }));
    expect(
      await screen.findByRole('dialog', { name: 'Correct an entry of Omar Hassan' }),
    ).toBeInTheDocument();
  });

  test('another day needs a time: without one it would be recorded as now', async () => {
    const known = serveLog();
    const { sheet, user } = await openSheet();
    await user.click(await (await part(sheet)).findByRole('button', { name: /^With a note/ }));
    const dialog = within(await screen.findByRole('dialog', { name: /Omar Hassan/ }));
    fireEvent.change(dialog.getByLabelText('Day'), { target: { value: '2026-01-05' } });
    await user.click(dialog.getByRole('button', { name: 'Record' }));
    expect(await dialog.findByText('Enter the time of this day')).toBeInTheDocument();
    expect(known.sent).toEqual([]);
  });

  test('in Arabic', async () => {
    serveLog(entry());
    serveDesk(family({ _id: 'parent-mona', name: 'Mona Hassan' }, { ...omar, name: LONG_NAME }));
    await renderScreen('/adminDashboard?child=child-omar', {
      ...{ as: { admin: admin() }, language: 'ar' },
    });
    const log = within(await screen.findByRole('region', { name: 'سجل الرعاية' }));
    expect(await log.findByRole('button', { name: 'حفاض: مبلل' })).toBeInTheDocument();
    expect(await log.findByRole('listitem')).toHaveTextContent(/حادث.*ينتظر توقيع الأسرة/);
  });
});

describe('on the parent’s home', () => {
  const open = (options = {}) =>
    renderScreen('/profile', { as: { parent: parent({ children: [omar] }) }, ...options });
  const findDialog = async () => within(await screen.findByRole('dialog', { name: 'Care log: Omar Hassan' }));

  test('what waits is named; a typed name signs it', async () => {
    const known = serveLog(entry({ _id: 'accident' }), entry({ entry: { kind: 'sleep_end', note: '' } }));
    const { user } = await open();
    const card = within(await screen.findByRole('region', { name: 'Care log of Omar Hassan' }));
    expect(card.getByRole('status')).toHaveTextContent('1 entry waits for your signature.');
    await expectAccessible();
    await user.click(card.getByRole('button', { name: 'Read and sign: Omar Hassan' }));
    const dialog = await findDialog();
    await user.click(await dialog.findByRole('button', { name: 'Sign: Accident' }));
    await user.click(dialog.getByRole('button', { name: 'Confirm' }));
    const name = dialog.getByLabelText('Or type your full name');
    expect(name).toHaveAccessibleDescription('Please sign, or type your full name.');
    await expectAccessible();
    await user.type(name, 'Mona Hassan');
    await user.click(dialog.getByRole('button', { name: 'Confirm' }));
    expect(await dialog.findByText(/^Signed by the family on/)).toBeInTheDocument();
    expect(known.sent).toEqual([['accident', { kind: 'typed', name: 'Mona Hassan' }]]);
    await waitFor(() =>
      expect(screen.queryByRole('region', { name: 'Care log of Omar Hassan', hidden: true })).toBeNull(),
    );
  });

  test('strokes are a signature; “Clear” takes them back', async () => {
    const known = serveLog(entry({ _id: 'accident' }));
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Open the care log of Omar Hassan' }));
    const dialog = await findDialog();
    await user.click(await dialog.findByRole('button', { name: 'Sign: Accident' }));
    const pad = dialog.getByRole('img', { name: 'Field for the signature' });
    pad.getBoundingClientRect = () => new DOMRect(100, 100, 300, 100);
    const draw = (...points: [number, number][]) => {
      const [first = [0, 0], ...rest] = points;
      const at = ([clientX, clientY]: [number, number]) => ({ clientX, clientY, button: 0, pointerId: 1 });
      fireEvent.pointerDown(pad, at(first));
      for (const point of rest) fireEvent.pointerMove(pad, at(point));
      fireEvent.pointerUp(pad, { pointerId: 1 });
    };
    draw([110, 110], [120, 120]);
    await user.click(dialog.getByRole('button', { name: 'Clear' }));
    draw([110, 110], [120, 120], [500, 130]);
    draw([150, 150]);
    await user.click(dialog.getByRole('button', { name: 'Confirm' }));
    expect(await dialog.findByRole('img', { name: 'Signature' })).toBeInTheDocument();
    await expectAccessible();
    const path = 'M20 20 L20 20 L40 40 L600 60 M100 100 L100 100';
    expect(known.sent).toEqual([['accident', { kind: 'drawn', path }]]);
  });

  test('nothing waits, and nothing was entered', async () => {
    serveLog();
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Open the care log of Omar Hassan' }));
    const dialog = await findDialog();
    expect(await dialog.findByText('Nothing has been entered yet.')).toBeInTheDocument();
    expect(screen.queryByText(/waits? for your signature/)).not.toBeInTheDocument();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  test('a signature that is refused says why', async () => {
    serveLog(entry({ _id: 'accident' }));
    server.use(handle(careLogRoutes.acknowledgeCareLogEntry, refuse('care_entry_corrected')));
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Open the care log of Omar Hassan' }));
    const dialog = await findDialog();
    await user.click(await dialog.findByRole('button', { name: 'Sign: Accident' }));
    await user.type(dialog.getByLabelText('Or type your full name'), 'Mona');
    await user.click(dialog.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText(/Someone else has corrected this entry/)).toBeInTheDocument();
  });

  test('in Arabic', async () => {
    serveLog(entry(), entry());
    await open({ language: 'ar' });
    expect(await screen.findByText('تسجيلان ينتظران توقيعك.')).toBeInTheDocument();
  });
});
