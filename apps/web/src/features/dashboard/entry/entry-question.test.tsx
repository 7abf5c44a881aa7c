/** The morning of a new family: one question per child with one answer, people who look alike, and “not this child”. */
import { childRoutes } from '@haris/contract/http/children';
import { photoRoutes } from '@haris/contract/http/photos';
import type { Child } from '@haris/contract/objects';
import { BUILT_IN_ROLES } from '@haris/contract/permissions';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { handle, refuse, server } from '../../../testing/contract-server.ts';
import { admin, child } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { drawPhotos, seeEverything } from '../../../testing/sight.ts';
import { family, serveDesk } from '../testing/desk.ts';

const at = '2026-03-18T08:00:00.000Z';
const PHOTO = '/api/photos/rana-1';

beforeEach(() => {
  seeEverything();
  drawPhotos();
});

/** A child that the family added at home, with the photo that nobody has compared. */
function added(name: string, more: Partial<Child> = {}): Child {
  const id = `child-${name.toLowerCase()}`;
  const photo = more.photo === undefined ? `/api/photos/${name.toLowerCase()}` : more.photo;
  return child({
    _id: id,
    name: `${name} Samir`,
    photo,
    pending: ['photo', 'name'],
    proposal: { revision: `${id} 1`, at, name: `${name} Samir`, ...(photo === null ? {} : { photo }) },
    ...more,
  });
}
const rana = () => added('Rana');
const ziad = () => added('Ziad');
const mother = { _id: 'parent-dina', name: 'Dina Samir', email: 'dina@haris.example' };

const alike = (count: number) => ({
  candidates: Array.from({ length: count }, (_, n) => ({
    childId: `child-alike-${n}`,
    name: `Alike ${n}`,
    parentName: 'سارة إبراهيم',
    photo: null,
    similarity: 0.55 - n / 100,
  })),
  adults: [],
});

/** Serves check-ins and decisions; a child of `lookAlike` is a question until its confirmation says another person. */
function serveEntry(lookAlike: ReadonlySet<string> = new Set()) {
  const sent: object[] = [];
  server.use(
    handle(childRoutes.checkInChild, ({ params: { id }, body }) => {
      sent.push({ checkIn: id, ...body });
      if (lookAlike.has(id) && body.confirm) return refuse('face_already_registered', alike(5));
      return {
        message: 'Checked in',
        child: child({ _id: id, isInside: true, entryTime: at, duration: 30 }),
      };
    }),
    handle(childRoutes.confirmChild, ({ params: { id }, body }) => {
      sent.push({ decide: id, ...body });
      return { message: 'Decided', child: child({ _id: id }) };
    }),
  );
  return sent;
}

const open = (options: Partial<Parameters<typeof renderScreen>[1]> = {}) =>
  renderScreen('/adminDashboard', { as: { admin: admin() }, ...options });

async function openEntry(user: UserEvent, typed: string) {
  await user.click((await screen.findAllByRole('button', { name: 'Register Entry' }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'Register Child Entry' }));
  await waitFor(async () => expect(await dialog.findByRole('combobox')).toHaveFocus());
  await user.keyboard(typed);
  return dialog;
}

test('two new siblings: ticked, compared, and checked in with one answer', async () => {
  serveDesk(family(mother, rana(), ziad()));
  const sent = serveEntry();
  const { user } = await open();
  const dialog = await openEntry(user, 'di');
  for (const name of ['Rana', 'Ziad'])
    await user.click(await dialog.findByRole('checkbox', { name: `${name} Samir` }));
  for (const name of ['Rana', 'Ziad'])
    expect(dialog.getByRole('region', { name: `Is this ${name} Samir?` })).toHaveTextContent(
      'Not confirmed yet',
    );
  await user.click(await dialog.findByRole('button', { name: 'These are the children: check in 2' }));
  expect(await screen.findByText('Child checked in successfully')).toBeInTheDocument();
  expect(sent).toEqual(
    ['child-rana', 'child-ziad'].map((id) => ({
      checkIn: id,
      durationInMinutes: 30,
      confirm: true,
      revision: `${id} 1`,
    })),
  );
});

