/** Kiosk requests on the dashboard: accept, refuse, review, and the warning about wrong PINs. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { facilityRoutes } from '@haris/contract/http/facilities';
import { handOverRoutes } from '@haris/contract/http/hand-over';
import { type KioskRequest, kioskRoutes } from '@haris/contract/http/kiosk';
import { roomRoutes } from '@haris/contract/http/rooms';
import type { OpeningHours } from '@haris/contract/opening-hours';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { handle, refuse, server } from '../../../testing/contract-server.ts';
import { stopClock } from '../../../testing/house-clock.ts';
import { admin, child } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { room } from '../../../testing/rooms.ts';

const requestOf = (name: string, more: Partial<KioskRequest> = {}): KioskRequest => ({
  _id: `request-${name}`,
  visit: 'visit-1',
  kind: 'check_in',
  durationInMinutes: 60,
  at: new Date().toISOString(),
  expiresAt: new Date(Date.now() + 900_000).toISOString(),
  by: 'pin',
  kiosk: { _id: 'kiosk-1', name: 'Entrance' },
  child: child({ _id: `child-${name}`, name }),
  ...more,
});

/** Serves these requests; an accepted or refused one is gone from then on. */
function serve(...requests: KioskRequest[]) {
  let left = requests;
  const log: string[] = [];
  const gone = (id: string) => {
    const found = left.find(({ _id }) => _id === id);
    left = left.filter(({ _id }) => _id !== id);
    return found;
  };
  server.use(
    handle(kioskRoutes.listKioskRequests, () => ({ requests: left, warnings: [] })),
    handle(kioskRoutes.acceptKioskRequest, ({ params, headers }) => {
      log.push(`accept ${params.id}`);
      expect(headers.get('idempotency-key')).toBeTruthy();
      const found = gone(params.id);
      if (!found) return refuse('kiosk_request_ended');
      return {
        message: 'Child checked in successfully',
        child: child({ ...found.child, isInside: true, status: 'Inside' }),
      };
    }),
    handle(kioskRoutes.refuseKioskRequest, ({ params }) => {
      log.push(`refuse ${params.id}`);
      gone(params.id);
      return { message: 'Refused' };
    }),
  );
  return log;
}
const open = (options = {}) => renderScreen('/adminDashboard', { as: { admin: admin() }, ...options });
const queue = () => screen.findByRole('region', { name: 'At the kiosk' });

test('nobody waits: there is no card', async () => {
  await open();
  expect(await screen.findByText('No children currently detected.')).toBeInTheDocument();
  expect(screen.queryByRole('region', { name: 'At the kiosk' })).toBeNull();
});

test('a family is accepted with one press, each child by its own call, and can be undone', async () => {
  const log = serve(requestOf('Adam'), requestOf('Nour'));
  const { user } = await open();
  const card = await queue();
  expect(within(card).getByText('Mona Hassan')).toBeVisible();
  expect(within(card).getByText('Check in, 1 hour')).toBeVisible();
  await expectAccessible();
  await user.click(within(card).getByRole('button', { name: 'Check all in' }));
  expect(await screen.findByText('Child checked in successfully')).toBeVisible();
  expect(screen.getByRole('button', { name: /Undo/ })).toBeVisible();
  expect(log).toEqual(['accept request-Adam', 'accept request-Nour']);
  await waitFor(() => expect(screen.queryByRole('region', { name: 'At the kiosk' })).toBeNull());
});

test('the card folds, and a phone begins with its title', async () => {
  serve(requestOf('Adam'));
  const { user, unmount } = await open();
  const title = within(await queue()).getByRole('button', { name: /^At the kiosk/ });
  expect(title).toHaveAttribute('aria-expanded', 'true');
  await user.click(title);
  expect(within(await queue()).queryByRole('button', { name: 'Accept Adam' })).toBeNull();
  await unmount();
  await open({ size: 'phone' });
  await user.click(within(await queue()).getByRole('button', { name: /^At the kiosk/ }));
  expect(within(await queue()).getByRole('button', { name: 'Accept Adam' })).toBeVisible();
});

