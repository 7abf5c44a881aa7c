/** My Profile: the children, the time left, "I'm on my way", unconfirmed changes, and the air. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { bookingRoutes } from '@haris/contract/http/bookings';
import { careLogRoutes } from '@haris/contract/http/care-log';
import { childRoutes } from '@haris/contract/http/children';
import { operationRoutes } from '@haris/contract/http/operations';
import { pickupRoutes } from '@haris/contract/http/pickups';
import { sensorRoutes } from '@haris/contract/http/sensors';
import type { ReadingMessage } from '@haris/contract/live/readings';
import type { Child } from '@haris/contract/objects';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { bookings } from '../../testing/bookings.ts';
import { handle, offline, pending, refuse, server } from '../../testing/contract-server.ts';
import { stopClock } from '../../testing/house-clock.ts';
import { child, LONG_NAME, parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const mona = (...children: Child[]) => ({ parent: parent({ children }) });
const omar = (more: Partial<Child> = {}) => child({ _id: 'child-omar', name: 'Omar Hassan', ...more });

const cardOf = async (name: string) => (await screen.findByText(name)).closest('li') as HTMLElement;

test('while it is not known who is there, nothing of the profile is shown', async () => {
  server.use(handle(accountRoutes.parentInfo, pending), handle(accountRoutes.adminInfo, pending));
  await renderScreen('/profile', { as: mona() });
  expect(await screen.findByRole('status')).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'My Profile' })).not.toBeInTheDocument();
});

test.each([
  ['the server fails', refuse('internal_error')],
  ['there is no connection', offline],
] as const)('when %s the page says so, keeps the session and tries again', async (_why, answer) => {
  server.use(handle(accountRoutes.parentInfo, answer), handle(accountRoutes.adminInfo, answer));
  const { user } = await renderScreen('/profile', { as: mona(omar()) });
  const again = await screen.findByRole('button', { name: 'Try Again' });
  server.resetHandlers();
  await user.click(again);
  expect(await cardOf('Omar Hassan')).toBeInTheDocument();
});

test('no children: the way to add one', async () => {
  const { user, router } = await renderScreen('/profile', { as: mona() });
  // Its place is kept until the list has said that there is no child of another family either.
  const [add] = await within(await screen.findByRole('main')).findAllByRole('link', { name: 'Add Child' });
  expect(screen.getByText('No children added yet.')).toBeVisible();
  await expectAccessible();
  await user.click(add as HTMLElement);
  await waitFor(() => expect(router.state.location.pathname).toBe('/addChild'));
});

test('a check-in at the desk is shown by its event', async () => {
  const { events, be } = await renderScreen('/profile', { as: mona(omar()) });
  expect(await cardOf('Omar Hassan')).toHaveTextContent('Outside');
  be(mona(omar({ isInside: true, status: 'Inside' })));
  await events.send({ type: 'child.checked_in', childId: 'child-omar' });
  await waitFor(async () => expect(await cardOf('Omar Hassan')).toHaveTextContent('Inside'));
});

test('the time of a child runs to zero, in minutes past 59, and then says so in both languages', async () => {
  const clock = stopClock();
  const inside = omar({
    isInside: true,
    status: 'Inside',
    duration: 120,
    entryTime: new Date().toISOString(),
  });
  const { user, be, events } = await renderScreen('/profile', { as: mona(inside) });
  const opener = await screen.findByRole('button', { name: 'View Details of Omar Hassan' });
  await user.click(opener);
  const dialog = await screen.findByRole('dialog', { name: 'Omar Hassan' });
  expect(within(dialog).getByRole('timer')).toHaveTextContent(/^1(19|20):\d\d$/);
  be(mona({ ...inside, entryTime: new Date(Date.now() - (119 * 60 + 55) * 1000).toISOString() }));
  await events.send({ type: 'child.updated', childId: inside._id });
  await waitFor(() => expect(within(dialog).getByRole('timer')).toHaveTextContent(/^00:0\d$/));
  await clock.pass(10_000);
  await waitFor(() => expect(within(dialog).getByRole('timer')).toHaveTextContent('00:00'));
  const alert = within(dialog).getByRole('alert');
  expect(alert).toHaveTextContent("Time's up!");
  expect(alert).toHaveTextContent('انتهى الوقت المحدد. يُرجى إخراج الطفل من المنطقة.');
  await expectAccessible();
  await clock.pass(10_000);
  expect(within(dialog).getByRole('timer')).toHaveTextContent('00:00');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  await waitFor(() => expect(opener).toHaveFocus());
});

test('what waits for the nursery is named, and a decision is told', async () => {
  const { events } = await renderScreen('/profile', { as: mona(omar({ pending: ['photo', 'name'] })) });
  const card = await cardOf('Omar Hassan');
  expect(card).toHaveTextContent('Your child needs a new photo');
  expect(card).toHaveTextContent('The new name is used once staff have confirmed it.');
  await events.send({ type: 'proposal.rejected', childId: 'child-omar' });
  await screen.findByText(/^The nursery did not accept your changes\./);
  await events.send({ type: 'proposal.accepted', childId: 'child-omar' });
  await screen.findByText('The nursery has confirmed your changes.');
});

test.each([
  ['that is new', {}, 'Staff will compare the photo at your first visit.'],
  ['that is inside', { isInside: true }, 'Staff have not confirmed the photo yet. Ask at the desk.'],
] as const)('of a child %s and was never confirmed there is one sentence', async (_which, more, words) => {
  await renderScreen('/profile', {
    as: mona(
      omar({
        photo: '/api/photos/omar',
        pending: ['photo', 'name'],
        unconfirmed: ['photo', 'name'],
        ...more,
      }),
    ),
  });
  const card = within(await cardOf('Omar Hassan'));
  expect(card.getByText(words)).toBeVisible();
  expect(card.queryByText('The new name is used once staff have confirmed it.')).not.toBeInTheDocument();
  expect(card.queryByText(/^The desk and the cameras use the photo/)).not.toBeInTheDocument();
});

test('a child that was here before is asked to be confirmed at the desk; a name that nobody confirmed is not a new one', async () => {
  const unseen = { photo: '/api/photos/omar', pending: ['photo' as const, 'name' as const] };
  const seen = omar({ ...unseen, unconfirmed: ['photo', 'name'] });
  const named = child({ _id: 'child-zeina', name: 'Zeina Hassan', pending: ['name'], unconfirmed: ['name'] });
  const at = new Date().toISOString();
  const listed = [{ ...seen, lastVisit: { entryTime: at, exitTime: at } }, named];
  server.use(handle(childRoutes.listChildren, { children: listed, total: 2, nextCursor: null }));
  await renderScreen('/profile', { as: mona(seen, named), language: 'ar' });
  expect(await screen.findByText('لم يؤكّد الموظفون الصورة بعد. اسأل عند الاستقبال.')).toBeVisible();
  expect(await cardOf('Zeina Hassan')).toHaveTextContent('لم يؤكّد الموظفون الاسم بعد.');
});

test('a child whose photo staff rejected asks for another one', async () => {
  await renderScreen('/profile', { as: mona(omar({ photo: null, pending: ['photo', 'name'] })) });
  expect(await cardOf('Omar Hassan')).toHaveTextContent('There is no photo that staff have accepted.');
});

test('a hundred children of long names', async () => {
  const many = Array.from({ length: 100 }, (_, n) =>
    child({ _id: `child-${n}`, name: `${LONG_NAME.slice(3)}${String(n).padStart(3, '0')}` }),
  );
  await renderScreen('/profile', { as: mona(...many), size: 'phone' });
  await waitFor(() => expect(screen.getAllByRole('button', { name: /^View Details of/ })).toHaveLength(100));
});

/** Omar inside for an hour, `minutes` ago. */
const inside = (minutes = 0, more: Partial<Child> = {}) =>
  omar({
    isInside: true,
    status: 'Inside',
    duration: 60,
    entryTime: new Date(Date.now() - minutes * 60_000).toISOString(),
    ...more,
  });
