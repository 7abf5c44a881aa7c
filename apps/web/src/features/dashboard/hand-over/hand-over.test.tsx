/** The hand-over at the desk: who takes the child, the proofs, refusals, and a scanned slip. */
import { barredRoutes } from '@haris/contract/http/barred';
import { childRoutes } from '@haris/contract/http/children';
import { type HandOver, type HandOverChoice, handOverRoutes } from '@haris/contract/http/hand-over';
import { stayRoutes } from '@haris/contract/http/stays';
import type { Child } from '@haris/contract/objects';
import { PERMISSIONS } from '@haris/contract/permissions';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { handle, refuse, server } from '../../../testing/contract-server.ts';
import { admin, child, entryId } from '../../../testing/people.ts';
import { barredAdult } from '../../../testing/pickups.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { drawPhotos, seeEverything } from '../../../testing/sight.ts';
import { family, serveDesk } from '../testing/desk.ts';

const mona = { _id: 'parent-mona', name: 'Mona Hassan', email: 'mona@haris.example' };
const id = entryId();
const slipCode = `${id}.0123456789abcdef0123456789abcdef`;
const omar = child({
  _id: 'child-omar',
  name: 'Omar Hassan',
  isInside: true,
  uniqueEntryId: id,
  asksTaker: true,
});

const adult = (parts: Partial<HandOverChoice>): HandOverChoice => ({
  _id: 'samia',
  kind: 'collector',
  name: 'Samia Hassan',
  relation: 'Grandmother',
  phone: '01001234567',
  photo: null,
  isToday: true,
  isConfirmed: true,
  version: 'v1',
  doubts: [],
  ...parts,
});
const guardian = adult({ _id: mona._id, kind: 'guardian', name: mona.name, relation: null });

/** Opens the dashboard with Omar inside, whose hand-over asks for a name. `bodies`: what checkouts have sent. */
async function openDesk(
  parts: Partial<HandOver> = {},
  options: Parameters<typeof renderScreen>[1] = {},
  more: Partial<Child> = {},
) {
  const bodies: unknown[] = [];
  serveDesk(family(mona, { ...omar, ...more }));
  const outside = child({ ...omar, isInside: false, uniqueEntryId: null });
  server.use(
    handle(handOverRoutes.getHandOver, {
      mode: 'record',
      mustName: false,
      mustProve: false,
      hasBarred: false,
      namesakes: [],
      notTaking: [],
      staffProofs: ['known', 'second'],
      adults: [guardian, adult({})],
      colleagues: [{ _id: 'hana', name: 'Hana Adel' }],
      ...parts,
    }),
    handle(childRoutes.checkOutChild, ({ body }) => {
      bodies.push(body);
      return { message: 'Child checked out successfully', child: outside };
    }),
  );
  const page = await renderScreen('/adminDashboard', { as: { admin: admin() }, ...options });
  return { ...page, bodies };
}

const press = async (user: { click: (element: Element) => Promise<void> }, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }));

async function openDialog(user: { click: (element: Element) => Promise<void> }) {
  await press(user, 'Checkout Omar Hassan');
  return within(await screen.findByRole('dialog', { name: 'Who takes Omar Hassan?' }));
}

test('three presses: checkout, the person, “I know this person”', async () => {
  const { user, bodies } = await openDesk({ mode: 'require', mustName: true, mustProve: true });
  const dialog = await openDialog(user);
  await user.click(await dialog.findByRole('button', { name: /Samia Hassan/ }));
  expect(dialog.queryByRole('button', { name: 'Hand over without a proof' })).not.toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'I know this person' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(bodies).toEqual([{ collectorId: 'samia', version: 'v1', proof: { kind: 'known' } }]);
});

test.each([
  [['photo'], true],
  [undefined, false],
] as const)(
  'a child with %s unconfirmed is marked before anybody takes it: %s',
  async (unconfirmed, isMarked) => {
    const { user } = await openDesk({}, {}, { unconfirmed: unconfirmed && [...unconfirmed] });
    const dialog = await openDialog(user);
    await dialog.findByRole('button', { name: /Samia Hassan/ });
    expect(dialog.queryAllByText('Not confirmed yet')).toHaveLength(isMarked ? 1 : 0);
  },
);

