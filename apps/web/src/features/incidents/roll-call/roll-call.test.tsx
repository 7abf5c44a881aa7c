/** The roll call: a hundred children and the adults, ticked, searched, by room, offline, printed, and ended. */
import { EMPTY_CARE_CARD } from '@haris/contract/care-card';
import { accountRoutes } from '@haris/contract/http/accounts';
import { careRoutes } from '@haris/contract/http/care';
import {
  type Evacuation,
  evacuationSchema,
  type Incident,
  incidentRoutes,
  type RollCallChild,
  type RollCallPerson,
} from '@haris/contract/http/incidents';
import { visitorRoutes } from '@haris/contract/http/visitors';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { KEPT_LIST_KEY, setToken } from '../../../calls/token-store.ts';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { handle, offline, refuse, server } from '../../../testing/contract-server.ts';
import { LONG_NAME } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { incident, serveIncidents, staff } from '../testing/incidents.ts';
import { keepList, openList } from './kept-list.ts';

const other = { _id: 'admin-other', name: 'Karim Adel' };

function person(more: Partial<RollCallPerson> = {}): RollCallPerson {
  return {
    personId: 'p',
    kind: 'staff',
    name: 'Umm Ali',
    phone: null,
    reason: null,
    isInside: true,
    tick: null,
    ...more,
  };
}

/** Children in three rooms: the first has a long name and no phone, every fourth was seen by no camera. */
function evacuation(count: number, people: RollCallPerson[] = []): Evacuation {
  const rooms = ['Playroom', 'Garden', 'Nap room', null];
  return evacuationSchema.parse({
    _id: 'evacuation-1',
    startedAt: new Date().toISOString(),
    startedBy: other,
    endedAt: null,
    ticks: [],
    people,
    children: Array.from({ length: count }, (_, n) => {
      const area = rooms[n % rooms.length];
      return {
        childId: `child-${n}`,
        name: n === 0 ? LONG_NAME : n === 1 ? 'أحمد علي' : `Child ${n}`,
        photo: null,
        guardian: {
          _id: `parent-${n}`,
          name: n === 2 ? 'Mona Hassan' : 'Sara Adel',
          phone: n === 0 ? null : '01001234567',
        },
        isInside: true,
        lastSeen: area == null ? null : { area, at: new Date().toISOString() },
        tick: null,
      };
    }),
  });
}

/** Serves an evacuation and records the ticks that reach the server. */
function serveEvacuation(count: number, people: RollCallPerson[] = []) {
  const known = { evacuation: evacuation(count, people) as Evacuation | null };
  const sent: string[] = [];
  server.use(
    handle(incidentRoutes.getEvacuation, () => known),
    handle(incidentRoutes.sendEvacuationTicks, ({ body: { ticks } }) => {
      for (const { childId, personId, state } of ticks) sent.push(`${childId ?? personId} ${state}`);
      const by = { _id: staff.admin._id, name: staff.admin.name };
      const tickOf = (id: string) => {
        const tick = ticks.findLast((one) => (one.childId ?? one.personId) === id);
        return tick === undefined ? {} : { tick: { state: tick.state, at: tick.at, by, device: 'Linux 1' } };
      };
      const now = known.evacuation as Evacuation;
      known.evacuation = {
        ...now,
        children: now.children.map((one) => ({ ...one, ...tickOf(one.childId) })),
        people: now.people.map((one) => ({ ...one, ...tickOf(one.personId) })),
      };
      return { evacuation: known.evacuation };
    }),
    handle(incidentRoutes.endEvacuation, () => {
      const ended = known.evacuation as Evacuation;
      known.evacuation = null;
      return { evacuation: ended };
    }),
  );
  return { known, sent };
}

const roll = () => screen.findByRole('dialog', { name: /Evacuation: roll call/ });
const counts = (dialog: HTMLElement) =>
  within(within(dialog).getByRole('group', { name: 'Show only' }))
    .getAllByRole('button')
    .map(({ textContent }) => textContent);
const names = (dialog: HTMLElement) =>
  within(dialog)
    .queryAllByRole('checkbox')
    .map((box) => box.getAttribute('aria-label')?.replace(' is here', ''));
const tickBox = (dialog: HTMLElement, name: string) =>
  within(dialog).getByRole('checkbox', { name: `${name} is here` });

beforeEach(() => {
  vi.spyOn(crypto, 'randomUUID').mockReturnValue('00000000-0000-4000-8000-000000000000' as never);
});

