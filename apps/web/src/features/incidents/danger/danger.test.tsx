/** A danger on every screen: the dialog with its Evacuate button, the banner until it is over, the badge and the rooms. */
import { barredRoutes } from '@haris/contract/http/barred';
import { cameraRoutes } from '@haris/contract/http/cameras';
import { childRoutes } from '@haris/contract/http/children';
import {
  type Evacuation,
  evacuationSchema,
  type Incident,
  incidentRoutes,
} from '@haris/contract/http/incidents';
import { sheetRoutes } from '@haris/contract/http/sheets';
import { ticketRoutes } from '@haris/contract/http/tickets';
import type { Child } from '@haris/contract/objects';
import { BUILT_IN_ROLES } from '@haris/contract/permissions';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import cameraTexts from '../../../i18n/en/cameras.json' with { type: 'json' };
import { expectAccessible } from '../../../testing/accessibility.ts';
import { camera, stalled } from '../../../testing/cameras.ts';
import { giveCanvas } from '../../../testing/canvas.ts';
import { handle, server } from '../../../testing/contract-server.ts';
import { stopClock } from '../../../testing/house-clock.ts';
import { createLiveSocket } from '../../../testing/live-socket.ts';
import { admin, child, parent } from '../../../testing/people.ts';
import { barredAdult } from '../../../testing/pickups.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { drawPhotos, seeEverything } from '../../../testing/sight.ts';
import { incident, serveIncidents, staff } from '../testing/incidents.ts';

const card = (name: string) => screen.findByRole('alertdialog', { name });
const noCard = () => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
const banner = () => screen.findByRole('region', { name: 'Danger' });
const now = () => new Date().toISOString();

/** Serves the people in the building: two children in the Playroom, one elsewhere, one unseen, a cook. */
function servePeople() {
  const guardian = { _id: 'parent-1', name: 'Mona Hassan', phone: '01001234567' };
  const seenIn = (area: string) => ({ area, at: now() });
  const one = (childId: string, name: string, lastSeen: { area: string; at: string } | null) => ({
    childId,
    name,
    photo: null,
    guardian,
    isInside: true,
    lastSeen,
    tick: null,
  });
  server.use(
    handle(incidentRoutes.getRollCall, () => ({
      rollCall: {
        at: now(),
        children: [
          one('a', 'Adam', seenIn('Playroom')),
          one('b', 'Basma', seenIn('Playroom')),
          one('c', 'Camal', seenIn('Garden')),
          one('d', 'Dalia', null),
        ],
        people: [
          {
            personId: 'p',
            kind: 'staff',
            name: 'Umm Ali',
            phone: null,
            reason: null,
            isInside: true,
            tick: null,
          },
        ],
      },
    })),
  );
}