test('a photo that was not in view is shown first; the answer confirms it only then', async () => {
  // One child's photo is in view at once, the other's after it was scrolled to.
  const waiting: (() => void)[] = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #tell: (entries: { isIntersecting: true; target: Element }[]) => void;
      constructor(tell: (entries: { isIntersecting: true; target: Element }[]) => void) {
        this.#tell = tell;
      }
      observe(target: Element) {
        const isInView = () => this.#tell([{ isIntersecting: true, target }]);
        if (target.closest('section')?.getAttribute('aria-label')?.includes('Ziad')) waiting.push(isInView);
        else if (target.tagName === 'FIGURE') setTimeout(() => act(isInView));
      }
      unobserve() {}
      disconnect() {}
    },
  );
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => {});
  serveDesk(family(mother, rana(), ziad()));
  const sent = serveEntry();
  const { user } = await open();
  const dialog = await openEntry(user, 'di');
  await user.click(await dialog.findByRole('checkbox', { name: 'Rana Samir' }));
  expect(await dialog.findByRole('button', { name: 'This is the child: check in' })).toBeInTheDocument();
  await user.click(dialog.getByRole('checkbox', { name: 'Ziad Samir' }));
  scrolled.mockClear();
  const next = dialog.getByRole('button', { name: 'See the next photo' });
  await user.click(next);
  expect(scrolled.mock.contexts).toEqual([
    within(dialog.getByRole('region', { name: 'Is this Ziad Samir?' })).getByRole('figure'),
  ]);
  act(() => {
    for (const isInView of waiting) isInView();
  });
  const answer = await dialog.findByRole('button', { name: 'These are the children: check in 2' });
  // The second tap of a double tap.
  fireEvent.click(answer, { detail: 2 });
  fireEvent.click(answer, { detail: 1 });
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(await screen.findByText('Child checked in successfully')).toBeInTheDocument();
  expect(sent).toHaveLength(2);
});