const layla = (more: Partial<Child> = {}) =>
  child({ _id: 'child-layla', name: 'Layla Hassan', isInside: true, ...more });
/** What the list of children adds to the session. */
const listed = (...children: Child[]) =>
  handle(childRoutes.listChildren, { children, total: children.length, nextCursor: null });

test('the time left and the due time are on the card without a press, and past zero how long it is over', async () => {
  const clock = stopClock();
  await renderScreen('/profile', {
    as: mona(inside(59, { entryTime: new Date(Date.now() - 59.5 * 60_000).toISOString() })),
  });
  const card = await cardOf('Omar Hassan');
  expect(within(card).getByRole('timer', { name: 'Time left Omar Hassan' })).toHaveTextContent(/^00:[23]\d$/);
  expect(card).toHaveTextContent(/until \d/);
  expect(within(card).queryByText("Time's up!")).not.toBeInTheDocument();
  await clock.pass(95_000);
  // The page's own tick may come while the time passes: then the minute comes with the next one.
  expect(await within(card).findByText('1 min over')).toBeVisible();
  expect(within(card).getByText("Time's up!")).toBeVisible();
  expect(within(card).getByRole('timer', { name: 'Time left Omar Hassan' })).toHaveTextContent('00:00');
  expect(card).toHaveAttribute('data-over');
  await expectAccessible();
});