describe('the dialog', () => {
  test('names the room’s children, the unseen, the adults, and calls; it says that there is no camera', async () => {
    serveIncidents(incident());
    servePeople();
    await renderScreen('/importFamilies', { as: staff });
    await card('Temperature alert');
    const danger = screen.getByRole('dialog', { name: 'Dangers' });
    const here = await within(danger).findByRole('region', { name: '2 children in Playroom' });
    expect(here).toHaveTextContent(/Adam.*Basma/);
    expect(here).not.toHaveTextContent('Camal');
    expect(within(danger).getByRole('region', { name: '1 child, room unknown' })).toHaveTextContent('Dalia');
    expect(danger).toHaveTextContent('1 child in another room');
    expect(danger).toHaveTextContent('1 adult in the building');
    expect(await within(danger).findByText('No camera in Playroom.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Fire brigade 180' })).toHaveAttribute('href', 'tel:180');
    await expectAccessible();
  });

  test('a camera that is down says so, and hides nothing else', async () => {
    serveIncidents(incident());
    servePeople();
    server.use(
      handle(cameraRoutes.listCameras, {
        total: 1,
        nextCursor: null,
        cameras: [camera({ name: 'Corner', area: 'Playroom', url: null, ...stalled })],
      }),
    );
    await renderScreen('/importFamilies', { as: staff });
    await card('Temperature alert');
    const danger = screen.getByRole('dialog', { name: 'Dangers' });
    const pictures = await within(danger).findByRole('list', { name: 'Live pictures' });
    expect(pictures).toHaveTextContent(cameraTexts.why.stalled);
    expect(await within(danger).findByText('Adam')).toBeInTheDocument();
  });

  test('has the live picture of the room’s camera, and of no other room', async () => {
    giveCanvas();
    serveIncidents(incident());
    servePeople();
    const socket = createLiveSocket();
    const watched: unknown[] = [];
    server.use(
      socket.handler,
      handle(cameraRoutes.listCameras, {
        total: 2,
        nextCursor: null,
        cameras: [
          camera({ _id: 'camera-garden', name: 'Gate', area: 'Garden' }),
          camera({ _id: 'camera-corner', name: 'Corner', area: 'Playroom' }),
        ],
      }),
      handle(ticketRoutes.createTicket, ({ body }) => {
        if (body.for === 'video') watched.push(body);
        return { ticket: 'ticket', expiresAt: '2026-03-18T08:00:00.000Z' };
      }),
    );
    await renderScreen('/importFamilies', { as: staff });
    await card('Temperature alert');
    const danger = screen.getByRole('dialog', { name: 'Dangers' });
    const pictures = await within(danger).findByRole('list', { name: 'Live pictures' });
    // Before the first picture there is none to see.
    expect(within(pictures).queryByRole('img', { name: 'Live picture: Corner' })).not.toBeInTheDocument();
    const sent = socket.picture();
    expect(await within(pictures).findByRole('img', { name: 'Live picture: Corner' })).toBeVisible();
    expect(within(pictures).getAllByRole('listitem')).toHaveLength(1);
    expect(watched).toEqual([{ for: 'video', cameraId: 'camera-corner' }]);
    // The page acknowledges the picture after its pause.
    await sent;
  });

  test('Evacuate is held inside it, with nothing acknowledged; the roll call takes its place', async () => {
    const { acknowledged } = serveIncidents(incident());
    const evacuation: Evacuation = evacuationSchema.parse({
      _id: 'evacuation-1',
      startedAt: now(),
      startedBy: null,
      endedAt: null,
      ticks: [],
      children: [],
    });
    const begun: string[] = [];
    server.use(
      handle(incidentRoutes.startEvacuation, () => {
        begun.push('evacuation');
        server.use(handle(incidentRoutes.getEvacuation, { evacuation }));
        return { evacuation };
      }),
    );
    const clock = stopClock();
    await renderScreen('/importFamilies', { as: staff });
    const danger = await card('Temperature alert');
    const dialog = screen.getByRole('dialog', { name: 'Dangers' });
    const evacuate = within(dialog).getByRole('button', { name: 'Evacuate' });
    fireEvent.keyDown(evacuate, { key: ' ' });
    await clock.pass(1_000);
    expect(begun).toEqual([]);
    await clock.pass(1_000);
    await waitFor(() => expect(begun).toEqual(['evacuation']));
    expect(await screen.findByRole('dialog', { name: /roll call/ })).toBeInTheDocument();
    await waitFor(() => expect(danger).not.toBeInTheDocument());
    expect(acknowledged).toEqual([]);
  });

  test('Escape minimises it into the banner; a new danger opens it again', async () => {
    const { acknowledged, open } = serveIncidents(incident());
    const { user, events } = await renderScreen('/importFamilies', { as: staff });
    await card('Temperature alert');
    await waitFor(() => expect(screen.getByRole('heading', { name: '1 danger' })).toHaveFocus());
    await user.keyboard('{Enter}{Escape}');
    await waitFor(noCard);
    expect(acknowledged).toEqual([]);
    expect(await banner()).toHaveTextContent(/Temperature alert: Playroom.*Not acknowledged yet/);
    await waitFor(() => expect(document.title).toMatch(/^\(1\) /));
    await expectAccessible();
    await user.click(within(await banner()).getByRole('button', { name: 'Show' }));
    await card('Temperature alert');
    await user.keyboard('{Escape}');
    await waitFor(noCard);
    open.push(incident({ _id: 'incident-2', kind: 'air', area: 'Garden', value: 1500, limit: 1000 }));
    await events.send({ type: 'alert.raised', incidentId: 'incident-2' });
    await card('Air quality alert');
    // Both are in the one dialog.
    expect(screen.getByRole('heading', { name: '2 dangers' })).toBeInTheDocument();
    await card('Temperature alert');
  });
});