describe('ticking', () => {
  test('a hundred children by room, here or missing, counted, with phone numbers', async () => {
    const { sent } = serveEvacuation(100);
    const { user } = await renderScreen('/importFamilies', { as: staff });
    const dialog = await roll();
    expect(dialog).toHaveTextContent('started by Karim Adel');
    expect(counts(dialog)).toEqual(['Not checked 100', 'Missing 0', 'Here 0']);
    for (const room of ['Garden', 'Nap room', 'Playroom', 'Room unknown'])
      expect(
        within(within(dialog).getByRole('region', { name: room })).getAllByRole('listitem'),
      ).toHaveLength(25);
    expect(within(dialog).getByText('No phone number')).toBeInTheDocument();
    expect(within(dialog).getByRole('link', { name: 'Call Mona Hassan, 01001234567' })).toHaveAttribute(
      'href',
      'tel:01001234567',
    );
    await user.click(tickBox(dialog, LONG_NAME));
    await user.click(within(dialog).getByRole('button', { name: 'Child 2 is missing' }));
    await waitFor(() => expect(sent).toEqual(['child-0 present', 'child-2 missing']));
    expect(counts(dialog)).toEqual(['Not checked 98', 'Missing 1', 'Here 1']);
  });

  test('a ticked row stays in its place for a moment; then the missing come first and those who are here last', async () => {
    serveEvacuation(8);
    const { user } = await renderScreen('/importFamilies', { as: staff });
    const dialog = await roll();
    const before = names(dialog);
    await user.click(tickBox(dialog, before[0] ?? ''));
    await user.click(within(dialog).getByRole('button', { name: 'Child 7 is missing' }));
    expect(names(dialog)).toEqual(before);
    await waitFor(() => expect(names(dialog)[0]).toBe('Child 7'));
    expect(names(dialog).at(-1)).toBe(before[0]);
    expect(within(dialog).getByRole('region', { name: 'Missing' })).toHaveTextContent('Child 7');
  });

  test('the row that has the focus moves away, and the next unticked row gets it', async () => {
    serveEvacuation(8);
    const { user } = await renderScreen('/importFamilies', { as: staff });
    const dialog = await roll();
    const [first = '', second = '', third = ''] = names(dialog);
    // The second one is ticked already when the first one moves, so the third one is next.
    await user.click(tickBox(dialog, second));
    tickBox(dialog, first).focus();
    await user.keyboard(' ');
    await waitFor(() => expect(names(dialog)[0]).toBe(third));
    expect(tickBox(dialog, first)).toBeChecked();
    expect(tickBox(dialog, third)).toHaveFocus();
  });

  test('after the last row, the focus goes to the nearest one before that is not ticked; then it stays with its row', async () => {
    serveEvacuation(2);
    const { user } = await renderScreen('/importFamilies', { as: staff });
    const dialog = await roll();
    const [first = '', last = ''] = names(dialog);
    const group = (name: string) => tickBox(dialog, name).closest('section')?.getAttribute('aria-label');
    tickBox(dialog, last).focus();
    await user.keyboard(' ');
    await waitFor(() => expect(group(last)).toBe('Here'));
    expect(tickBox(dialog, first)).toHaveFocus();
    // A press right after rows have moved does not count.
    await waitFor(async () => {
      await user.keyboard(' ');
      expect(tickBox(dialog, first)).toBeChecked();
    });
    await waitFor(() => expect(group(first)).toBe('Here'));
    expect(tickBox(dialog, first)).toHaveFocus();
  });

  test('staff and visitors are on it, and may be away', async () => {
    const { sent } = serveEvacuation(1, [
      person(),
      person({ personId: 'v', kind: 'visitor', name: 'Hany', phone: '01001112223', reason: 'Boiler' }),
    ]);
    const { user } = await renderScreen('/importFamilies', { as: staff });
    const dialog = await roll();
    const visitors = within(dialog).getByRole('region', { name: 'Visitors' });
    expect(visitors).toHaveTextContent(/Hany.*Boiler/);
    expect(within(visitors).getByRole('link', { name: 'Call Hany, 01001112223' })).toBeInTheDocument();
    await expectAccessible();
    await user.click(within(dialog).getByRole('button', { name: 'Umm Ali is away' }));
    await user.click(tickBox(dialog, 'Hany'));
    await waitFor(() => expect(sent).toEqual(['p away', 'v present']));
    // Somebody who is away is neither missing nor unchecked.
    expect(counts(dialog)).toEqual(['Not checked 1', 'Missing 0', 'Here 1']);
    expect(within(dialog).queryByRole('button', { name: `${LONG_NAME} is away` })).toBeNull();
  });

  test('without a connection marks wait on this device, and are sent when it is back', async () => {
    const { sent } = serveEvacuation(3);
    let isDown = true;
    server.use(
      handle(incidentRoutes.sendEvacuationTicks, ({ body: { ticks } }) => {
        if (isDown) return offline;
        for (const { childId, state } of ticks) sent.push(`${childId} ${state}`);
        return { evacuation: evacuation(3) };
      }),
    );
    const { user } = await renderScreen('/importFamilies', { as: staff });
    const dialog = await roll();
    await user.click(tickBox(dialog, 'Child 2'));
    expect(await within(dialog).findByText('1 mark not sent yet. Keep going.')).toBeInTheDocument();
    expect(Object.values(localStorage).join()).toContain('child-2');
    expect(Object.values(localStorage).join()).not.toContain('Child 2');
    isDown = false;
    dispatchEvent(new Event('online'));
    await waitFor(() => expect(sent).toEqual(['child-2 present']));
    await waitFor(() => expect(within(dialog).queryByText(/not sent yet/)).not.toBeInTheDocument());
  });
});