/** A late sibling, two entries to sign, and a change of the parent's that waits for the nursery. */
function serveThings(...children: Child[]) {
  server.use(
    handle(bookingRoutes.listOwnBookings, {
      bookings: [bookings({ childId: 'child-layla', presence: 'late' })],
    }),
    handle(careLogRoutes.listCareLogToSign, { waiting: [{ childId: 'child-omar', count: 2 }] }),
  );
  return { parent: parent({ children, pending: ['phone'] }) };
}
const isBefore = (one: HTMLElement, other: HTMLElement) =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
const waitingThings = async () => [
  await screen.findByRole('region', { name: 'Is Layla Hassan coming?' }),
  await screen.findByRole('region', { name: 'Care log of Omar Hassan' }),
  await screen.findByText(/^Waiting for the nursery to confirm: /),
];

test('with a child inside its card comes first; what waits is below, and a button leads there', async () => {
  const as = serveThings(inside(10), layla({ isInside: false, status: 'Outside' }));
  const { user } = await renderScreen('/profile', { as, size: 'phone' });
  const timer = await screen.findByRole('timer', { name: 'Time left Omar Hassan' });
  for (const thing of await waitingThings()) expect(isBefore(timer, thing)).toBe(true);
  const go = screen.getByRole('button', { name: '2 for you' });
  expect(isBefore(go, timer)).toBe(true);
  await expectAccessible();
  await user.click(go);
  const [question] = await waitingThings();
  expect(document.activeElement).toContainElement(question as HTMLElement);
});

test('with nobody inside, what waits comes first', async () => {
  const as = serveThings(omar(), layla({ isInside: false, status: 'Outside' }));
  await renderScreen('/profile', { as });
  const details = await screen.findByRole('button', { name: 'View Details of Layla Hassan' });
  for (const thing of await waitingThings()) expect(isBefore(thing, details)).toBe(true);
  expect(screen.queryByRole('button', { name: /for you$/ })).not.toBeInTheDocument();
});

test('the room of this stay, unknown before a camera saw the child, and the last visit of a child outside', async () => {
  const there = inside(5, { uniqueEntryId: 'a'.repeat(43) });
  const gone = layla({ isInside: false, status: 'Outside' });
  const at = new Date().toISOString();
  const lastSeen = { cameraId: 'camera-1', area: 'Playroom', at };
  const lastVisit = { entryTime: '2026-11-20T07:05:00.000Z', exitTime: '2026-11-20T09:00:00.000Z' };
  server.use(listed({ ...there, lastSeen }, { ...gone, lastVisit }));
  const { be, events } = await renderScreen('/profile', { as: mona(there, gone) });
  await waitFor(async () => expect(await cardOf('Omar Hassan')).toHaveTextContent('Playroom · seen at'));
  expect(await cardOf('Layla Hassan')).toHaveTextContent(/Outside · last visit Fri,? .*20/);
  // The room of an earlier stay is not shown for the next one.
  be(mona(inside(0, { uniqueEntryId: 'b'.repeat(43) })));
  await events.send({ type: 'child.checked_in', childId: 'child-omar' });
  await waitFor(async () => expect(await cardOf('Omar Hassan')).not.toHaveTextContent('Playroom'));
});

