/** Sockets and streams say who may open them: without it they do not compile, as routes (`tsc` checks this file). */
import { expect, test } from 'vitest';
import { ticketRoutes } from '../http/tickets.ts';
import { type Socket, type Stream, sockets, streams } from './sockets.ts';

const described = {
  id: 'x',
  path: '/x',
  summary: '',
  server: {},
  client: {},
  closes: {},
  errors: [],
} as const;
const route = {
  id: 'x',
  method: 'GET',
  path: '/x',
  summary: '',
  status: 200,
  answer: null,
  errors: [],
} as const;

test('a socket or stream without who may open it does not compile', () => {
  const people = { ...described, scheme: 'bearer', access: 'staff', permission: 'live.watch' } as const;
  const device = { ...described, scheme: 'device', access: 'camera', deadToken: 4001 } as const;
  const all: unknown[] = [
    people satisfies Socket,
    device satisfies Socket,
    // @ts-expect-error: for nobody in particular
    { ...described, scheme: 'bearer' } satisfies Socket,
    // @ts-expect-error: for people, without a permission
    { ...described, scheme: 'bearer', access: 'signed-in' } satisfies Socket,
    // @ts-expect-error: a permission that the catalogue does not have
    { ...people, permission: 'live.wach' } satisfies Socket,
    // @ts-expect-error: everything that a socket shows is somebody else's
    { ...people, permission: 'own' } satisfies Socket,
    // @ts-expect-error: for anyone
    { ...people, access: 'visitor' } satisfies Socket,
    // @ts-expect-error: a device has no permission
    { ...device, permission: 'live.watch' } satisfies Socket,
    // @ts-expect-error: people do not come with the token of a device
    { ...people, scheme: 'device' } satisfies Socket,
    { note: '', route: { ...route, access: 'staff', permission: 'live.watch' } } satisfies Stream,
    // @ts-expect-error: a stream for people, without a permission
    { note: '', route: { ...route, access: 'staff' } } satisfies Stream,
    // @ts-expect-error: a stream for anyone
    { note: '', route: { ...route, access: 'visitor' } } satisfies Stream,
  ];
  expect(all).toHaveLength(12);
});

test('a ticket that opens one is a parameter of it, and can be had', () => {
  const all: readonly (Socket | Stream)[] = [...Object.values(sockets), ...Object.values(streams)];
  for (const one of all) {
    const { query } = 'route' in one ? one.route : one;
    expect(query !== undefined && 'ticket' in query.shape).toBe(one.ticket !== undefined);
    const asked = ticketRoutes.createTicket.body.safeParse({ for: one.ticket, childId: 'x' });
    expect(asked.success).toBe(one.ticket !== undefined);
  }
});