test('a code of six digits, a pass, or a slip is typed or scanned into one field', async () => {
  const { user, bodies } = await openDesk();
  const dialog = await openDialog(user);
  await user.click(await dialog.findByRole('button', { name: /Mona Hassan/ }));
  server.use(handle(childRoutes.checkOutChild, refuse('wrong_pickup_proof')));
  await user.type(dialog.getByRole('textbox', { name: /^Scan the slip/ }), '111111{Enter}');
  expect(await dialog.findByRole('alert')).toHaveTextContent('This code is wrong. Please check it.');
  expect(bodies).toEqual([]);
  server.use(
    handle(childRoutes.checkOutChild, ({ body }) => {
      bodies.push(body);
      return { message: '', child: child({ ...omar, isInside: false, uniqueEntryId: null }) };
    }),
  );
  await user.type(dialog.getByRole('textbox', { name: /^Scan the slip/ }), '123456{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(bodies).toEqual([
    { collectorId: mona._id, version: 'v1', proof: { kind: 'code', value: '123456' } },
  ]);
});

test('a collector who comes for the first time shows a document', async () => {
  const { user, bodies } = await openDesk({ adults: [adult({ isConfirmed: false })] });
  const dialog = await openDialog(user);
  await user.click(await dialog.findByRole('button', { name: /First pick-up: check an ID/ }));
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Kind of document' }), 'Passport');
  await user.type(dialog.getByRole('textbox', { name: 'Last 4 characters' }), '0035');
  await user.click(dialog.getByRole('button', { name: 'I know this person' }));
  await waitFor(() =>
    expect(bodies).toEqual([
      {
        collectorId: 'samia',
        version: 'v1',
        proof: { kind: 'known' },
        document: { kind: 'passport', last: '0035' },
      },
    ]),
  );
});

test('a colleague confirms with a PIN', async () => {
  const { user, bodies } = await openDesk();
  const dialog = await openDialog(user);
  await user.click(await dialog.findByRole('button', { name: /Mona Hassan/ }));
  await user.click(dialog.getByRole('button', { name: 'A colleague confirms' }));
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Colleague' }), 'Hana Adel');
  await expectAccessible();
  await user.type(dialog.getByLabelText('PIN of the colleague'), '835162{Enter}');
  await waitFor(() =>
    expect(bodies).toEqual([
      { collectorId: mona._id, version: 'v1', proof: { kind: 'second', staffId: 'hana', value: '835162' } },
    ]),
  );
});

test('who is not listed for today cannot be chosen; where nothing is required, nobody need be named', async () => {
  const { user, bodies } = await openDesk({ adults: [adult({ isToday: false })] });
  const dialog = await openDialog(user);
  expect(await dialog.findByRole('button', { name: /Not listed for today/ })).toBeDisabled();
  await user.click(dialog.getByRole('button', { name: 'Check out without a name' }));
  await waitFor(() => expect(bodies).toEqual([{}]));
});

/** What the server asks for while somebody is barred, at a facility that requires nothing. */
const withBar = { mustName: true, mustProve: true, hasBarred: true };

test('while somebody is barred the dialog says that a proof is needed, not against whom, and offers no way around', async () => {
  const { user, bodies } = await openDesk({ ...withBar, staffProofs: ['second'] });
  const dialog = await openDialog(user);
  const note = await dialog.findByRole('note');
  expect(note).toHaveTextContent(/Somebody is barred from picking up .Omar Hassan.: ask for a proof\./);
  await expectAccessible();
  expect(dialog.queryByRole('button', { name: 'Check out without a name' })).not.toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: /Samia Hassan/ }));
  expect(note).toBeInTheDocument();
  for (const name of ['I know this person', 'Hand over without a proof'])
    expect(dialog.queryByRole('button', { name })).not.toBeInTheDocument();
  expect(dialog.getByRole('button', { name: 'A colleague confirms' })).toBeInTheDocument();
  await user.type(dialog.getByRole('textbox', { name: /^Scan the slip/ }), '123456{Enter}');
  await waitFor(() =>
    expect(bodies).toEqual([
      { collectorId: 'samia', version: 'v1', proof: { kind: 'code', value: '123456' } },
    ]),
  );
});