describe('the card of a child on the parent’s home', () => {
  const omar = child({ _id: 'child-omar', name: 'Omar Hassan', isInside: true });
  const seenIn = (area: string) => ({ cameraId: 'camera-1', area, at: now() });
  /** The home of a parent while the Playroom is too hot; `more` is what the list of children says of Omar. */
  async function home(more: Partial<Child>, language: 'en' | 'ar' = 'en') {
    serveIncidents(incident());
    const shown = { ...omar, ...more };
    server.use(handle(childRoutes.listChildren, { children: [shown], total: 1, nextCursor: null }));
    const as = { parent: parent({ children: [shown] }) };
    const { user } = await renderScreen('/profile', { as, language });
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button'));
    await waitFor(noCard);
    return (await screen.findByText('Omar Hassan')).closest('li') as HTMLElement;
  }

  test.each([
    ['was seen in the room', { lastSeen: seenIn('Playroom') }],
    ['was put into it by staff and seen elsewhere', { lastSeen: seenIn('Garden'), room: 'Playroom' }],
    ['was seen by no camera', { lastSeen: null }],
  ] as const)('says a danger, also once it is acknowledged, if the child %s', async (_where, more) => {
    const shown = await home(more);
    await waitFor(() => expect(shown.querySelector('[data-danger]')).not.toBeNull());
    expect(shown).toHaveTextContent(/High temperature in Playroom\..*Staff have been alerted\./);
  });

  test('says none if the child was seen in another room', async () => {
    const shown = await home({ lastSeen: seenIn('Garden') });
    await waitFor(() => expect(shown).toHaveTextContent('Garden'));
    expect(shown.querySelector('[data-danger]')).toBeNull();
  });

  test('in Arabic', async () => {
    const shown = await home({ lastSeen: seenIn('Playroom') }, 'ar');
    await waitFor(() => expect(shown.querySelector('[data-danger]')).toHaveTextContent(/Playroom/));
    await expectAccessible();
  });
});