describe('a child who is marked missing', () => {
  const missing = (more: Partial<Incident> = {}) =>
    incident({
      _id: 'search-1',
      kind: 'missing_child',
      area: null,
      subject: { kind: 'child', _id: 'child-2', name: 'Child 2' },
      value: null,
      limit: null,
      timeline: [
        { at: new Date().toISOString(), what: 'raised', by: other, step: null, value: null, note: null },
      ],
      ...more,
    });
  /** Serves an evacuation whose missing children are reported and found. */
  function serveSearches(...known: Incident[]) {
    const { open } = serveIncidents(...known);
    const done: string[] = [];
    server.use(
      handle(incidentRoutes.reportMissingChild, ({ params: { id } }) => {
        done.push(`missing ${id}`);
        open.push(missing());
        return { incident: missing() };
      }),
      handle(incidentRoutes.markChildFound, ({ params: { id } }) => {
        done.push(`found ${id}`);
        open.length = 0;
        return { incident: missing({ clearedAt: new Date().toISOString() }) };
      }),
    );
    return { done, open, ...serveEvacuation(4) };
  }
  const missingButton = (dialog: HTMLElement, name = 'Child 2') =>
    within(dialog).getByRole('button', { name: `${name} is missing` });
  const rowOf = (dialog: HTMLElement, name = 'Child 2') => tickBox(dialog, name).closest('li') as HTMLElement;
  const question = (dialog: HTMLElement) => within(dialog).findByRole('region', { name: /Child 2/ });
  const noQuestion = (dialog: HTMLElement) =>
    expect(within(dialog).queryByRole('region', { name: /Child \d/ })).not.toBeInTheDocument();

  test('is reported to all staff after a question in the same dialog, and its row says so', async () => {
    const { done, sent } = serveSearches();
    const { user } = await renderScreen('/importFamilies', { as: staff });
    const dialog = await roll();
    expect(within(dialog).queryByRole('button', { name: /^Alert all staff/ })).not.toBeInTheDocument();
    await user.click(missingButton(dialog));
    // The mark does not wait for the answer.
    await waitFor(() => expect(sent).toEqual(['child-2 missing']));
    const asked = await question(dialog);
    expect(asked).toHaveTextContent(/Alert all staff that .*Child 2.* is missing\?/);
    expect(asked).toHaveTextContent(/Last seen: .*Nap room/);
    expect(screen.getAllByRole('dialog')).toEqual([dialog]);
    // A scanner's Enter alerts nobody, and the row has the focus again.
    expect(within(asked).getByRole('button', { name: 'Not now' })).toHaveFocus();
    await user.keyboard('{Enter}');
    noQuestion(dialog);
    expect(done).toEqual([]);
    expect(missingButton(dialog)).toHaveFocus();
    await user.click(
      within(rowOf(dialog)).getByRole('button', { name: 'Alert all staff: Child 2 is missing' }),
    );
    await question(dialog);
    await user.tab();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(rowOf(dialog)).toHaveTextContent('Reported missing'));
    expect(done).toEqual(['missing child-2']);
    noQuestion(dialog);
    expect(dialog).toHaveTextContent('Missing child: Child 2');
    expect(within(dialog).queryByRole('button', { name: /^Alert all staff/ })).not.toBeInTheDocument();
  });

  test('reported on another device, it is named above the roll call and in its row', async () => {
    const { open } = serveSearches();
    const { events } = await renderScreen('/importFamilies', { as: staff });
    const dialog = await roll();
    expect(rowOf(dialog)).not.toHaveTextContent('Reported missing');
    open.push(missing());
    await events.send({ type: 'alert.raised', incidentId: 'search-1' });
    await waitFor(() => expect(rowOf(dialog)).toHaveTextContent(/Reported missing, .*Karim Adel/));
    expect(rowOf(dialog, 'Child 3')).not.toHaveTextContent('Reported missing');
    await waitFor(() =>
      expect(
        within(dialog)
          .getAllByRole('status')
          .map(({ textContent }) => textContent),
      ).toContain('Missing child: Child 2'),
    );
    // Nobody is asked who has not marked the child.
    noQuestion(dialog);
  });

  test('marked here, it asks whether the search is over, and ends it', async () => {
    const { done, sent } = serveSearches(missing());
    const { user } = await renderScreen('/importFamilies', { as: staff });
    const dialog = await roll();
    await waitFor(() => expect(rowOf(dialog)).toHaveTextContent('Reported missing'));
    await user.click(tickBox(dialog, 'Child 2'));
    await waitFor(() => expect(sent).toEqual(['child-2 present']));
    const asked = await question(dialog);
    expect(asked).toHaveTextContent(/Has .*Child 2.* been found\?/);
    await user.click(within(asked).getByRole('button', { name: 'Not now' }));
    expect(done).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Child 2 has been found' }));
    await user.click(
      within(await question(dialog)).getByRole('button', { name: 'Yes, found: end the search' }),
    );
    await waitFor(() => expect(rowOf(dialog)).not.toHaveTextContent('Reported missing'));
    expect(done).toEqual(['found search-1']);
    noQuestion(dialog);
  });

  test('the question goes with its reason: marked here after all, or reported by somebody else', async () => {
    const { done, open } = serveSearches();
    const { user, events } = await renderScreen('/importFamilies', { as: staff });
    const dialog = await roll();
    await user.click(missingButton(dialog));
    await question(dialog);
    await user.click(tickBox(dialog, 'Child 2'));
    noQuestion(dialog);
    await user.click(missingButton(dialog));
    await question(dialog);
    open.push(missing());
    await events.send({ type: 'alert.raised', incidentId: 'search-1' });
    await waitFor(() => noQuestion(dialog));
    // The page gives the focus back a moment after the question has gone.
    await waitFor(() => expect(missingButton(dialog)).toHaveFocus());
    expect(done).toEqual([]);
  });

  test('without a connection the mark waits, but no alert is sent late: it says so', async () => {
    const { done } = serveSearches();
    server.use(
      handle(incidentRoutes.reportMissingChild, offline),
      handle(incidentRoutes.sendEvacuationTicks, offline),
    );
    const { user } = await renderScreen('/importFamilies', { as: staff });
    const dialog = await roll();
    await user.click(missingButton(dialog));
    const asked = await question(dialog);
    await user.click(within(asked).getByRole('button', { name: 'Alert all staff' }));
    await waitFor(() =>
      expect(within(asked).getByRole('alert')).toHaveTextContent(/Tell the others by voice, and try again/),
    );
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    dispatchEvent(new Event('offline'));
    await waitFor(() =>
      expect(within(asked).getByRole('button', { name: 'Alert all staff' })).toBeDisabled(),
    );
    expect(within(asked).getByRole('alert')).toHaveTextContent(/You are offline: the alert cannot be sent/);
    expect(dialog).toHaveTextContent('1 mark not sent yet');
    expect(done).toEqual([]);
    onLine.mockRestore();
    serveSearches();
    dispatchEvent(new Event('online'));
    const alert = within(asked).getByRole('button', { name: 'Alert all staff' });
    await waitFor(() => expect(alert).toBeEnabled());
    await user.click(alert);
    await waitFor(() => expect(rowOf(dialog)).toHaveTextContent('Reported missing'));
  });

  test('whoever may not check children in marks it, and is asked nothing', async () => {
    const { sent } = serveSearches(missing({ subject: { kind: 'child', _id: 'child-3', name: 'Child 3' } }));
    const permissions = staff.admin.permissions?.filter((one) => one !== 'children.check_in') ?? [];
    const { user } = await renderScreen('/importFamilies', {
      as: { admin: { ...staff.admin, permissions } },
    });
    const dialog = await roll();
    await user.click(missingButton(dialog));
    await waitFor(() => expect(sent).toEqual(['child-2 missing']));
    await waitFor(() => expect(rowOf(dialog, 'Child 3')).toHaveTextContent('Reported missing'));
    noQuestion(dialog);
    expect(within(dialog).queryByRole('button', { name: /Alert all staff|found/ })).not.toBeInTheDocument();
  });

  test('and checked out meanwhile, or an adult, is marked alone', async () => {
    const { known, sent } = serveSearches();
    const now = known.evacuation as Evacuation;
    known.evacuation = {
      ...now,
      children: now.children.map((one) => ({ ...one, isInside: false })),
      people: [person()],
    };
    const { user } = await renderScreen('/importFamilies', { as: staff });
    const dialog = await roll();
    await user.click(missingButton(dialog));
    await user.click(missingButton(dialog, 'Umm Ali'));
    await waitFor(() => expect(sent).toEqual(['child-2 missing', 'p missing']));
    noQuestion(dialog);
    expect(within(dialog).queryByRole('button', { name: /^Alert all staff/ })).not.toBeInTheDocument();
  });

  test('in Arabic', async () => {
    serveSearches();
    const { user } = await renderScreen('/importFamilies', { as: staff, language: 'ar', size: 'phone' });
    await user.click(await screen.findByRole('button', { name: 'مفقود: Child 2' }));
    expect(await screen.findByText(/تنبيه كل الموظفين بفقدان .*Child 2.*؟/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'تنبيه كل الموظفين' }));
    expect(await screen.findByText(/^أُبلغ عن فقدانه/)).toBeVisible();
  });
});

