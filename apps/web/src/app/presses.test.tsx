/** How many presses and letters the frequent jobs take, as docs/design.md ("Keys and presses") promises. */
import { cameraRoutes } from '@haris/contract/http/cameras';
import { childRoutes } from '@haris/contract/http/children';
import { type Evacuation, evacuationSchema, incidentRoutes } from '@haris/contract/http/incidents';
import { ticketRoutes } from '@haris/contract/http/tickets';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { family, serveDesk } from '../features/dashboard/testing/desk.ts';
import { allShortcuts } from '../keys/shortcuts.ts';
import { camera, stalled } from '../testing/cameras.ts';
import { giveCanvas } from '../testing/canvas.ts';
import { handle, server } from '../testing/contract-server.ts';
import { createLiveSocket } from '../testing/live-socket.ts';
import { admin, child, parent } from '../testing/people.ts';
import { countPresses } from '../testing/presses.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { seeEverything } from '../testing/sight.ts';

const sara = { _id: 'parent-sara', name: 'Sara Ibrahim', email: 'sara@haris.example' };
const siblings = (more = {}) => [
  child({ _id: 'child-nour', name: 'Nour Ibrahim', ...more }),
  child({ _id: 'child-adam', name: 'Adam Ibrahim', ...more }),
];

describe('at the desk', () => {
  const open = () => renderScreen('/adminDashboard', { as: { admin: admin() } });
  const press = (name: string | RegExp) => screen.findByRole('button', { name });
  const bothIn = ['check-in child-nour', 'check-in child-adam'];

  test('two siblings who came together last time: 2 presses and 3 letters', async () => {
    const desk = serveDesk(family(sara, ...siblings()), family({}, child({ name: 'Omar Hassan' })));
    desk.cameLast(['child-nour', 'child-adam'], 120);
    const { user } = await open();
    const [register] = await screen.findAllByRole('button', { name: 'Register Entry' });
    const count = countPresses();
    await user.click(register as HTMLElement);
    await waitFor(async () => expect(await screen.findByRole('combobox', { name: 'Parent' })).toHaveFocus());
    await user.keyboard('ada');
    await user.click(await press('Check in 2 children'));
    await waitFor(() => expect(desk.done).toEqual(bothIn.map((done) => `${done} 120`)));
    expect(count).toEqual({ presses: 2, letters: 3 });
  });

  test('two siblings from the row of their family: 3 presses and no letter, whenever they came last', async () => {
    const desk = serveDesk(family(sara, ...siblings()));
    const { user } = await open();
    const row = await press('Check in Adam Ibrahim');
    const count = countPresses();
    await user.click(row);
    await user.click(await screen.findByRole('checkbox', { name: 'Nour Ibrahim' }));
    await user.click(await press('Check in 2 children'));
    await waitFor(() => expect(desk.done).toEqual(bothIn.map((done) => `${done} 30`)));
    expect(count).toEqual({ presses: 3, letters: 0 });
  });

  test('two siblings leave: one press each', async () => {
    const desk = serveDesk(family(sara, ...siblings({ isInside: true })));
    const { user } = await open();
    const [nour, adam] = [await press('Checkout Nour Ibrahim'), await press('Checkout Adam Ibrahim')];
    const count = countPresses();
    await user.click(nour);
    await user.click(adam);
    await waitFor(() => expect(desk.done).toEqual(['checkout child-nour', 'checkout child-adam']));
    expect(count).toEqual({ presses: 2, letters: 0 });
  });

  test('one of many children inside is found: 1 press and 3 letters; all are there before it', async () => {
    const many = Array.from({ length: 24 }, (_, n) =>
      child({ _id: `child-${n}`, name: `Child ${n}`, isInside: true }),
    );
    serveDesk(family(sara, ...siblings({ isInside: true }), ...many));
    const { user } = await open();
    const list = within(await screen.findByRole('region', { name: 'Children in Monitored Area' }));
    const count = countPresses();
    await waitFor(() => expect(list.getAllByRole('timer')).toHaveLength(26));
    expect(count).toEqual({ presses: 0, letters: 0 });
    await user.click(list.getByRole('searchbox', { name: 'Find a child inside' }));
    await user.keyboard('nou');
    await waitFor(() => expect(list.getAllByRole('timer')).toHaveLength(1));
    expect(list.getByRole('timer', { name: 'Time left Nour Ibrahim' })).toBeVisible();
    expect(count).toEqual({ presses: 1, letters: 3 });
  });

  test('a stay is extended by half an hour: 2 presses, by keys too', async () => {
    const desk = serveDesk(family(sara, ...siblings({ isInside: true })));
    const { user } = await open();
    const more = await press('Extend, move or print slip: Adam Ibrahim');
    const count = countPresses();
    await user.click(more);
    await user.click(await press(/^\+30 min, until/));
    await waitFor(() => expect(desk.done).toEqual(['extend child-adam 30']));
    expect(count).toEqual({ presses: 2, letters: 0 });

    await waitFor(() => expect(screen.queryByRole('button', { name: /^\+30 min/ })).not.toBeInTheDocument());
    await waitFor(() => expect(allShortcuts().map(({ keys }) => keys)).toContain('?'));
    screen.getByRole('button', { name: 'Checkout Nour Ibrahim' }).focus();
    // Slower than a scanner.
    const typist = userEvent.setup({ delay: 60 });
    await typist.keyboard('e');
    const half = await press(/^\+30 min, until/);
    await waitFor(() => expect(half).toHaveFocus());
    await typist.keyboard('{Enter}');
    await waitFor(() => expect(desk.done.slice(1)).toEqual(['extend child-nour 30']));
    expect(count).toEqual({ presses: 4, letters: 0 });
  });

  test('an evacuation: one hold', async () => {
    const evacuation: Evacuation = evacuationSchema.parse({
      _id: 'evacuation-1',
      startedAt: new Date().toISOString(),
      startedBy: null,
      endedAt: null,
      ticks: [],
      children: [],
    });
    server.use(
      handle(incidentRoutes.startEvacuation, () => {
        server.use(handle(incidentRoutes.getEvacuation, { evacuation }));
        return { evacuation };
      }),
    );
    await open();
    const evacuate = await press('Evacuate');
    const count = countPresses();
    fireEvent.keyDown(evacuate, { key: ' ' });
    expect(await screen.findByRole('dialog', { name: /roll call/ })).toBeInTheDocument();
    expect(count).toEqual({ presses: 1, letters: 0 });
  });

  test('a camera of the network: 3 presses and three fields', async () => {
    const sent: unknown[] = [];
    const added = camera({ _id: 'camera-door', ...stalled });
    server.use(
      handle(cameraRoutes.createCamera, ({ body }) => {
        sent.push(body);
        return { message: 'Camera added', camera: added };
      }),
      handle(cameraRoutes.getCamera, { camera: added }),
    );
    const { user } = await open();
    const rail = within(await screen.findByRole('navigation', { name: 'Dashboard menu' }));
    const cameras = rail.getByRole('link', { name: 'Cameras' });
    const count = countPresses();
    await user.click(cameras);
    await user.click(await press('Add Camera'));
    const form = within(await screen.findByRole('dialog', { name: 'Add Camera' }));
    const url = 'rtsp://camera.example/1';
    for (const [label, value] of [
      [/^Name/, 'Door'],
      [/^Room/, 'Hall'],
      [/^Address/, url],
    ] as const)
      fireEvent.change(await form.findByRole('textbox', { name: label }), { target: { value } });
    await user.click(form.getByRole('button', { name: 'Add Camera' }));
    await waitFor(() => expect(sent).toEqual([{ name: 'Door', area: 'Hall', kind: 'rtsp', url }]));
    expect(count).toEqual({ presses: 3, letters: 0 });
  });
});