test('the room in which staff put the child is on its card, and changes when it is moved', async () => {
  const there = inside(5, { uniqueEntryId: 'a'.repeat(43), roomId: 'bees', room: 'Bees' });
  const lastSeen = { cameraId: 'camera-1', area: 'Bees', at: new Date().toISOString() };
  let listedNow = { ...there, lastSeen };
  server.use(handle(childRoutes.listChildren, () => ({ children: [listedNow], total: 1, nextCursor: null })));
  const { be, events } = await renderScreen('/profile', { as: mona(there) });
  await waitFor(async () => expect(await cardOf('Omar Hassan')).toHaveTextContent(/In .Bees. · seen at/));
  listedNow = { ...listedNow, roomId: 'ants', room: 'Ants' };
  be(mona({ ...there, roomId: 'ants', room: 'Ants' }));
  await events.send({ type: 'child.moved', childId: 'child-omar' });
  await waitFor(async () =>
    expect(await cardOf('Omar Hassan')).toHaveTextContent(/In .Ants. · seen in .Bees. at/),
  );
});

test('without cameras the card has the room alone', async () => {
  const there = inside(5, { roomId: 'bees', room: 'نحل' });
  server.use(listed(there));
  await renderScreen('/profile', { as: mona(there), language: 'ar' });
  await waitFor(async () => expect(await cardOf('Omar Hassan')).toHaveTextContent(/في .نحل./));
});