test('who is barred is shown on request, with the photo, to staff who may see it alone', async () => {
  seeEverything();
  drawPhotos();
  const read: string[] = [];
  server.use(
    handle(barredRoutes.listBarred, ({ params }) => {
      read.push(params.id);
      return { barred: [barredAdult({ photo: '/api/photos/of-karim' })], adults: [] };
    }),
  );
  const { user, unmount } = await openDesk({ ...withBar, staffProofs: ['second'] });
  const dialog = await openDialog(user);
  expect(await dialog.findByRole('note')).not.toHaveTextContent('Karim Adel');
  expect(read).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Show who must not pick up' }));
  const who = within(await dialog.findByRole('region', { name: /Must not pick up .*Omar Hassan/ }));
  await waitFor(() => expect(who.getByRole('img', { name: 'Karim Adel' }).tagName).toBe('IMG'));
  await expectAccessible();
  const side = who.getByRole('img', { name: 'Karim Adel' }).parentElement?.style.width ?? '';
  expect(Number.parseInt(side, 10)).toBeGreaterThanOrEqual(160);
  await user.click(dialog.getByRole('button', { name: 'Hide who must not pick up' }));
  expect(dialog.queryByRole('region', { name: /Must not pick up/ })).not.toBeInTheDocument();
  expect(dialog.getByRole('button', { name: 'Show who must not pick up' })).toHaveFocus();
  expect(read).toEqual([omar._id]);
  await unmount();

  const permissions = PERMISSIONS.filter((one) => one !== 'barred.view');
  const other = await openDesk(
    { ...withBar, staffProofs: ['second'] },
    { as: { admin: admin({ permissions }) } },
  );
  const without = await openDialog(other.user);
  await without.findByRole('note');
  expect(without.queryByRole('button', { name: 'Show who must not pick up' })).not.toBeInTheDocument();
});

test('a barred person is refused, and the child stays', async () => {
  const { user } = await openDesk({ ...withBar, staffProofs: ['second'] });
  server.use(handle(childRoutes.checkOutChild, refuse('barred_person')));
  const dialog = await openDialog(user);
  await user.click(await dialog.findByRole('button', { name: /Samia Hassan/ }));
  await user.type(dialog.getByRole('textbox', { name: /^Scan the slip/ }), '123456{Enter}');
  expect(
    await dialog.findByText('This child cannot be handed over now. Please see the alert.'),
  ).toBeInTheDocument();
  expect(screen.getByRole('dialog', { name: 'Who takes Omar Hassan?' })).toBeInTheDocument();
});

test('the photo of an adult is beside the name, and large on a press, which chooses nobody', async () => {
  seeEverything();
  drawPhotos();
  const { user, bodies } = await openDesk({ adults: [adult({ photo: '/api/photos/of-samia' })] });
  const dialog = await openDialog(user);
  const enlarge = await dialog.findByRole('button', { name: 'Photo of Samia Hassan, large' });
  const faces = () => dialog.queryAllByRole('img', { name: 'Samia Hassan' });
  await waitFor(() => expect(within(enlarge).getByRole('img').tagName).toBe('IMG'));
  expect(faces()).toHaveLength(1);
  await user.click(enlarge);
  expect(enlarge).toHaveAttribute('aria-expanded', 'true');
  await waitFor(() => expect(faces()).toHaveLength(2));
  await user.click(enlarge);
  expect(faces()).toHaveLength(1);
  expect(bodies).toEqual([]);
  await user.click(dialog.getByRole('button', { name: /^Samia Hassan/ }));
  expect(await dialog.findByRole('textbox', { name: /^Scan the slip/ })).toBeVisible();
});