test('one new child from its row: two presses', async () => {
  serveDesk(family(mother, rana()));
  const sent = serveEntry();
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Check in Rana Samir' }));
  await user.click(await screen.findByRole('button', { name: 'This is the child: check in' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ confirm: true, revision: 'child-rana 1' });
});

test('who looks alike is asked in the child’s card; the others are inside, and closing decides nothing', async () => {
  serveDesk(family(mother, rana(), ziad()));
  const sent = serveEntry(new Set(['child-rana']));
  const { user } = await open();
  const dialog = await openEntry(user, 'di');
  for (const name of ['Rana', 'Ziad'])
    await user.click(await dialog.findByRole('checkbox', { name: `${name} Samir` }));
  await user.click(await dialog.findByRole('button', { name: 'These are the children: check in 2' }));
  const asked = await dialog.findByRole('alert', { name: /^Rana Samir: / });
  expect(asked).toHaveFocus();
  expect(within(asked).getAllByText(/^Alike \d$/)).toHaveLength(3);
  expect(within(asked).getByText('Child of \u2068سارة إبراهيم\u2069, 55% alike')).toBeInTheDocument();
  expect(within(asked).queryByText(/Is this/)).not.toBeInTheDocument();
  await expectAccessible();
  expect(dialog.getByRole('checkbox', { name: 'Ziad Samir' })).not.toBeChecked();
  expect(sent).toHaveLength(2);
  await user.click(
    within(asked).getByRole('button', { name: 'This is \u2068Rana Samir\u2069: confirm and check in' }),
  );
  expect(await screen.findByText('Child checked in successfully')).toBeInTheDocument();
  expect(sent.slice(2)).toEqual([
    { decide: 'child-rana', accept: true, confirm: true, revision: 'child-rana 1' },
    { checkIn: 'child-rana', durationInMinutes: 30 },
  ]);
});

test('while who looks alike is asked, the main button leads to the answers and checks nobody in', async () => {
  serveDesk(family(mother, rana(), ziad()));
  const sent = serveEntry(new Set(['child-rana']));
  const { user } = await open();
  const dialog = await openEntry(user, 'rana');
  await user.click(await dialog.findByRole('button', { name: 'This is the child: check in' }));
  const asked = within(await dialog.findByRole('alert', { name: /^Rana Samir: / }));
  expect(
    asked.getByText('These people look like the new photo. Is it really a photo of \u2068Rana Samir\u2069?'),
  ).toBeInTheDocument();
  expect(sent).toHaveLength(1);
  // A sibling who is ticked meanwhile waits for the answer too.
  await user.click(dialog.getByRole('checkbox', { name: 'Ziad Samir' }));
  const leads = dialog.getByRole('button', { name: 'Answer the question about \u2068Rana Samir\u2069' });
  const isNot = asked.getByRole('button', { name: 'This is not \u2068Rana Samir\u2069' });
  for (const _ of [1, 2]) {
    await user.click(leads);
    expect(isNot).toHaveFocus();
  }
  expect(sent).toHaveLength(1);
  await user.keyboard('{Enter}');
  expect(await dialog.findByText(/^Not this child\./)).toBeInTheDocument();
  await user.click(await dialog.findByRole('button', { name: 'This is the child: check in' }));
  await screen.findByText('Child checked in successfully');
  expect(sent).toEqual(expect.arrayContaining([expect.objectContaining({ checkIn: 'child-ziad' })]));
  expect(sent.filter((one) => 'checkIn' in one && one.checkIn === 'child-rana')).toHaveLength(1);
});

test('two children who both look like somebody: each answer checks its own child in, and the dialog stays for the other', async () => {
  serveDesk(family(mother, rana(), ziad()));
  const sent = serveEntry(new Set(['child-rana', 'child-ziad']));
  const { user } = await open();
  const dialog = await openEntry(user, 'di');
  for (const name of ['Rana', 'Ziad'])
    await user.click(await dialog.findByRole('checkbox', { name: `${name} Samir` }));
  await user.click(await dialog.findByRole('button', { name: 'These are the children: check in 2' }));
  const answer = async (name: string) =>
    user.click(
      await dialog.findByRole('button', { name: `This is \u2068${name} Samir\u2069: confirm and check in` }),
    );
  await answer('Rana');
  expect(await screen.findByText('Child checked in successfully')).toBeInTheDocument();
  expect(dialog.getByRole('checkbox', { name: 'Rana Samir' })).not.toBeChecked();
  expect(dialog.getByRole('checkbox', { name: 'Ziad Samir' })).toBeChecked();
  expect(dialog.getByRole('alert', { name: /^Ziad Samir: / })).toBeInTheDocument();
  await answer('Ziad');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  const decided = sent.slice(2);
  expect(decided).toEqual(
    ['child-rana', 'child-ziad'].flatMap((id) => [
      { decide: id, accept: true, confirm: true, revision: `${id} 1` },
      { checkIn: id, durationInMinutes: 30 },
    ]),
  );
});

test('a sibling who is ticked while who looks alike is asked stays ticked after the answer, and comes in next', async () => {
  serveDesk(family(mother, rana(), ziad()));
  const sent = serveEntry(new Set(['child-rana']));
  const { user } = await open();
  const dialog = await openEntry(user, 'rana');
  await user.click(await dialog.findByRole('button', { name: 'This is the child: check in' }));
  await dialog.findByRole('alert', { name: /^Rana Samir: / });
  await user.click(dialog.getByRole('checkbox', { name: 'Ziad Samir' }));
  await user.click(
    await dialog.findByRole('button', { name: 'This is \u2068Rana Samir\u2069: confirm and check in' }),
  );
  await waitFor(() => expect(dialog.getByRole('checkbox', { name: 'Rana Samir' })).not.toBeChecked());
  expect(dialog.getByRole('checkbox', { name: 'Ziad Samir' })).toBeChecked();
  await user.click(await dialog.findByRole('button', { name: 'This is the child: check in' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(sent.filter((one) => 'checkIn' in one).map((one) => (one as { checkIn: string }).checkIn)).toEqual([
    'child-rana',
    'child-rana',
    'child-ziad',
  ]);
});

test('“not this child” unticks and can be undone; nothing is sent meanwhile', async () => {
  serveDesk(family(mother, rana()));
  const sent = serveEntry();
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Check in Rana Samir' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Register Child Entry' }));
  await user.click(await dialog.findByRole('button', { name: 'Not this child' }));
  expect(dialog.getByRole('checkbox', { name: 'Rana Samir' })).not.toBeChecked();
  expect(dialog.getByRole('status')).toHaveTextContent('The family is told');
  await user.click(dialog.getByRole('button', { name: 'Undo' }));
  expect(dialog.getByRole('checkbox', { name: 'Rana Samir' })).toBeChecked();
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(sent).toEqual([]);
});

test('who ticks a rejected child again takes the rejection back', async () => {
  serveDesk(family(mother, rana()));
  const sent = serveEntry();
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Check in Rana Samir' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Register Child Entry' }));
  await user.click(await dialog.findByRole('button', { name: 'Not this child' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Rana Samir' }));
  await user.click(await dialog.findByRole('button', { name: 'This is the child: check in' }));
  await screen.findByText('Child checked in successfully');
  expect(sent).toEqual([expect.objectContaining({ checkIn: 'child-rana', confirm: true })]);
});

test('a rejection is sent when the form is left, and Enter does not check the child in', async () => {
  serveDesk(family(mother, rana(), ziad()));
  const sent = serveEntry();
  const { user } = await open();
  const dialog = await openEntry(user, 'rana');
  await user.click(await dialog.findByRole('button', { name: 'Not this child' }));
  await user.click(dialog.getByRole('combobox'));
  await user.keyboard('{Enter}');
  expect(sent).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await waitFor(() =>
    expect(sent).toEqual([{ decide: 'child-rana', accept: false, confirm: false, revision: 'child-rana 1' }]),
  );
  expect(await screen.findByText('Rejected. The family has been notified.')).toBeInTheDocument();
});

test('Enter in the search moves to the answer and confirms no photo; a second one does', async () => {
  serveDesk(family(mother, rana()));
  const sent = serveEntry();
  const { user } = await open();
  const dialog = await openEntry(user, 'rana');
  await dialog.findByRole('region', { name: 'Is this Rana Samir?' });
  await user.keyboard('{Enter}');
  const answer = await dialog.findByRole('button', { name: 'This is the child: check in' });
  expect(answer).toHaveFocus();
  expect(dialog.queryByRole('combobox')).not.toBeInTheDocument();
  expect(sent).toEqual([]);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ checkIn: 'child-rana', confirm: true });
});