test('the desk accepts until an end that the facility offers, or as the family asked', async () => {
  stopClock();
  // Ten in the morning in Cairo.
  vi.setSystemTime(new Date('2026-11-23T08:00:00Z'));
  const day = [{ from: '07:30', to: '16:00' }];
  const openingHours: OpeningHours = {
    sunday: day,
    monday: day,
    tuesday: day,
    wednesday: day,
    thursday: day,
    friday: [],
    saturday: [],
  };
  const place = { _id: 'main', name: null, phone: null, timeZone: 'Africa/Cairo', region: 'EG' };
  serve(requestOf('Adam'), requestOf('Nour'));
  const sent: unknown[] = [];
  server.use(
    handle(facilityRoutes.listOpeningHours, {
      facilities: [{ ...place, openingHours, holidays: [], stayEnds: ['closing'] }],
    }),
    handle(kioskRoutes.acceptKioskRequest, ({ params, body }) => {
      sent.push([params.id, body]);
      return { message: 'Child checked in successfully', child: child({ isInside: true }) };
    }),
  );
  const { user } = await open();
  const card = within(await queue());
  const closing = await card.findByRole('button', { name: /^Until closing, 4:00\sPM$/i });
  await user.click(closing);
  expect(closing).toHaveAttribute('aria-pressed', 'true');
  await user.click(card.getByRole('button', { name: 'Accept Adam' }));
  await waitFor(() => expect(sent).toEqual([['request-Adam', { end: { kind: 'closing' } }]]));
  await user.click(card.getByRole('button', { name: 'As the family asked' }));
  expect(closing).toHaveAttribute('aria-pressed', 'false');
  await user.click(card.getByRole('button', { name: 'Accept Nour' }));
  await waitFor(() => expect(sent.slice(1)).toEqual([['request-Nour', {}]]));
});

describe('with rooms', () => {
  const bees = room({ _id: 'bees', name: 'Bees', isDefault: true, children: 2, capacity: 3 });
  const ants = room({ _id: 'ants', name: 'Ants', children: 1, capacity: 1, capacityKind: 'hard' });
  const nour = { child: child({ _id: 'child-Nour', name: 'Nour', homeRoomId: 'ants' }) };

  /** Serves the rooms, and keeps what each acceptance sends. */
  function serveRooms(...requests: KioskRequest[]) {
    const sent: unknown[] = [];
    serve(...requests);
    server.use(
      handle(roomRoutes.listRooms, { rooms: [ants, bees] }),
      handle(kioskRoutes.acceptKioskRequest, ({ params, body }) => {
        sent.push([params.id, body]);
        return { message: 'Child checked in successfully', child: child({ isInside: true }) };
      }),
    );
    return sent;
  }

  test('the home room is chosen; another one goes with every child', async () => {
    const sent = serveRooms(requestOf('Adam'), requestOf('Nour'));
    const { user } = await open();
    const picker = await within(await queue()).findByLabelText('Room');
    expect(picker).toHaveValue('bees');
    await expectAccessible();
    await user.selectOptions(picker, 'ants');
    await user.type(within(await queue()).getByLabelText(/Why more than the limit/), 'Storm');
    await user.click(within(await queue()).getByRole('button', { name: 'Check all in' }));
    const place = { roomId: 'ants', overCapacityReason: 'Storm' };
    await waitFor(() =>
      expect(sent).toEqual([
        ['request-Adam', place],
        ['request-Nour', place],
      ]),
    );
  });

  test('each child goes to its own home room; only the full one needs a reason', async () => {
    const sent = serveRooms(requestOf('Adam'), requestOf('Nour', nour));
    const { user } = await open();
    const card = within(await queue());
    expect(await card.findByLabelText('Room')).toHaveDisplayValue('Each child’s home room');
    await user.click(card.getByRole('button', { name: 'Accept Adam' }));
    await waitFor(() => expect(sent).toEqual([['request-Adam', {}]]));
    await user.click(card.getByRole('button', { name: 'Accept Nour' }));
    expect(card.getByLabelText(/Why more than the limit/)).toBeInvalid();
    expect(sent).toHaveLength(1);
  });

  test('a pick-up has no room', async () => {
    serveRooms(requestOf('Adam', { kind: 'pick_up', durationInMinutes: null }));
    await open();
    await within(await queue()).findByRole('button', { name: 'Accept Adam' });
    await screen.findByRole('region', { name: 'Rooms' });
    expect(within(await queue()).queryByLabelText('Room')).toBeNull();
  });
});

test('one child is accepted, the other refused', async () => {
  const log = serve(requestOf('Adam'), requestOf('Nour'));
  const { user } = await open();
  await user.click(within(await queue()).getByRole('button', { name: 'Accept Adam' }));
  await user.click(await within(await queue()).findByRole('button', { name: 'Refuse Nour' }));
  expect(log).toEqual(['accept request-Adam', 'refuse request-Nour']);
});

test('another desk was faster: it says so, and the card goes', async () => {
  const first = requestOf('Adam');
  let left = [first];
  server.use(
    handle(kioskRoutes.listKioskRequests, () => ({ requests: left, warnings: [] })),
    handle(kioskRoutes.acceptKioskRequest, () => {
      left = [];
      return refuse('kiosk_request_ended');
    }),
  );
  const { user } = await open();
  await user.click(within(await queue()).getByRole('button', { name: 'Accept Adam' }));
  expect(await screen.findByText(/already handled/)).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('region', { name: 'At the kiosk' })).toBeNull());
});