test('each guardian who may take the child is listed with photo and phone, and is handed it with the own code', async () => {
  seeEverything();
  drawPhotos();
  const tarek = adult({
    ...{ _id: 'parent-tarek', kind: 'guardian', name: 'Tarek Hassan', relation: null, version: 'v2' },
    ...{ phone: '01119876543', photo: '/api/photos/of-tarek' },
  });
  const { user, bodies } = await openDesk({ adults: [guardian, tarek], mustName: true, mustProve: true });
  const dialog = await openDialog(user);
  const button = await dialog.findByRole('button', { name: /^Tarek Hassan/ });
  expect(button).toHaveTextContent(/Tarek Hassan.*Parent.*01119876543/);
  expect(dialog.getByRole('button', { name: /^Mona Hassan/ })).toHaveTextContent(/Parent/);
  expect(dialog.getByRole('button', { name: 'Photo of Tarek Hassan, large' })).toBeVisible();
  await user.click(button);
  await user.type(dialog.getByRole('textbox', { name: /^Scan the slip/ }), '123456{Enter}');
  await waitFor(() =>
    expect(bodies).toEqual([
      { collectorId: 'parent-tarek', version: 'v2', proof: { kind: 'code', value: '123456' } },
    ]),
  );
});

test('a guardian who may not take the child is named beside the face, and cannot be chosen', async () => {
  const { user } = await openDesk({
    notTaking: [{ _id: 'parent-tarek', name: 'Tarek Hassan', photo: null }],
  });
  const dialog = await openDialog(user);
  await dialog.findByRole('button', { name: /Mona Hassan/ });
  const note = dialog.getByRole('list', { name: /^Do not hand .?Omar Hassan.? over to:$/ });
  expect(note).toHaveTextContent('Tarek Hassan');
  expect(dialog.getByText(/^If this is wrong: .+“Rights”/)).toBeVisible();
  expect(dialog.queryByRole('button', { name: /Tarek Hassan/ })).toBeNull();
});

test('a guardian who has lost the right meanwhile is not offered any more, and named instead', async () => {
  let isLimited = false;
  const tarek = adult({ _id: 'parent-tarek', kind: 'guardian', name: 'Tarek Hassan', relation: null });
  const { user } = await openDesk();
  server.use(
    handle(handOverRoutes.getHandOver, () => ({
      ...{ mode: 'record' as const, mustName: isLimited, mustProve: false, hasBarred: false },
      ...{ namesakes: [], staffProofs: ['known' as const], colleagues: [] },
      adults: isLimited ? [guardian] : [guardian, tarek],
      notTaking: isLimited ? [{ _id: 'parent-tarek', name: 'Tarek Hassan', photo: null }] : [],
    })),
    handle(childRoutes.checkOutChild, refuse('collector_not_listed')),
  );
  const dialog = await openDialog(user);
  await user.click(await dialog.findByRole('button', { name: /Tarek Hassan/ }));
  // By a colleague, and the event has not arrived.
  isLimited = true;
  await user.click(dialog.getByRole('button', { name: 'I know this person' }));
  expect(await dialog.findByRole('list', { name: /^Do not hand/ })).toHaveTextContent('Tarek Hassan');
  expect(dialog.getByText('This person is not listed for this child today.')).toBeVisible();
  expect(dialog.queryByRole('button', { name: /Tarek Hassan/ })).toBeNull();
  expect(dialog.getByRole('button', { name: /Mona Hassan/ })).toBeVisible();
  expect(dialog.queryByRole('button', { name: 'Check out without a name' })).toBeNull();
});