test('the camera opened after “not this child” and closed again leaves the child refused', async () => {
  serveDesk(family(mother, rana()));
  const sent = serveEntry();
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Check in Rana Samir' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Register Child Entry' }));
  await user.click(await dialog.findByRole('button', { name: 'Not this child' }));
  await user.click(dialog.getByRole('button', { name: 'Take a photo' }));
  const camera = within(await screen.findByRole('dialog', { name: 'New photo' }));
  await user.click(camera.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'New photo' })).not.toBeInTheDocument());
  expect(dialog.getByRole('checkbox', { name: 'Rana Samir' })).not.toBeChecked();
  expect(dialog.getByRole('status')).toHaveTextContent('The family is told');
  expect(sent).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await waitFor(() =>
    expect(sent).toEqual([{ decide: 'child-rana', accept: false, confirm: false, revision: 'child-rana 1' }]),
  );
});

test('a child whom staff rejected before has nothing to decide: it says what to do, and offers the camera', async () => {
  const pending = ['photo', 'name'] as const;
  const rejected = child({
    _id: 'child-rana',
    name: 'Rana Samir',
    photo: null,
    pending: [...pending],
    unconfirmed: [...pending],
  });
  serveDesk(family(mother, rejected));
  const sent = serveEntry();
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Check in Rana Samir' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Register Child Entry' }));
  expect(await dialog.findByText(/^Nobody has confirmed this child's photo or name/)).toBeInTheDocument();
  expect(dialog.getByRole('button', { name: 'Take a photo' })).toBeInTheDocument();
  expect(dialog.queryByRole('button', { name: 'Not this child' })).not.toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Check in' }));
  await waitFor(() => expect(sent).toEqual([{ checkIn: 'child-rana', durationInMinutes: 30 }]));
});