test('a family is refused although another desk has answered for one of its children', async () => {
  const asked: string[] = [];
  server.use(
    handle(kioskRoutes.listKioskRequests, () => ({
      requests: asked.length === 0 ? [requestOf('Adam'), requestOf('Nour')] : [],
      warnings: [],
    })),
    handle(kioskRoutes.refuseKioskRequest, ({ params }) => {
      asked.push(params.id);
      return asked.length === 1 ? refuse('kiosk_request_ended') : { message: 'Refused' };
    }),
  );
  const { user } = await open();
  await user.click(within(await queue()).getByRole('button', { name: 'Refuse' }));
  expect(await screen.findByText(/^Adam: .*already handled/)).toBeVisible();
  expect(asked).toEqual(['request-Adam', 'request-Nour']);
});

test('an unconfirmed photo is reviewed before it can be accepted', async () => {
  const proposal = { revision: 'r1', at: new Date().toISOString(), photo: '/api/photos/new' };
  const log = serve(
    requestOf('Adam', { child: child({ _id: 'child-Adam', name: 'Adam', pending: ['photo'], proposal }) }),
    requestOf('Nour'),
  );
  const { user } = await open();
  const card = await queue();
  expect(within(card).queryByRole('button', { name: 'Accept Adam' })).toBeNull();
  await user.click(within(card).getByRole('button', { name: 'Accept 1 child' }));
  expect(log).toEqual(['accept request-Nour']);
  await user.click(await screen.findByRole('button', { name: 'Review the new details of Adam' }));
  expect(await screen.findByRole('dialog', { name: /Is this/ })).toBeInTheDocument();
});

test('a child that nobody has confirmed is not accepted with the others, also with nothing new to decide', async () => {
  const pending = ['photo', 'name'] as const;
  const adam = child({ _id: 'child-Adam', name: 'Adam', pending: [...pending], unconfirmed: [...pending] });
  const log = serve(requestOf('Adam', { child: adam }), requestOf('Nour'));
  const { user } = await open();
  const card = await queue();
  expect(within(card).getByRole('button', { name: 'Review the new details of Adam' })).toBeVisible();
  await user.click(within(card).getByRole('button', { name: 'Accept 1 child' }));
  expect(log).toEqual(['accept request-Nour']);
  await user.click(await within(card).findByRole('button', { name: 'Accept Adam' }));
  await waitFor(() => expect(log).toEqual(['accept request-Nour', 'accept request-Adam']));
});

test('a child of whom the desk is asked who takes it is not checked out with the others', async () => {
  const adam = child({ _id: 'child-Adam', name: 'Adam', isInside: true });
  const nour = child({ _id: 'child-Nour', name: 'Nour', isInside: true });
  const more = { kind: 'pick_up', durationInMinutes: null } as const;
  const log = serve(requestOf('Adam', { ...more, child: adam }), requestOf('Nour', { ...more, child: nour }));
  const { user, events } = await open();
  const card = within(await queue());
  expect(await card.findByRole('button', { name: 'Check all out' })).toBeEnabled();
  // A second guardian has accepted meanwhile.
  server.use(
    handle(kioskRoutes.listKioskRequests, () => ({
      requests: [
        requestOf('Adam', { ...more, child: { ...adam, asksTaker: true } }),
        ...(log.length === 0 ? [requestOf('Nour', { ...more, child: nour })] : []),
      ],
      warnings: [],
    })),
    handle(handOverRoutes.getHandOver, () => refuse('internal_error')),
  );
  await events.send({ type: 'guardian.changed', childId: 'child-Adam' });
  await user.click(await card.findByRole('button', { name: 'Accept 1 child' }));
  await waitFor(() => expect(log).toEqual(['accept request-Nour']));
  await user.click(await card.findByRole('button', { name: 'Accept Adam' }));
  expect(await screen.findByRole('dialog', { name: 'Who takes Adam?' })).toBeVisible();
  expect(log).toEqual(['accept request-Nour']);
});

test('many wrong PINs are a line on the dashboard', async () => {
  server.use(
    handle(kioskRoutes.listKioskRequests, { requests: [], warnings: [{ name: 'Entrance', failures: 7 }] }),
    handle(accountRoutes.listParents, { parents: [], total: 0, nextCursor: null }),
  );
  await open();
  expect(await screen.findByText(/7 failed attempts at the kiosk Entrance/)).toBeVisible();
});

test('in Arabic', async () => {
  serve(requestOf('آدم'), requestOf('نور'));
  await open({ language: 'ar' });
  expect(await screen.findByRole('button', { name: 'تسجيل حضور الجميع' })).toBeVisible();
});