describe('a name that sounds like a barred one', () => {
  const doubts = [{ barredId: 'bar-karim', version: 3 }];
  const alike = {
    ...{ ...withBar, staffProofs: ['second' as const] },
    adults: [guardian, adult({ _id: 'kareem', name: 'Kareem Adil', doubts })],
  };
  const photo = '/api/photos/of-karim';
  const karim = barredAdult({ note: 'Court order 12/2026', phone: '01009998877', photo });

  test('is asked about before any proof, beside the photo; “another person” goes with the checkout', async () => {
    seeEverything();
    drawPhotos();
    server.use(
      handle(barredRoutes.listBarred, {
        barred: [barredAdult({ _id: 'bar-other', name: 'Zaki' }), karim],
        adults: [],
      }),
    );
    const { user, bodies } = await openDesk(alike);
    const dialog = await openDialog(user);
    await user.click(await dialog.findByRole('button', { name: /Kareem Adil/ }));
    const asked = await dialog.findByRole('region', { name: 'Is this the same person?' });
    expect(asked).toHaveTextContent('Karim Adel');
    expect(asked).toHaveTextContent('Court order 12/2026');
    expect(asked).not.toHaveTextContent('Zaki');
    await waitFor(() => expect(within(asked).getByRole('img', { name: 'Karim Adel' }).tagName).toBe('IMG'));
    expect(dialog.queryByRole('textbox', { name: /^Scan the slip/ })).not.toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'No, another person' }));
    await user.type(await dialog.findByRole('textbox', { name: /^Scan the slip/ }), '123456{Enter}');
    await waitFor(() =>
      expect(bodies).toEqual([
        { collectorId: 'kareem', version: 'v1', proof: { kind: 'code', value: '123456' }, notBarred: doubts },
      ]),
    );
  });

  test('that is the same person calls for help, and the child stays', async () => {
    server.use(handle(barredRoutes.listBarred, { barred: [karim], adults: [] }));
    const { user, bodies } = await openDesk(alike);
    server.use(
      handle(childRoutes.checkOutChild, ({ body }) => {
        bodies.push(body);
        return refuse('barred_person');
      }),
    );
    const dialog = await openDialog(user);
    await user.click(await dialog.findByRole('button', { name: /Kareem Adil/ }));
    await user.click(await dialog.findByRole('button', { name: 'Yes, call for help' }));
    expect(await dialog.findByText(/cannot be handed over now/)).toBeInTheDocument();
    expect(bodies).toEqual([{ collectorId: 'kareem', isBarred: true }]);
    expect(dialog.queryByRole('button', { name: 'No, another person' })).not.toBeInTheDocument();
  });

  test('is asked about after the checkout too, if somebody was barred meanwhile', async () => {
    let isBarred = false;
    server.use(handle(barredRoutes.listBarred, { barred: [karim], adults: [] }));
    const { user, bodies } = await openDesk(alike);
    server.use(
      handle(handOverRoutes.getHandOver, () => ({
        ...{ mode: 'record' as const, namesakes: [], colleagues: [], ...alike },
        adults: [adult({ _id: 'kareem', name: 'Kareem Adil', doubts: isBarred ? doubts : [] })],
      })),
      handle(childRoutes.checkOutChild, ({ body }) => {
        bodies.push(body);
        isBarred = true;
        return refuse('barred_person_doubt');
      }),
    );
    const dialog = await openDialog(user);
    await user.click(await dialog.findByRole('button', { name: /Kareem Adil/ }));
    await user.type(await dialog.findByRole('textbox', { name: /^Scan the slip/ }), '123456{Enter}');
    expect(await dialog.findByRole('region', { name: 'Is this the same person?' })).toHaveTextContent(
      'Karim Adel',
    );
  });

  test('names nobody to who may not see that: the way back is the first choice, and raises no alert', async () => {
    const permissions = PERMISSIONS.filter((one) => one !== 'barred.view');
    // The server tells such an account of no doubt before the hand-over.
    const { doubts: _, ...kareem } = adult({ _id: 'kareem', name: 'Kareem Adil' });
    const { user, bodies } = await openDesk(
      { ...alike, adults: [guardian, kareem] },
      { as: { admin: admin({ permissions }) } },
    );
    server.use(
      handle(childRoutes.checkOutChild, ({ body }) => {
        bodies.push(body);
        return refuse(body.isBarred ? 'barred_person' : 'barred_person_doubt');
      }),
    );
    const dialog = await openDialog(user);
    await user.click(await dialog.findByRole('button', { name: /Kareem Adil/ }));
    await user.type(await dialog.findByRole('textbox', { name: /^Scan the slip/ }), '123456{Enter}');
    expect(await dialog.findByText(/^Only a colleague who may see who must not pick up/)).toBeVisible();
    expect(dialog.queryByText(/sounds like/)).not.toBeInTheDocument();
    expect(dialog.queryByRole('button', { name: 'No, another person' })).not.toBeInTheDocument();
    expect(dialog.queryByText(/Karim Adel/)).not.toBeInTheDocument();
    const names = dialog.getAllByRole('button').map(({ textContent }) => textContent);
    const alert = 'This person must not take the child: alert all staff';
    expect(names.slice(-2)).toEqual(['Back', alert]);
    const sent = bodies.length;
    await user.click(dialog.getByRole('button', { name: 'Back' }));
    expect(bodies).toHaveLength(sent);
    await user.click(await dialog.findByRole('button', { name: /Kareem Adil/ }));
    await user.type(await dialog.findByRole('textbox', { name: /^Scan the slip/ }), '123456{Enter}');
    await user.click(await dialog.findByRole('button', { name: alert }));
    expect(await dialog.findByText(/cannot be handed over now/)).toBeInTheDocument();
    expect(bodies.at(-1)).toEqual({ collectorId: 'kareem', isBarred: true });
  });

  test('is never shown as another person while the list cannot be read', async () => {
    server.use(handle(barredRoutes.listBarred, { barred: [], adults: [] }));
    const { user } = await openDesk(alike);
    const dialog = await openDialog(user);
    await user.click(await dialog.findByRole('button', { name: /Kareem Adil/ }));
    expect(await dialog.findByText(/has changed\. Please look again\./)).toBeVisible();
    expect(dialog.queryByRole('button', { name: 'No, another person' })).not.toBeInTheDocument();
  });
});