describe('a barred person', () => {
  const omar = { kind: 'child', _id: 'child-omar', name: 'Omar Hassan' } as const;
  const by = { _id: 'admin-hana', name: 'Hana Nabil' };
  const attempt = (more: Partial<Incident> = {}) =>
    incident({
      kind: 'barred_person',
      area: null,
      subject: omar,
      value: null,
      limit: null,
      timeline: [{ at: now(), what: 'raised', by, step: null, value: null, note: null }],
      ...more,
    });
  const title = 'Barred person at a pick-up';
  /** Counts how often the list of barred adults is read, because each read is in the ledger. */
  function serveBarred(photo: string | null = null) {
    const read: string[] = [];
    server.use(
      handle(barredRoutes.listBarred, ({ params: { id } }) => {
        read.push(id);
        return { barred: [barredAdult({ phone: '01009998877', photo })], adults: [] };
      }),
    );
    return read;
  }

  test('blocks every staff screen: which child, at whose desk, what to do, and on request who', async () => {
    const { acknowledged, open } = serveIncidents(attempt());
    servePeople();
    const read = serveBarred();
    const { user, events } = await renderScreen('/importFamilies', { as: staff });
    const alert = await card(title);
    const dialog = screen.getByRole('dialog', { name: 'Dangers' });
    expect(alert).toHaveTextContent(/must not pick up .*Omar Hassan.* has tried to/);
    expect(alert).toHaveTextContent(/At the desk: .*Hana Nabil/);
    expect(alert).toHaveTextContent('Keep the child inside');
    expect(within(dialog).getByRole('link', { name: 'Police 122' })).toHaveAttribute('href', 'tel:122');
    expect(within(dialog).getByRole('button', { name: 'Evacuate' })).toBeInTheDocument();
    // It is at no camera and in no room.
    expect(dialog).not.toHaveTextContent(/camera|children in|room unknown/);
    expect(dialog).not.toHaveTextContent('Karim Adel');
    expect(read).toEqual([]);
    await user.click(within(alert).getByRole('button', { name: 'Show who must not pick up' }));
    const who = await within(alert).findByRole('region', { name: /Must not pick up .*Omar Hassan/ });
    expect(who).toHaveTextContent(/Karim Adel.*01009998877/);
    expect(read).toEqual(['child-omar']);
    await user.click(within(alert).getByRole('button', { name: 'Acknowledge' }));
    await waitFor(noCard);
    expect(acknowledged).toEqual(['incident-1']);
    await waitFor(async () =>
      expect(await banner()).toHaveTextContent(
        /Barred person at a pick-up: Omar Hassan.*Acknowledged by Salma Adel/,
      ),
    );
    open.length = 0;
    await events.send({ type: 'alert.cleared', incidentId: 'incident-1' });
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Danger' })).not.toBeInTheDocument());
  });

  test('is shown with the photo, to compare with the face at the door', async () => {
    seeEverything();
    drawPhotos();
    serveIncidents(attempt());
    servePeople();
    serveBarred('/api/photos/of-karim');
    const { user } = await renderScreen('/importFamilies', { as: staff });
    const alert = await card(title);
    expect(within(alert).queryByRole('img')).not.toBeInTheDocument();
    await user.click(within(alert).getByRole('button', { name: 'Show who must not pick up' }));
    const who = await within(alert).findByRole('region', { name: /Must not pick up .*Omar Hassan/ });
    const photo = () => within(who).getByRole('img', { name: 'Karim Adel' });
    await waitFor(() => expect(photo().tagName).toBe('IMG'));
    expect(Number.parseInt(photo().parentElement?.style.width ?? '', 10)).toBeGreaterThanOrEqual(160);
    await user.click(within(alert).getByRole('button', { name: 'Hide who must not pick up' }));
    expect(within(alert).queryByRole('img')).not.toBeInTheDocument();
    expect(alert).not.toHaveTextContent('Karim Adel');
  });

  test('leads to the child’s sheet, and calls the police only for a person', async () => {
    serveIncidents(attempt(), incident({ _id: 'incident-2' }));
    servePeople();
    // The sheet asks for the child; what it shows is tested with it.
    server.use(handle(sheetRoutes.getChild, () => new Promise(() => {})));
    const { user, router } = await renderScreen('/importFamilies', { as: staff });
    const alert = await card(title);
    expect(screen.getByRole('link', { name: 'Fire brigade 180' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Police 122' })).toBeInTheDocument();
    await user.click(within(alert).getByRole('button', { name: /Omar Hassan.*: details and phone/ }));
    await waitFor(noCard);
    await waitFor(() => expect(router.state.location.search).toBe('?child=child-omar'));
  });

  test('an inspector sees the alert, and neither who it is nor a way to acknowledge', async () => {
    serveIncidents(attempt());
    const read = serveBarred();
    const inspector = { admin: admin({ permissions: [...BUILT_IN_ROLES.inspector] }) };
    await renderScreen('/incidents', { as: inspector });
    const alert = await card(title);
    for (const name of ['Show who must not pick up', 'Acknowledge', 'Evacuate'])
      expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
    expect(alert).toHaveTextContent('Omar Hassan');
    expect(read).toEqual([]);
  });

  test('makes no room red', async () => {
    serveIncidents(attempt());
    const { readings } = await renderScreen('/adminDashboard', { as: staff });
    await readings.send({
      sensorId: 'Garden',
      area: 'Garden',
      temperature: 21,
      humidity: 40,
      mq2: 100,
      at: now(),
      truth: { temperature: 'live', humidity: 'live', mq2: 'live' },
      freshUntil: { temperature: null, humidity: null, mq2: null },
    });
    await card(title);
    const garden = await screen.findByRole('link', { name: /^Garden/, hidden: true });
    expect(garden).not.toHaveAttribute('data-danger');
    expect(garden).not.toHaveTextContent(title);
  });

  test('is nothing that a parent’s page shows, even if it were sent one', async () => {
    serveIncidents(attempt(), incident({ _id: 'incident-2' }));
    const own = child({ _id: 'child-omar', name: 'Omar Hassan', isInside: true });
    await renderScreen('/addChild', { as: { parent: parent({ children: [own] }) } });
    // The fire is there, so the list has been read.
    await card('Temperature alert');
    expect(screen.getByRole('heading', { name: '1 danger' })).toBeInTheDocument();
    expect(screen.queryByText(new RegExp(title))).not.toBeInTheDocument();
    await waitFor(() => expect(document.title).toMatch(/^\(1\) /));
  });
});

describe('a missing child', () => {
  const title = 'Missing child';
  const by = { _id: 'admin-hana', name: 'Hana Nabil' };
  const missing = (more: Partial<Incident> = {}) =>
    incident({
      kind: 'missing_child',
      area: null,
      subject: { kind: 'child', _id: 'child-omar', name: 'Omar Hassan' },
      value: null,
      limit: null,
      timeline: [{ at: now(), what: 'raised', by, step: null, value: null, note: null }],
      ...more,
    });
  /** The child on the roll call, with the guardian that this person may read. */
  function serveRoll(guardian: { _id: string; name: string; phone: string | null } | null) {
    const child = {
      childId: 'child-omar',
      name: 'Omar Hassan',
      photo: null,
      guardian,
      isInside: true,
      lastSeen: { area: 'Garden', at: now() },
      room: { name: 'Butterflies', since: null },
      tick: null,
    };
    server.use(
      handle(incidentRoutes.getRollCall, { rollCall: { at: now(), children: [child], people: [] } }),
    );
  }
  /** Who was found, and where. */
  function serveFound(open: Incident[]) {
    const found: (string | undefined)[][] = [];
    server.use(
      handle(incidentRoutes.markChildFound, ({ params: { id }, body }) => {
        found.push([id, body.note]);
        open.length = 0;
        return { incident: missing({ clearedAt: now() }) };
      }),
    );
    return found;
  }

  test('is on every staff screen: who, where last, what to do, whom to call; it ends when somebody found it', async () => {
    const { acknowledged, open } = serveIncidents(missing());
    serveRoll({ _id: 'parent-mona', name: 'Mona Hassan', phone: '01001234567' });
    const found = serveFound(open);
    const { user } = await renderScreen('/importFamilies', { as: staff });
    const alert = await card(title);
    expect(alert).toHaveTextContent(/Omar Hassan.* is missing\. Everybody helps to search\./);
    expect(alert).toHaveTextContent(/Reported by .*Hana Nabil/);
    expect(alert).toHaveTextContent('Watch every exit');
    const phone = await within(alert).findByRole('link', { name: /^Call .*Mona Hassan.*01001234567/ });
    expect(phone).toHaveAttribute('href', 'tel:01001234567');
    expect(alert).toHaveTextContent(/Room: .*Butterflies/);
    expect(alert).toHaveTextContent(/Last seen by a camera: .*Garden/);
    const dialog = screen.getByRole('dialog', { name: 'Dangers' });
    expect(within(dialog).getByRole('link', { name: 'Police 122' })).toBeInTheDocument();
    await user.click(within(alert).getByRole('button', { name: 'Acknowledge' }));
    await waitFor(noCard);
    expect(acknowledged).toEqual(['incident-1']);
    expect(await banner()).toHaveTextContent(/Missing child: Omar Hassan/);
    await user.click(within(await banner()).getByRole('button', { name: 'Show' }));
    const again = await card(title);
    await user.click(within(again).getByRole('button', { name: 'The child has been found' }));
    const where = within(again).getByRole('textbox', { name: /^Where was the child/ });
    expect(where).toHaveFocus();
    // A scanner ends with Enter.
    await user.keyboard('In the garden{Enter}');
    expect(found).toEqual([]);
    await user.click(within(again).getByRole('button', { name: 'Yes, found: end the search' }));
    await waitFor(noCard);
    expect(found).toEqual([['incident-1', 'In the garden']]);
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Danger' })).not.toBeInTheDocument());
  });

  test('signed out meanwhile, the search goes on with what was known of the child', async () => {
    serveIncidents(missing());
    serveRoll({ _id: 'parent-mona', name: 'Mona Hassan', phone: '01001234567' });
    const { events } = await renderScreen('/importFamilies', { as: staff });
    const alert = await card(title);
    await within(alert).findByRole('link', { name: /^Call .*Mona Hassan/ });
    server.use(handle(incidentRoutes.getRollCall, { rollCall: { at: now(), children: [], people: [] } }));
    await events.send({ type: 'child.checked_out', childId: 'child-omar', child: null });
    await waitFor(() => expect(alert).toHaveTextContent('Checked out'));
    expect(within(alert).getByRole('link', { name: /^Call .*Mona Hassan/ })).toBeInTheDocument();
    expect(alert).toHaveTextContent(/Room: .*Butterflies/);
    expect(alert).toHaveTextContent(/Last seen by a camera: .*Garden/);
  });

  test('an inspector sees it, with no phone and no way to end it', async () => {
    serveIncidents(missing());
    serveRoll(null);
    const inspector = { admin: admin({ permissions: [...BUILT_IN_ROLES.inspector] }) };
    await renderScreen('/incidents', { as: inspector });
    const alert = await card(title);
    await waitFor(() => expect(alert).toHaveTextContent(/Room: .*Butterflies/));
    expect(within(alert).queryByRole('link', { name: /^Call/ })).not.toBeInTheDocument();
    for (const name of ['The child has been found', 'Acknowledge'])
      expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
  });

  test('reaches no parent’s page, even if it were sent one', async () => {
    serveIncidents(missing(), incident({ _id: 'incident-2' }));
    const own = child({ _id: 'child-omar', name: 'Omar Hassan', isInside: true });
    await renderScreen('/addChild', { as: { parent: parent({ children: [own] }) } });
    await card('Temperature alert');
    expect(screen.getByRole('heading', { name: '1 danger' })).toBeInTheDocument();
    expect(screen.queryByText(new RegExp(title))).not.toBeInTheDocument();
  });
});

describe('a doubtful release', () => {
  const title = 'Doubtful pick-up';
  const by = { _id: 'admin-hana', name: 'Hana Nabil' };
  const doubtful = (more: Partial<Incident> = {}) =>
    incident({
      kind: 'doubtful_release',
      area: null,
      subject: { kind: 'child', _id: 'child-omar', name: 'Omar Hassan' },
      value: null,
      limit: null,
      timeline: [{ at: now(), what: 'raised', by, step: null, value: null, note: null }],
      ...more,
    });

  test('blocks every staff screen: which child, in whose name, what to do; it leads to both records', async () => {
    const { acknowledged } = serveIncidents(doubtful());
    const { user, router } = await renderScreen('/importFamilies', { as: staff });
    const alert = await card(title);
    expect(alert).toHaveTextContent(/Omar Hassan.* left while a desk had no connection/);
    expect(alert).toHaveTextContent(/in the name of .*Hana Nabil/);
    expect(alert).toHaveTextContent('Call the family now');
    const dialog = screen.getByRole('dialog', { name: 'Dangers' });
    expect(within(dialog).getByRole('region', { name: title })).toBeInTheDocument();
    expect(within(dialog).getByRole('link', { name: 'Police 122' })).toBeInTheDocument();
    expect(within(alert).getByRole('button', { name: /Omar Hassan.*: details and phone/ })).toBeVisible();
    await user.click(within(alert).getByRole('link', { name: 'Compare and settle' }));
    await waitFor(noCard);
    await waitFor(() => expect(router.state.location.pathname).toBe('/deskConflicts'));
    expect(acknowledged).toEqual([]);
    expect(await banner()).toHaveTextContent(/Doubtful pick-up: Omar Hassan/);
  });

  test('an inspector sees it, with no way to acknowledge or to settle it', async () => {
    serveIncidents(doubtful());
    const inspector = { admin: admin({ permissions: [...BUILT_IN_ROLES.inspector] }) };
    await renderScreen('/incidents', { as: inspector });
    const alert = await card(title);
    expect(alert).toHaveTextContent('Omar Hassan');
    expect(within(alert).queryByRole('link', { name: 'Compare and settle' })).not.toBeInTheDocument();
    expect(within(alert).queryByRole('button', { name: 'Acknowledge' })).not.toBeInTheDocument();
  });

  test('in Arabic', async () => {
    serveIncidents(doubtful());
    await renderScreen('/importFamilies', { as: staff, language: 'ar' });
    const alert = await card('استلام مشكوك فيه');
    expect(alert).toHaveTextContent('اتصل بالأسرة الآن');
    expect(within(alert).getByRole('link', { name: 'مقارنة وحسم' })).toBeVisible();
  });

  test('reaches no parent’s page, even if it were sent one', async () => {
    serveIncidents(doubtful(), incident({ _id: 'incident-2' }));
    const own = child({ _id: 'child-omar', name: 'Omar Hassan', isInside: true });
    await renderScreen('/addChild', { as: { parent: parent({ children: [own] }) } });
    await card('Temperature alert');
    expect(screen.getByRole('heading', { name: '1 danger' })).toBeInTheDocument();
    expect(screen.queryByText(new RegExp(title))).not.toBeInTheDocument();
  });
});

describe('acknowledged, it stays red until it is over', () => {
  test('in the banner, the tab, and the dialog that the banner opens', async () => {
    const { acknowledged, open } = serveIncidents(incident());
    const { user, events } = await renderScreen('/importFamilies', { as: staff });
    await user.click(within(await card('Temperature alert')).getByRole('button', { name: 'Acknowledge' }));
    await waitFor(noCard);
    expect(acknowledged).toEqual(['incident-1']);
    expect(await banner()).toHaveTextContent(/Temperature alert: Playroom/);
    await waitFor(async () => expect(await banner()).toHaveTextContent('Acknowledged by Salma Adel'));
    expect(document.title).toMatch(/^\(1\) /);
    await user.click(within(await banner()).getByRole('button', { name: 'Show' }));
    const again = await card('Temperature alert');
    expect(within(again).queryByRole('button', { name: 'Acknowledge' })).not.toBeInTheDocument();
    expect(again).toHaveTextContent('Acknowledged by Salma Adel');
    open.length = 0;
    await events.send({ type: 'alert.cleared', incidentId: 'incident-1' });
    await waitFor(noCard);
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Danger' })).not.toBeInTheDocument());
    await waitFor(() => expect(document.title).not.toMatch(/^\(/));
  });

  test('on the dashboard the room is red in words, and it counts in the badge', async () => {
    const taken = { acknowledgedAt: now(), acknowledgedBy: { _id: 'admin-other', name: 'Karim Adel' } };
    serveIncidents(incident(taken));
    const { readings } = await renderScreen('/adminDashboard', { as: staff });
    for (const area of ['Playroom', 'Garden'])
      await readings.send({
        sensorId: area,
        area,
        // Below the limit, so that the page finds no danger of its own.
        temperature: 21,
        humidity: 40,
        mq2: 100,
        at: now(),
        truth: { temperature: 'live', humidity: 'live', mq2: 'live' },
        freshUntil: { temperature: null, humidity: null, mq2: null },
      });
    const red = await screen.findByRole('link', { name: /Playroom.*Temperature alert/ });
    expect(red).toHaveAttribute('data-danger', 'true');
    expect(screen.getByRole('link', { name: /^Garden/ })).not.toHaveAttribute('data-danger');
    expect(await banner()).toHaveTextContent('Acknowledged by Karim Adel');
  });

  test('a parent with a child inside sees it calmly, without staff and without Evacuate', async () => {
    serveIncidents(incident());
    const omar = child({ _id: 'child-omar', name: 'Omar Hassan', isInside: true });
    const { user } = await renderScreen('/addChild', { as: { parent: parent({ children: [omar] }) } });
    const danger = await card('Temperature alert');
    expect(screen.queryByRole('button', { name: 'Evacuate' })).not.toBeInTheDocument();
    await user.click(within(danger).getByRole('button', { name: 'Acknowledge' }));
    await waitFor(noCard);
    expect(await banner()).toHaveTextContent(
      /High temperature in Playroom\..*Staff have been alerted\. They will call you if they need you\./,
    );
  });
});