test('a birth date is given in the details and waits for the nursery; a blank one is not sent', async () => {
  const sent: unknown[] = [];
  const { user, be } = await renderScreen('/profile', { as: mona(omar()) });
  server.use(
    handle(childRoutes.updateChild, ({ body }) => {
      sent.push(body);
      const given = omar({ birthDate: '2023-05-31', pending: ['birthDate'] });
      be(mona(given));
      return { message: 'Child updated', child: given };
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'View Details of Omar Hassan' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Omar Hassan' }));
  expect(dialog.getByText('Not given')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Add the birth date of Omar Hassan' }));
  const field = dialog.getByLabelText('Birth date');
  await user.click(dialog.getByRole('button', { name: 'Send' }));
  expect(field).toHaveAccessibleDescription(/Enter the birth date\./);
  await expectAccessible();
  await user.type(field, '2023-05-31');
  await user.click(dialog.getByRole('button', { name: 'Send' }));
  expect(await dialog.findByText('31 May 2023')).toBeVisible();
  expect(dialog.getByText('The birth date counts once staff have confirmed it.')).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Change the birth date of Omar Hassan' })).toHaveFocus();
  expect(sent).toEqual([{ birthDate: '2023-05-31' }]);
});

test('"I\'m on my way": two presses for all children inside; the card says so; it can be taken back', async () => {
  const sent: unknown[] = [];
  const taken: unknown[] = [];
  const arrivesAt = new Date(Date.now() + 600_000).toISOString();
  const onMyWay = { arrivesAt, announcedAt: new Date().toISOString(), source: 'phone' as const };
  const [one, two] = [inside(10), layla()];
  const { user, be, events } = await renderScreen('/profile', {
    as: mona(one, two, omar({ _id: 'child-zeina', name: 'Zeina' })),
  });
  server.use(
    handle(pickupRoutes.announcePickup, ({ body }) => {
      sent.push(body);
      be(mona({ ...one, onMyWay }, { ...two, onMyWay }));
      return { message: 'ok', children: [] };
    }),
    handle(pickupRoutes.cancelPickup, ({ params }) => {
      taken.push(params.id);
      be(mona(one, two));
      return { message: 'ok', child: one };
    }),
  );
  await user.click(await screen.findByRole('button', { name: "I'm on my way" }));
  const dialog = await screen.findByRole('dialog', { name: "I'm on my way" });
  expect(within(dialog).getAllByRole('checkbox')).toHaveLength(2);
  await user.click(within(dialog).getByRole('button', { name: 'In 10 min' }));
  expect(await screen.findByText(/^The nursery expects you at/)).toBeVisible();
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(sent).toEqual([{ children: expect.any(Array), arrivesAt: expect.any(String) }]);
  expect((sent[0] as { children: string[] }).children.toSorted()).toEqual(['child-layla', 'child-omar']);
  expect(await cardOf('Omar Hassan')).toHaveTextContent('You arrive at');
  expect(screen.getByText('The desk sees this until the checkout.')).toBeVisible();
  const seen = { ...onMyWay, seenAt: new Date().toISOString() };
  be(mona({ ...one, onMyWay: seen }, { ...two, onMyWay: seen }));
  await events.send({ type: 'child.on_my_way', childId: one._id });
  expect(await screen.findByText('Staff have seen this.')).toBeVisible();
  await expectAccessible();
  await user.click(screen.getByRole('button', { name: 'Not coming after all' }));
  await waitFor(() => expect(screen.getByRole('button', { name: "I'm on my way" })).toBeVisible());
  expect(taken.toSorted()).toEqual(['child-layla', 'child-omar']);
});

test('"I\'m on my way" for some children, at a time; a wrong time and nobody are said at once', async () => {
  const sent: { children: string[]; arrivesAt: string }[] = [];
  server.use(
    handle(pickupRoutes.announcePickup, ({ body }) => {
      sent.push(body as { children: string[]; arrivesAt: string });
      return { message: 'ok', children: [] };
    }),
  );
  const { user } = await renderScreen('/profile', { as: mona(inside(10), layla()) });
  await user.click(await screen.findByRole('button', { name: "I'm on my way" }));
  const dialog = await screen.findByRole('dialog', { name: "I'm on my way" });
  const zone = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Africa/Cairo',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const at = (minutes: number) => zone.format(new Date(Date.now() + minutes * 60_000));
  await user.type(within(dialog).getByLabelText('At a time'), at(300));
  await user.click(within(dialog).getByRole('button', { name: 'Tell the nursery' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent(
    'Choose a time within the next 4 hours.',
  );
  for (const box of within(dialog).getAllByRole('checkbox')) await user.click(box);
  await user.click(within(dialog).getByRole('button', { name: 'In 5 min' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Choose at least one child.');
  await expectAccessible();
  await user.click(within(dialog).getByRole('checkbox', { name: 'Layla Hassan' }));
  await user.clear(within(dialog).getByLabelText('At a time'));
  await user.type(within(dialog).getByLabelText('At a time'), at(20));
  await user.click(within(dialog).getByRole('button', { name: 'Tell the nursery' }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(sent.map(({ children }) => children)).toEqual([['child-layla']]);
  const ahead = Date.parse(sent[0]?.arrivesAt ?? '') - Date.now();
  expect(ahead).toBeGreaterThan(18 * 60_000);
  expect(ahead).toBeLessThan(21 * 60_000);
});

test('a pick-up that was refused says so, and nothing is shown as announced', async () => {
  server.use(handle(pickupRoutes.announcePickup, refuse('not_inside')));
  const { user } = await renderScreen('/profile', { as: mona(inside()) });
  await user.click(await screen.findByRole('button', { name: "I'm on my way" }));
  const dialog = await screen.findByRole('dialog', { name: "I'm on my way" });
  expect(within(dialog).queryByRole('checkbox')).not.toBeInTheDocument();
  await user.click(within(dialog).getByRole('button', { name: 'In 5 min' }));
  expect(await screen.findByText(/not inside/i)).toBeInTheDocument();
  expect(screen.queryByText(/^The nursery expects you/)).not.toBeInTheDocument();
});

test('no child inside: nothing to announce; the number of the nursery, where it is known', async () => {
  server.use(
    handle(operationRoutes.getClientConfig, () => ({
      demo: false,
      registerUrl: '',
      sendsMail: true,
      oidc: null,
      facility: { name: 'Little Stars', phone: '0223456789', timeZone: 'Africa/Cairo', region: 'EG' },
      now: new Date().toISOString(),
    })),
  );
  await renderScreen('/profile', { as: mona(omar()) });
  const call = await screen.findByRole('link', { name: 'Call the nursery' });
  expect(call).toHaveAttribute('href', 'tel:0223456789');
  expect(screen.queryByRole('button', { name: "I'm on my way" })).not.toBeInTheDocument();
});

test("the air of the child's room in words; unknown when it is old", async () => {
  const there = inside(5, { uniqueEntryId: 'a'.repeat(43) });
  const lastSeen = { cameraId: 'camera-1', area: 'Nap room', at: new Date().toISOString() };
  server.use(listed({ ...there, lastSeen }));
  const { readings } = await renderScreen('/profile', { as: mona(there) });
  const truth = { temperature: 'live', humidity: 'live', mq2: 'live' } as const;
  const freshUntil = new Date(Date.now() + 3_600_000).toISOString();
  const fresh = { temperature: freshUntil, humidity: freshUntil, mq2: freshUntil };
  const card = await cardOf('Omar Hassan');
  await readings.send(reading({ mq2: 132, truth, freshUntil: fresh }));
  await waitFor(() => expect(card).toHaveTextContent('Good air23.0°C'));
  await readings.send(reading({ mq2: 900, truth, freshUntil: fresh }));
  await waitFor(() => expect(card).toHaveTextContent('Fair air'));
  await readings.send(reading({ mq2: 1000, truth, freshUntil: fresh }));
  await waitFor(() => expect(card).toHaveTextContent('Bad air'));
  await readings.send(
    reading({ mq2: 1000, truth: { temperature: 'stale', humidity: 'stale', mq2: 'stale' } }),
  );
  await waitFor(() => expect(card).toHaveTextContent('Air unknown'));
  expect(card).not.toHaveTextContent('23.0');
});

/** A reading of the nap room. */
function reading(more: Partial<ReadingMessage> = {}): ReadingMessage {
  const freshUntil = new Date(Date.now() + 60_000).toISOString();
  return {
    sensorId: 'sensor-1',
    area: 'Nap room',
    temperature: 23,
    humidity: 45,
    mq2: null,
    at: new Date().toISOString(),
    truth: { temperature: 'live', humidity: 'live', mq2: 'none' },
    freshUntil: { temperature: freshUntil, humidity: freshUntil, mq2: null },
    ...more,
  };
}

test('the air: hidden until it is wanted, -- until it is received, live, and old when it is old', async () => {
  server.use(handle(sensorRoutes.getSensorHistory, refuse('not_found')));
  const { user, readings } = await renderScreen('/profile', { as: mona() });
  const toggle = await screen.findByRole('switch', { name: 'Environmental Readings' });
  expect(screen.queryByText('Humidity')).not.toBeInTheDocument();
  await user.click(toggle);
  expect(screen.getAllByText('--')).toHaveLength(3);
  await readings.send(reading());
  const room = await screen.findByRole('region', { name: 'Nap room' });
  expect(room).toHaveTextContent('23.0°C');
  expect(within(room).getAllByText('--')).toHaveLength(1);
  expect(room).toHaveTextContent(/^Nap roomAir unknown/);
  // A word beside the value of the gas sensor, which tells a parent nothing.
  const freshUntil = new Date(Date.now() + 60_000).toISOString();
  await readings.send(
    reading({
      mq2: 132,
      truth: { temperature: 'live', humidity: 'live', mq2: 'live' },
      freshUntil: { temperature: freshUntil, humidity: freshUntil, mq2: freshUntil },
    }),
  );
  await waitFor(() => expect(room).toHaveTextContent(/^Nap roomGood air.*132/));
  await readings.send(reading({ truth: { temperature: 'stale', humidity: 'stale', mq2: 'none' } }));
  await waitFor(() => expect(within(room).getAllByText('Out of date').length).toBeGreaterThan(0));
  await expectAccessible();
});

test('in Arabic: right to left, the values in Arabic numerals', async () => {
  localStorage.setItem('haris.environment', 'true');
  server.use(handle(sensorRoutes.getSensorHistory, refuse('not_found')));
  const { readings } = await renderScreen('/profile', { as: mona(), language: 'ar', size: 'phone' });
  await readings.send(reading());
  expect(await screen.findByText(/٢٣٫٠/)).toBeInTheDocument();
  expect(document.documentElement).toHaveAttribute('dir', 'rtl');
});