describe('marks that the server refuses for want of a permission', () => {
  const refused = 'You are not allowed to do this.';
  const waiting = () => Object.keys(localStorage).filter((key) => key.startsWith('haris.rollCall.'));

  test('are taken back with a word, and are not sent again', async () => {
    serveEvacuation(1);
    let asked = 0;
    server.use(
      handle(incidentRoutes.sendEvacuationTicks, () => {
        asked++;
        return refuse('forbidden');
      }),
    );
    const { user } = await renderScreen('/importFamilies', { as: staff });
    const dialog = await roll();
    await user.click(tickBox(dialog, LONG_NAME));
    expect(await screen.findByText(refused)).toBeInTheDocument();
    await waitFor(() => expect(waiting()).toEqual([]));
    expect(tickBox(dialog, LONG_NAME)).not.toBeChecked();
    expect(counts(dialog)).toEqual(['Not checked 1', 'Missing 0', 'Here 0']);
    dispatchEvent(new Event('online'));
    expect(asked).toBe(1);
  });

  test('of an evacuation before this one are told, too; those that may be of another facility wait', async () => {
    serveEvacuation(1);
    const at = new Date().toISOString();
    const tick = JSON.stringify([{ childId: 'child-0', state: 'present', at }]);
    localStorage.setItem('haris.rollCall.refused', tick);
    localStorage.setItem('haris.rollCall.elsewhere', tick);
    server.use(
      handle(incidentRoutes.sendEvacuationTicks, ({ params: { id } }) =>
        refuse(id === 'refused' ? 'forbidden' : 'not_found'),
      ),
    );
    await renderScreen('/importFamilies', { as: staff });
    await roll();
    expect(await screen.findAllByText(refused)).toHaveLength(1);
    await waitFor(() => expect(waiting()).toEqual(['haris.rollCall.elsewhere']));
  });
});