describe('a parent', () => {
  test('sees the time left and the live picture without a press, and the large picture after one', async () => {
    giveCanvas();
    seeEverything();
    const omar = child({ _id: 'child-omar', name: 'Omar Hassan', isInside: true });
    const lastSeen = { cameraId: 'camera-1', area: 'Playroom', at: new Date().toISOString() };
    const socket = createLiveSocket();
    server.use(
      socket.handler,
      handle(ticketRoutes.createTicket, { ticket: 'ticket', expiresAt: '2026-03-18T08:00:00.000Z' }),
      handle(childRoutes.listChildren, { children: [{ ...omar, lastSeen }], total: 1, nextCursor: null }),
    );
    const count = countPresses();
    const { user, router } = await renderScreen('/profile', { as: { parent: parent({ children: [omar] }) } });
    expect(await screen.findByRole('timer', { name: 'Time left Omar Hassan' })).toBeVisible();
    await socket.picture({ sharp: [omar._id] });
    expect(await screen.findByRole('img', { name: 'Live picture: Omar Hassan' })).toBeVisible();
    expect(count).toEqual({ presses: 0, letters: 0 });
    await user.click(screen.getByRole('link', { name: 'Live picture of Omar Hassan' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/liveFeed'));
    // That child's picture opens by itself.
    expect(await screen.findByRole('checkbox', { name: 'Omar Hassan' })).toBeChecked();
    expect(count).toEqual({ presses: 1, letters: 0 });
  });
});