describe('an adult who is changed while the dialog is open', () => {
  const told = /has just changed\. Please look at the name and photo again\./;
  /** The dialog at the proof of Samia, whose name the family changes by `change`. */
  async function openProof() {
    let now = adult({});
    const { user, bodies, events } = await openDesk();
    server.use(
      handle(handOverRoutes.getHandOver, () => ({
        ...{ mode: 'record' as const, mustName: false, mustProve: false, hasBarred: false },
        ...{ namesakes: [], staffProofs: ['known' as const], colleagues: [], adults: [guardian, now] },
      })),
    );
    const dialog = await openDialog(user);
    await user.click(await dialog.findByRole('button', { name: /Samia Hassan/ }));
    const change = () => {
      now = adult({ name: 'Zaki Fouad', version: 'v2' });
    };
    return { user, bodies, events, dialog, change };
  }

  test('is not handed the child: the list is shown anew, and the next press is for whom it names now', async () => {
    const { user, bodies, dialog, change } = await openProof();
    change();
    server.use(
      handle(childRoutes.checkOutChild, ({ body }) => {
        bodies.push(body);
        return body.version === 'v2'
          ? { message: '', child: child({ ...omar, isInside: false, uniqueEntryId: null }) }
          : refuse('collector_changed');
      }),
    );
    await user.click(dialog.getByRole('button', { name: 'I know this person' }));
    await user.click(await dialog.findByRole('button', { name: /Zaki Fouad/ }));
    expect(dialog.queryByText(told)).not.toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'I know this person' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(bodies).toEqual([
      { collectorId: 'samia', version: 'v1', proof: { kind: 'known' } },
      { collectorId: 'samia', version: 'v2', proof: { kind: 'known' } },
    ]);
  });

  test('is never put in the place of the one whom staff have chosen: the dialog says so', async () => {
    const { bodies, events, dialog, change } = await openProof();
    change();
    await events.send({ type: 'child.updated', childId: omar._id });
    expect(await dialog.findByRole('button', { name: /Zaki Fouad/ })).toBeVisible();
    expect(dialog.getByRole('alert')).toHaveTextContent(told);
    expect(dialog.queryByRole('button', { name: 'I know this person' })).not.toBeInTheDocument();
    expect(bodies).toEqual([]);
  });

  test('does not hide why a checkout without a name is refused after that', async () => {
    const { user, events, dialog, change } = await openProof();
    change();
    await events.send({ type: 'child.updated', childId: omar._id });
    await dialog.findByText(told);
    server.use(handle(childRoutes.checkOutChild, refuse('collector_required')));
    await user.click(dialog.getByRole('button', { name: 'Check out without a name' }));
    expect(await dialog.findByText('Please say who takes the child.')).toBeVisible();
    expect(dialog.queryByText(told)).not.toBeInTheDocument();
  });
});