describe('the list on this device', () => {
  /** Opens the page with what it kept, while the server cannot be reached. */
  async function reloadOffline(kept: string | null) {
    // The page looks for the list once it knows that nobody answers.
    const placed = Promise.withResolvers<void>();
    const away = async (): Promise<typeof offline> => {
      await placed.promise;
      return offline;
    };
    server.use(
      handle(accountRoutes.adminInfo, away),
      handle(accountRoutes.parentInfo, away),
      handle(incidentRoutes.getEvacuation, offline),
      handle(incidentRoutes.sendEvacuationTicks, offline),
    );
    const page = await renderScreen('/importFamilies', { as: staff });
    if (kept !== null) localStorage.setItem(KEPT_LIST_KEY, kept);
    placed.resolve();
    return page;
  }

  /** Opens the page during an evacuation and returns what it keeps. */
  async function keepOne(count: number): Promise<string> {
    serveEvacuation(count, [person()]);
    const { unmount } = await renderScreen('/importFamilies', { as: staff });
    await roll();
    await waitFor(() => expect(localStorage.getItem(KEPT_LIST_KEY)).not.toBeNull());
    const kept = localStorage.getItem(KEPT_LIST_KEY) ?? '';
    expect(Object.values(localStorage).join()).not.toMatch(/Child 2|Sara|0100123/);
    await unmount();
    expect(localStorage.getItem(KEPT_LIST_KEY)).toBeNull();
    return kept;
  }

  test('survives a reload without a connection, sealed, and marks wait', async () => {
    const kept = await keepOne(3);
    const { user } = await reloadOffline(kept);
    const dialog = await roll();
    expect(dialog).toHaveTextContent(/You are offline\..*List as of/);
    expect(names(dialog)).toEqual(expect.arrayContaining([LONG_NAME, 'Child 2', 'Umm Ali']));
    expect(within(dialog).getByRole('link', { name: 'Call Mona Hassan, 01001234567' })).toBeInTheDocument();
    await user.click(tickBox(dialog, 'Child 2'));
    expect(await within(dialog).findByText(/1 mark not sent yet/)).toBeInTheDocument();
    await user.click(within(dialog).getByRole('button', { name: 'Child 2 is missing' }));
    expect(await within(dialog).findByText(/You are offline: the alert cannot be sent/)).toBeInTheDocument();
    expect(within(dialog).getByRole('button', { name: 'Alert all staff' })).toBeDisabled();
    await user.click(within(dialog).getByRole('button', { name: 'Minimise' }));
    expect(screen.getByText('Evacuation in progress.')).toBeInTheDocument();
  });

  test('has the care cards, sealed too, and opens them without a connection', async () => {
    const cards = [
      {
        childId: 'child-2',
        card: {
          ...EMPTY_CARE_CARD,
          allergies: [
            { allergen: 'egg', substance: '', severity: 'severe', reaction: '', action: 'Red bag' } as const,
          ],
          contacts: [{ name: 'Nadia', relation: '', phone: '01009998888' }],
        },
      },
    ];
    server.use(handle(careRoutes.listEvacuationCareCards, { cards }));
    serveEvacuation(3, [person()]);
    const { unmount } = await renderScreen('/importFamilies', { as: staff });
    await within(await roll()).findByRole('button', { name: /^Child 2: Allergies: Egg/ });
    await waitFor(() => expect(localStorage.getItem(KEPT_LIST_KEY)).not.toBeNull());
    const kept = await waitFor(async () => {
      expect((await openList())?.cards).toEqual(cards);
      return localStorage.getItem(KEPT_LIST_KEY);
    });
    // Words too long to stand in sealed text by chance.
    expect(Object.values(localStorage).join()).not.toMatch(/allergen|Red bag|Nadia|01009998888/i);
    await unmount();
    let asked = 0;
    server.use(
      handle(careRoutes.getCareCard, () => {
        asked++;
        return offline;
      }),
    );
    const { user } = await reloadOffline(kept);
    await user.click(
      await within(await roll()).findByRole('button', { name: /^Child 2: Allergies: Egg \(Severe/ }),
    );
    const card = await screen.findByRole('dialog', { name: 'Care card: Child 2' });
    expect(within(card).getByRole('link', { name: 'Call Nadia' })).toBeInTheDocument();
    expect(card).toHaveTextContent('Red bag');
    expect(card).toHaveTextContent('As stored on this device.');
    expect(asked).toBe(0);
    await user.click(within(card).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog', { name: 'Care card: Child 2' })).not.toBeInTheDocument();
    expect(await roll()).toBeVisible();
  });

  test('keeps the care cards of before while those of the server are not known yet', async () => {
    setToken('a-token');
    const cards = [{ childId: 'child-0', card: { ...EMPTY_CARE_CARD, note: 'Kept' } }];
    const list = { evacuation: evacuation(1), staffId: staff.admin._id, mayTick: true };
    await keepList({ ...list, cards });
    await keepList({ ...list, cards: undefined });
    expect((await openList())?.cards).toEqual(cards);
    await keepList({ ...list, evacuation: { ...evacuation(1), _id: 'another' }, cards: undefined });
    expect((await openList())?.cards).toEqual([]);
    setToken(null);
  });

  test('whoever may not read care cards keeps none', async () => {
    let asked = 0;
    server.use(
      handle(careRoutes.listEvacuationCareCards, () => {
        asked++;
        return { cards: [] };
      }),
    );
    serveEvacuation(1);
    const permissions = staff.admin.permissions?.filter((one) => one !== 'care.view') ?? [];
    await renderScreen('/importFamilies', { as: { admin: { ...staff.admin, permissions } } });
    await roll();
    await waitFor(() => expect(localStorage.getItem(KEPT_LIST_KEY)).not.toBeNull());
    expect((await openList())?.cards).toEqual([]);
    expect(asked).toBe(0);
  });

  test('gives way to the server’s list once the session is known', async () => {
    const kept = await keepOne(3);
    const { user } = await reloadOffline(kept);
    await roll();
    server.use(handle(accountRoutes.adminInfo, staff));
    serveEvacuation(4);
    await user.click(within(await roll()).getByRole('button', { name: 'Minimise' }));
    await user.click(screen.getByRole('button', { name: /Try Again/ }));
    await waitFor(async () => expect(names(await roll())).toContain('Child 3'));
    expect(screen.queryByText(/List as of/)).not.toBeInTheDocument();
  });

  test.each([
    ['damaged', (kept: string) => kept.replace(/"data":"..../, '"data":"AAAA')],
    ['of another session', (kept: string) => kept.replace(/"salt":"..../, '"salt":"AAAA')],
    ['not of this kind', () => '{"children":[]}'],
  ])('one that is %s is not shown, and removed', async (_what, change) => {
    const kept = await keepOne(2);
    await reloadOffline(change(kept));
    await waitFor(() => expect(localStorage.getItem(KEPT_LIST_KEY)).toBeNull());
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  test('one that was still being sealed when the session ended is not stored in the next', async () => {
    const sealed = Promise.withResolvers<void>();
    const encrypt = crypto.subtle.encrypt.bind(crypto.subtle);
    vi.spyOn(crypto.subtle, 'encrypt').mockImplementation(async (...given) => {
      await sealed.promise;
      return encrypt(...given);
    });
    setToken('the-same-token');
    const kept = keepList({
      ...{ evacuation: evacuation(1), staffId: staff.admin._id, mayTick: true, cards: [] },
    });
    setToken(null);
    setToken('the-same-token');
    sealed.resolve();
    await kept;
    expect(localStorage.getItem(KEPT_LIST_KEY)).toBeNull();
  });

  test('is gone after twelve hours, and once the evacuation has ended', async () => {
    const kept = await keepOne(2);
    vi.setSystemTime(Date.now() + 13 * 3_600_000);
    const { unmount } = await reloadOffline(kept);
    await waitFor(() => expect(localStorage.getItem(KEPT_LIST_KEY)).toBeNull());
    await unmount();
    vi.useRealTimers();
    server.resetHandlers();
    const { known } = serveEvacuation(2);
    const { events } = await renderScreen('/importFamilies', { as: staff });
    await waitFor(() => expect(localStorage.getItem(KEPT_LIST_KEY)).not.toBeNull());
    known.evacuation = null;
    await events.send({ type: 'alert.cleared' });
    await waitFor(() => expect(localStorage.getItem(KEPT_LIST_KEY)).toBeNull());
  });
});

describe('finding', () => {
  test('by name in both scripts, by guardian, by room and by state', async () => {
    serveEvacuation(100, [person()]);
    const { user } = await renderScreen('/importFamilies', { as: staff });
    const dialog = await roll();
    const search = within(dialog).getByRole('searchbox', { name: 'Name or phone' });
    await user.type(search, 'احمد');
    expect(names(dialog)).toEqual(['أحمد علي']);
    await user.clear(search);
    // In the other script, and with a typing error.
    await user.type(search, 'ahmd');
    expect(names(dialog)).toEqual(['أحمد علي']);
    await user.clear(search);
    await user.type(search, 'mona');
    expect(names(dialog)).toEqual(['Child 2']);
    await user.clear(search);
    await user.type(search, 'nobody of this name');
    expect(within(dialog).getByText('No match.')).toBeInTheDocument();
    await user.clear(search);
    await user.selectOptions(within(dialog).getByRole('combobox', { name: 'Room' }), 'Staff');
    expect(names(dialog)).toEqual(['Umm Ali']);
    await user.selectOptions(within(dialog).getByRole('combobox', { name: 'Room' }), 'Garden');
    expect(names(dialog)).toHaveLength(25);
    await user.click(within(dialog).getByRole('button', { name: /^Missing/ }));
    expect(names(dialog)).toEqual([]);
  });

  test('somebody who is not on the list is added by name', async () => {
    const { known } = serveEvacuation(1);
    const added: string[] = [];
    server.use(
      handle(visitorRoutes.signInVisitor, ({ body: { name, kind } }) => {
        added.push(`${kind} ${name}`);
        known.evacuation = evacuation(1, [person({ personId: 'v', kind, name })]);
        return {
          visitor: {
            _id: 'v',
            kind,
            name,
            phone: null,
            reason: null,
            signedInAt: new Date().toISOString(),
            signedInBy: other,
            signedOutAt: null,
            isInside: true,
          },
        };
      }),
    );
    const { user } = await renderScreen('/importFamilies', { as: staff });
    const dialog = await roll();
    await user.click(within(dialog).getByRole('button', { name: 'Add person' }));
    await user.click(within(dialog).getByRole('button', { name: 'Sign in' }));
    expect(await within(dialog).findByText('Name is required')).toBeInTheDocument();
    await expectAccessible();
    await user.type(within(dialog).getByRole('textbox', { name: /^Name/ }), 'Found outside');
    await user.click(within(dialog).getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(added).toEqual(['visitor Found outside']));
    expect(
      await within(dialog).findByRole('checkbox', { name: 'Found outside is here' }),
    ).toBeInTheDocument();
  });
});

test('the printed list has everybody by room, with boxes, numbers and the time', async () => {
  serveEvacuation(4, [person()]);
  let printed = '';
  vi.stubGlobal('print', () => {
    printed = document.querySelector('[data-print-sheet]')?.textContent ?? '';
  });
  const { user } = await renderScreen('/importFamilies', { as: staff });
  await user.click(within(await roll()).getByRole('button', { name: 'Print' }));
  await waitFor(() => expect(printed).toMatch(/Evacuation: roll call.*Printed.*5 people/));
  expect(printed).toMatch(/Garden \(1\).*Nap room \(1\).*Playroom \(1\).*Room unknown \(1\).*Staff \(1\)/);
  expect(printed).toContain('01001234567');
  await waitFor(() => expect(document.querySelector('[data-print-sheet]')).toBeNull());
});

test('who was never confirmed is marked, in its row and on paper', async () => {
  const { known } = serveEvacuation(3);
  const now = known.evacuation as Evacuation;
  const [first, second, third] = now.children as [RollCallChild, RollCallChild, RollCallChild];
  known.evacuation = { ...now, children: [first, second, { ...third, unconfirmed: true }] };
  let printed = '';
  vi.stubGlobal('print', () => {
    printed = document.querySelector('[data-print-sheet]')?.textContent ?? '';
  });
  const { user } = await renderScreen('/importFamilies', { as: staff });
  const dialog = await roll();
  expect(tickBox(dialog, third.name).closest('li')).toHaveTextContent('Not confirmed yet');
  expect(within(dialog).getAllByText('Not confirmed yet')).toHaveLength(1);
  await user.click(within(dialog).getByRole('button', { name: 'Print' }));
  await waitFor(() => expect(printed.match(/Not confirmed yet/g)).toHaveLength(1));
});

test.each([
  ['en', 'Perhaps here. A desk says: came', 'Perhaps gone. A desk says: left', 'A desk says'],
  [
    'ar',
    'ربما في الداخل. سجّل جهاز مكتب: الحضور',
    'ربما خارج المبنى. سجّل جهاز مكتب: الانصراف',
    'سجّل جهاز مكتب',
  ],
] as const)(
  'what a desk told later and nobody has settled is marked, in its row and on paper (%s)',
  async (language, came, left, unsettled) => {
    const { known } = serveEvacuation(3);
    const now = known.evacuation as Evacuation;
    const [first, second, third] = now.children as [RollCallChild, RollCallChild, RollCallChild];
    // 3:10 PM in Cairo.
    const at = '2026-03-18T13:10:00.000Z';
    known.evacuation = {
      ...now,
      children: [
        first,
        { ...second, unsettled: { kind: 'check_in', at } },
        { ...third, unsettled: { kind: 'check_out', at } },
      ],
    };
    let printed = '';
    vi.stubGlobal('print', () => {
      printed = document.querySelector('[data-print-sheet]')?.textContent ?? '';
    });
    const { user } = await renderScreen('/importFamilies', { as: staff, language });
    const marks = await screen.findAllByText(new RegExp(unsettled));
    expect(marks).toHaveLength(2);
    const rowOf = (mark: RegExp) => screen.getByText(mark).closest('li');
    expect(rowOf(new RegExp(`^${came} .*10|^${came} .*١٠`))).toHaveTextContent(second.name);
    expect(rowOf(new RegExp(`^${left} .*10|^${left} .*١٠`))).toHaveTextContent(third.name);
    await user.click(screen.getByRole('button', { name: language === 'en' ? 'Print' : 'طباعة' }));
    await waitFor(() => expect(printed.match(new RegExp(unsettled, 'g'))).toHaveLength(2));
  },
);

test('on paper, whoever is ticked stands below the others of the room', async () => {
  serveEvacuation(8);
  let printed = '';
  vi.stubGlobal('print', () => {
    printed = document.querySelector('[data-print-sheet]')?.textContent ?? '';
  });
  const { user } = await renderScreen('/importFamilies', { as: staff });
  const dialog = await roll();
  await user.click(tickBox(dialog, LONG_NAME));
  await user.click(within(dialog).getByRole('button', { name: 'Print' }));
  // Only the first one is ticked; without the tick it would stand before the other.
  await waitFor(() => expect(printed).toMatch(/Playroom \(2\)[^✓]*Child 4 .*✓.*Room unknown/));
});

test('dangers that are not over are named at the top', async () => {
  serveIncidents(incident({ acknowledgedAt: new Date().toISOString(), acknowledgedBy: other }));
  serveEvacuation(1);
  await renderScreen('/importFamilies', { as: staff });
  const dialog = await roll();
  await waitFor(() => expect(dialog).toHaveTextContent('Temperature alert: Playroom'));
});

test('it is minimised and opened again; its end asks first and says who is unclear', async () => {
  serveEvacuation(2);
  const { user } = await renderScreen('/importFamilies', { as: staff });
  await user.click(within(await roll()).getByRole('button', { name: 'Minimise' }));
  expect(screen.getByText('Evacuation in progress.')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Open roll call' }));
  const dialog = await roll();
  await user.keyboard('{Escape}');
  expect(dialog).toBeInTheDocument();
  await user.click(within(dialog).getByRole('button', { name: 'End evacuation' }));
  expect(within(dialog).getByRole('alert')).toHaveTextContent(
    'End the evacuation for everyone?2 people are missing or not checked yet.',
  );
  await user.click(within(dialog).getByRole('button', { name: 'Keep evacuating' }));
  await user.click(within(dialog).getByRole('button', { name: 'End evacuation' }));
  await user.click(within(dialog).getByRole('button', { name: 'Yes, end it' }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
});

test('in Arabic a long Latin name is cut at its own end, not at its beginning', async () => {
  serveEvacuation(2);
  await renderScreen('/importFamilies', { as: staff, language: 'ar' });
  // The two lines that cut it are the element itself.
  expect(await screen.findByText(LONG_NAME)).toHaveAttribute('dir', 'auto');
  expect(screen.getByText('أحمد علي')).toHaveAttribute('dir', 'auto');
});

test('in Arabic: right to left, nobody inside', async () => {
  serveEvacuation(0);
  await renderScreen('/importFamilies', { as: staff, language: 'ar' });
  expect(await screen.findByText('لا يوجد أحد في الداخل.')).toBeInTheDocument();
  await expectAccessible();
  expect(document.documentElement).toHaveAttribute('dir', 'rtl');
});