test('a child without a photo gets one at the desk, in the same place', async () => {
  const bare = child({ _id: 'child-rana', name: 'Rana Samir', photo: null });
  serveDesk(family(mother, bare));
  serveEntry();
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Check in Rana Samir' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Register Child Entry' }));
  expect(await dialog.findByText('No photo so far')).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Take a photo' }));
  expect(await screen.findByRole('dialog', { name: 'New photo' })).toBeInTheDocument();
});

test('a newer photo in between: nobody is checked in, and the new one is shown', async () => {
  const before = rana();
  serveDesk(family(mother, before));
  server.use(
    handle(childRoutes.checkInChild, () => {
      serveDesk(
        family(
          mother,
          added('Rana', { proposal: { revision: 'newer', at, name: 'Rana Samir', photo: PHOTO } }),
        ),
      );
      const sent = serveEntry();
      answers.push(sent);
      return refuse('proposal_changed');
    }),
  );
  const answers: object[][] = [];
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Check in Rana Samir' }));
  await user.click(await screen.findByRole('button', { name: 'This is the child: check in' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Register Child Entry' }));
  const question = dialog.getByRole('region', { name: 'Is this Rana Samir?' });
  await within(question).findByText('New');
  await user.click(await dialog.findByRole('button', { name: 'This is the child: check in' }));
  await waitFor(() => expect(answers[0]).toEqual([expect.objectContaining({ revision: 'newer' })]));
});

test('who looked alike is no answer about a newer photo: that one is compared first', async () => {
  serveDesk(family(mother, rana()));
  const sent = serveEntry(new Set(['child-rana']));
  const { user, events } = await open();
  await user.click(await screen.findByRole('button', { name: 'Check in Rana Samir' }));
  await user.click(await screen.findByRole('button', { name: 'This is the child: check in' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Register Child Entry' }));
  await dialog.findByRole('button', { name: 'This is \u2068Rana Samir\u2069: confirm and check in' });
  serveDesk(
    family(mother, added('Rana', { proposal: { revision: 'newer', at, name: 'Rana Samir', photo: PHOTO } })),
  );
  serveEntry();
  await events.send({ type: 'child.updated', childId: 'child-rana' });
  const region = await dialog.findByRole('region', { name: 'Is this Rana Samir?' });
  expect(region).toHaveTextContent('The family has just sent something new.');
  expect(
    dialog.queryByRole('button', { name: 'This is \u2068Rana Samir\u2069: confirm and check in' }),
  ).not.toBeInTheDocument();
  expect(sent).toHaveLength(1);
});

test('a photo that replaces the one in view is not confirmed by the press that was meant for it', async () => {
  serveDesk(family(mother, rana()));
  const { user, events } = await open();
  await user.click(await screen.findByRole('button', { name: 'Check in Rana Samir' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Register Child Entry' }));
  const answer = await dialog.findByRole('button', { name: 'This is the child: check in' });
  serveDesk(
    family(mother, added('Rana', { proposal: { revision: 'newer', at, name: 'Rana Samir', photo: PHOTO } })),
  );
  const sent = serveEntry();
  await events.send({ type: 'child.updated', childId: 'child-rana' });
  await dialog.findByText(/^The family has just sent something new/);
  fireEvent.click(answer, { detail: 1 });
  expect(sent).toEqual([]);
  await user.click(await dialog.findByRole('button', { name: 'This is the child: check in' }));
  await waitFor(() => expect(sent).toEqual([expect.objectContaining({ revision: 'newer' })]));
});

test('a photo that cannot be loaded cannot be confirmed; once it comes it can', async () => {
  let asked = 0;
  server.use(
    handle(photoRoutes.getPhoto, () => {
      asked += 1;
      return refuse('not_found');
    }),
  );
  serveDesk(family(mother, rana()));
  const sent = serveEntry();
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Check in Rana Samir' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Register Child Entry' }));
  // The dialog asks again for what failed in the row.
  await waitFor(() => expect(asked).toBe(2));
  expect(
    await dialog.findByText('A photo could not be loaded, so it cannot be confirmed.'),
  ).toBeInTheDocument();
  expect(dialog.getByRole('button', { name: 'Take a photo' })).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'See the next photo' }));
  expect(sent).toEqual([]);
  server.use(handle(photoRoutes.getPhoto, new Blob(['photo'])));
  await user.click(dialog.getByRole('button', { name: 'Try Again' }));
  await user.click(await dialog.findByRole('button', { name: 'This is the child: check in' }));
  await waitFor(() => expect(sent).toHaveLength(1));
});

test('whoever may not decide checks in, and confirms nothing', async () => {
  serveDesk(family(mother, rana()));
  const sent = serveEntry();
  const teacher = admin({
    roles: [{ roleId: 'teacher', name: null, facilityId: null }],
    permissions: [...BUILT_IN_ROLES.teacher],
  });
  const { user } = await open({ as: { admin: teacher } });
  await user.click(await screen.findByRole('button', { name: 'Check in Rana Samir' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Register Child Entry' }));
  expect(await dialog.findByText(/^Your role does not decide about this/)).toBeInTheDocument();
  expect(dialog.queryByRole('button', { name: 'Not this child' })).not.toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Check in' }));
  await waitFor(() => expect(sent).toEqual([{ checkIn: 'child-rana', durationInMinutes: 30 }]));
});

test('in Arabic', async () => {
  serveDesk(family(mother, rana(), ziad()));
  serveEntry(new Set(['child-rana']));
  const { user } = await open({ language: 'ar' });
  await user.click((await screen.findAllByRole('button', { name: 'تسجيل حضور' }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog'));
  await waitFor(async () => expect(await dialog.findByRole('combobox')).toHaveFocus());
  await user.keyboard('dina');
  for (const name of ['Rana', 'Ziad'])
    await user.click(await dialog.findByRole('checkbox', { name: `${name} Samir` }));
  await user.click(await dialog.findByRole('button', { name: 'هذان هما الطفلان: تسجيل حضورهما' }));
  expect(
    await dialog.findByRole('button', { name: /^الصورة لـ.*: تأكيد وتسجيل الحضور$/ }),
  ).toBeInTheDocument();
  expect(
    dialog.getByText('هؤلاء يشبهون الصورة الجديدة. هل هي حقًا صورة \u2068Rana Samir\u2069؟'),
  ).toBeInTheDocument();
  expect(
    dialog.getByRole('button', { name: 'أجب عن السؤال حول \u2068Rana Samir\u2069' }),
  ).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: /^الصورة ليست لـ/ }));
  expect(dialog.getByText('ليس هذا الطفل. ستُبلَّغ العائلة وتُحذف الصورة.')).toBeInTheDocument();
});