test('a scanned slip is the proof: one press on the person hands over', async () => {
  const { user, bodies } = await openDesk();
  server.use(
    handle(stayRoutes.findEntry, {
      entry: { state: 'inside', entryTime: omar.entryTime ?? '', exitTime: null, child: omar },
    }),
  );
  await screen.findAllByText('Omar Hassan');
  await waitFor(() => {
    for (const key of [...slipCode, 'Enter']) fireEvent.keyDown(document.body, { key, code: '' });
    expect(screen.getByRole('dialog')).toBeInTheDocument();
  });
  await press(user, 'Checkout');
  const dialog = within(await screen.findByRole('dialog', { name: 'Who takes Omar Hassan?' }));
  await user.click(await dialog.findByRole('button', { name: /Samia Hassan/ }));
  await waitFor(() =>
    expect(bodies).toEqual([
      { collectorId: 'samia', version: 'v1', proof: { kind: 'slip', value: slipCode } },
    ]),
  );
});

test('a slip that is out of date is offered once: then another proof can be typed', async () => {
  const { user, bodies } = await openDesk();
  server.use(
    handle(stayRoutes.findEntry, {
      entry: { state: 'inside', entryTime: omar.entryTime ?? '', exitTime: null, child: omar },
    }),
    handle(childRoutes.checkOutChild, ({ body }) => {
      bodies.push(body);
      return refuse('wrong_pickup_proof');
    }),
  );
  await screen.findAllByText('Omar Hassan');
  await waitFor(() => {
    for (const key of [...slipCode, 'Enter']) fireEvent.keyDown(document.body, { key, code: '' });
    expect(screen.getByRole('dialog')).toBeInTheDocument();
  });
  await press(user, 'Checkout');
  const dialog = within(await screen.findByRole('dialog', { name: 'Who takes Omar Hassan?' }));
  await user.click(await dialog.findByRole('button', { name: /Samia Hassan/ }));
  await user.type(await dialog.findByRole('textbox', { name: /^Scan the slip/ }), '123456{Enter}');
  await waitFor(() =>
    expect(bodies).toEqual([
      { collectorId: 'samia', version: 'v1', proof: { kind: 'slip', value: slipCode } },
      { collectorId: 'samia', version: 'v1', proof: { kind: 'code', value: '123456' } },
    ]),
  );
});

test('another child with the same first name stands beside this one', async () => {
  const other = { _id: 'child-other', name: 'عمر علي', photo: null };
  const { user } = await openDesk({ namesakes: [other] });
  const dialog = await openDialog(user);
  const list = within(await dialog.findByRole('list', { name: /Another child with this first name/ }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Omar Hassan (this child)'),
    expect.stringContaining('عمر علي'),
  ]);
});

test('where a name is required, a plain checkout opens the dialog too', async () => {
  const { asksTaker: _, ...plain } = omar;
  serveDesk(family(mona, plain));
  server.use(
    handle(childRoutes.checkOutChild, refuse('collector_required')),
    handle(handOverRoutes.getHandOver, {
      mode: 'require',
      mustName: true,
      mustProve: true,
      hasBarred: false,
      namesakes: [],
      staffProofs: [],
      adults: [guardian],
      colleagues: [],
    }),
  );
  const { user } = await renderScreen('/adminDashboard', { as: { admin: admin() } });
  const dialog = await openDialog(user);
  await user.click(await dialog.findByRole('button', { name: /Mona Hassan/ }));
  expect(dialog.queryByRole('button', { name: 'I know this person' })).not.toBeInTheDocument();
});
