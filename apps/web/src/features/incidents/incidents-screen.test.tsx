/** The list of alerts and the quiet line: one row per cause, filters, acknowledgement of all, and the states of a list. */
import { cameraRoutes } from '@haris/contract/http/cameras';
import { type Incident, type IncidentSubject, incidentRoutes } from '@haris/contract/http/incidents';
import { roomRoutes } from '@haris/contract/http/rooms';
import { type IncidentKind, severityOf } from '@haris/contract/incident-kinds';
import { BUILT_IN_ROLES } from '@haris/contract/permissions';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, pending, refuse, server } from '../../testing/contract-server.ts';
import { admin, child, LONG_NAME, parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { room } from '../../testing/rooms.ts';
import { incident, serveIncidents, staff } from './testing/incidents.ts';

const MORNING = '2026-03-18T07:40:00.000Z';

function subjects(count: number, area: string | null = 'Playroom'): IncidentSubject[] {
  return Array.from({ length: count }, (_, n) => ({
    kind: 'child',
    _id: `child-${n}`,
    name: n === 0 ? LONG_NAME : `Child ${n}`,
    area,
    since: MORNING,
    until: null,
  }));
}

/** An open alert that is no danger. */
function quiet(kind: IncidentKind, more: Partial<Incident> = {}): Incident {
  return incident({
    _id: `incident-${kind}`,
    kind,
    severity: severityOf(kind),
    area: null,
    value: null,
    limit: null,
    raisedAt: MORNING,
    ...more,
  });
}

const threeRooms = () => ['Garden', 'Nap room', 'Playroom'].map((name) => room({ _id: name, name }));

const rows = async () =>
  within(await screen.findByRole('list', { name: 'Alerts' }))
    .getAllByRole('listitem')
    .filter((row) => row.hasAttribute('data-severity'));

/** Answers as the server does: acknowledges what it is sent, and takes it out of the open list. */
function serveAcknowledgements(open: Incident[]) {
  const calls: string[][] = [];
  const shown: string[][] = [];
  server.use(
    handle(incidentRoutes.acknowledgeIncidents, ({ body: { ids = [], shown: seen = [] } }) => {
      calls.push([...ids]);
      shown.push([...seen]);
      const by = { _id: staff.admin._id, name: staff.admin.name };
      for (const [index, one] of open.entries())
        if (ids.includes(one._id)) open[index] = { ...one, acknowledgedAt: MORNING, acknowledgedBy: by };
      return { incidents: open.filter(({ _id }) => ids.includes(_id)), left: 0 };
    }),
  );
  return { calls, shown };
}

describe('the list', () => {
  test('72 children of one cause are one row, with the rooms, and each child opens its sheet', async () => {
    server.use(
      handle(cameraRoutes.listCameras, {
        cameras: [],
        total: 0,
        nextCursor: null,
      }),
    );
    serveIncidents(quiet('not_seen', { subjects: subjects(72), area: 'Playroom' }));
    const { user } = await renderScreen('/incidents', { as: staff });
    const [row, ...more] = await rows();
    expect(more).toEqual([]);
    expect(row).toHaveTextContent('72 children not seen');
    expect(row).toHaveTextContent('Attention');
    expect(row).toHaveTextContent(/Since .*, in Playroom\./);
    await user.click(screen.getByRole('button', { name: 'Details: 72 children not seen' }));
    const who = screen.getByRole('region', { name: 'Who and what' });
    expect(within(who).getAllByRole('listitem')).toHaveLength(72);
    expect(within(who).getByRole('link', { name: LONG_NAME })).toHaveAttribute('href', '?child=child-0');
    await expectAccessible();
  });

  test.each([
    ['en', /has not been seen by a camera for 15 minutes\./],
    ['ar', /لا ظهور أمام أي كاميرا منذ ١٥ دقيقة/],
  ] as const)('one child that is not seen: for how many minutes (%s)', async (language, words) => {
    const missed = { subjects: subjects(1), area: 'Playroom', limit: 15 };
    serveIncidents(quiet('not_seen', { ...missed, subject: missed.subjects[0] ?? null }));
    await renderScreen('/incidents', { as: staff, language });
    expect(await screen.findByText(words)).toHaveTextContent(LONG_NAME);
  });

  test('72 children in one of three rooms are one row, which says so', async () => {
    server.use(handle(roomRoutes.listRooms, { rooms: threeRooms() }));
    serveIncidents(quiet('not_seen', { subjects: subjects(72), area: 'Playroom' }));
    await renderScreen('/incidents', { as: staff });
    const [row, ...more] = await rows();
    expect(more).toEqual([]);
    await waitFor(() => expect(row).toHaveTextContent(/72 children not seen.*Since .*, in 1 of 3 rooms\./));
  });

  test('one about one child leads to its sheet; one about several does not', async () => {
    serveIncidents(quiet('unexpected_release', { subjects: subjects(1) }));
    const { unmount } = await renderScreen('/incidents', { as: staff });
    const link = await screen.findByRole('link', { name: /: details and phone$/ });
    expect(link).toHaveTextContent(LONG_NAME);
    expect(link).toHaveAttribute('href', '?child=child-0');
    await unmount();
    serveIncidents(quiet('not_seen', { subjects: subjects(2) }));
    await renderScreen('/incidents', { as: staff });
    await rows();
    expect(screen.queryByRole('link', { name: /details and phone/ })).not.toBeInTheDocument();
  });

  test.each([
    ['en', 'Desk conflicts: 2 children', 'Compare and settle'],
    ['ar', 'تسجيلات متعارضة: طفلان', 'مقارنة وحسم'],
  ] as const)('conflicts of desks are one row and lead to both sides (%s)', async (language, title, way) => {
    serveIncidents(quiet('desk_conflict', { subjects: subjects(2, null) }));
    await renderScreen('/incidents', { as: staff, language });
    expect(await screen.findByRole('heading', { level: 2, name: title })).toBeVisible();
    expect(screen.getByRole('link', { name: way })).toHaveAttribute('href', '/deskConflicts');
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  });

  test('a conflict about a child whom Haris does not know says so; whoever may not settle it is led nowhere', async () => {
    const [unknown] = subjects(1, null).map((one) => ({ ...one, name: null }));
    serveIncidents(
      quiet('desk_conflict', { subject: unknown ?? null, subjects: unknown === undefined ? [] : [unknown] }),
    );
    const inspector = { admin: admin({ permissions: [...BUILT_IN_ROLES.inspector] }) };
    await renderScreen('/incidents', { as: inspector });
    const [row] = await rows();
    expect(row).toHaveTextContent(/wrote something about a child whom Haris does not know here/);
    expect(screen.queryByRole('link', { name: 'Compare and settle' })).not.toBeInTheDocument();
  });

  test('a hundred alerts: dangers first, and what nobody acknowledged before the rest', async () => {
    const many = Array.from({ length: 98 }, (_, n) =>
      quiet('capacity', { _id: `full-${n}`, area: `Room ${n}`, value: 9, limit: 8 }),
    );
    serveIncidents(
      quiet('disk', { acknowledgedAt: MORNING, acknowledgedBy: { _id: 'a', name: 'Karim Adel' } }),
      ...many,
      incident({ acknowledgedAt: MORNING, acknowledgedBy: { _id: 'a', name: 'Karim Adel' } }),
    );
    await renderScreen('/incidents', { as: staff });
    const shown = await rows();
    expect(shown).toHaveLength(100);
    expect(shown[0]).toHaveTextContent(/Temperature alert.*Danger.*Acknowledged/);
    expect(shown[1]).toHaveTextContent('9 children in Room');
    expect(shown[99]).toHaveTextContent(/Disk almost full.*Device/);
  });

  test('more than a page: says how many are left, and shows them', async () => {
    const all = Array.from({ length: 203 }, (_, n) =>
      quiet('capacity', { _id: `full-${n}`, area: `Room ${n}` }),
    );
    server.use(
      handle(incidentRoutes.listIncidents, ({ query: { cursor } }) => ({
        incidents: cursor == null ? all.slice(0, 200) : all.slice(200),
        total: all.length,
        nextCursor: cursor == null ? 'next' : null,
      })),
    );
    const { user } = await renderScreen('/incidents', { as: staff });
    expect(await rows()).toHaveLength(200);
    expect(await screen.findByRole('link', { name: /^Alerts.*203 open/ })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Show more (3 alerts left)' }));
    await waitFor(async () => expect(await rows()).toHaveLength(203));
    expect(screen.queryByRole('button', { name: /^Show more/ })).toBeNull();
  });

  test('later subjects that opened another incident do not make another row', async () => {
    serveIncidents(
      quiet('camera_down', { _id: 'c1', subjects: subjects(2, 'Hall') }),
      quiet('camera_down', { _id: 'c2', subjects: subjects(1, 'Kitchen') }),
    );
    await renderScreen('/incidents', { as: staff });
    expect(await rows()).toHaveLength(1);
    expect((await rows())[0]).toHaveTextContent('3 cameras offline');
  });

  test.each(['a press', 'the key a'])(
    'all are acknowledged by %s and one call, without the danger',
    async (way) => {
      const { open } = serveIncidents(
        incident({ acknowledgedAt: null, kind: 'temperature' }),
        quiet('not_seen', { subjects: subjects(2) }),
        quiet('camera_down', { _id: 'c1', subjects: subjects(1) }),
        quiet('camera_down', { _id: 'c2', subjects: subjects(1) }),
      );
      const { calls, shown } = serveAcknowledgements(open);
      const { user } = await renderScreen('/incidents', { as: staff });
      // The danger's dialog is above the list until somebody minimises it.
      await user.click(await screen.findByRole('button', { name: 'Minimise' }));
      const all = await screen.findByRole('button', { name: 'Acknowledge all (2)' });
      await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
      if (way === 'a press') await user.click(all);
      else await user.keyboard('a');
      await screen.findByText('2 alerts acknowledged.');
      expect(calls).toEqual([['incident-not_seen', 'c1', 'c2']]);
      // Somebody who joined an alert meanwhile was not on the screen.
      expect(shown).toEqual([['child-0', 'child-1']]);
      await waitFor(() =>
        expect(screen.queryByRole('button', { name: /^Acknowledge all/ })).not.toBeInTheDocument(),
      );
      expect((await rows())[0]).toHaveTextContent('Temperature alert');
    },
  );

  test('one is acknowledged with a note; a refusal is said and the alert stays open', async () => {
    const { open } = serveIncidents(quiet('backup', { value: 9, limit: 7 }));
    server.use(handle(incidentRoutes.acknowledgeIncidents, refuse('storage_full')));
    const { user } = await renderScreen('/incidents', { as: staff });
    const [row] = await rows();
    expect(row).toHaveTextContent('Last backup 9 days ago; it should be every 7 days.');
    await user.click(screen.getByRole('button', { name: 'Acknowledge: Backup overdue' }));
    const dialog = await screen.findByRole('dialog', { name: 'Backup overdue' });
    await user.type(within(dialog).getByLabelText('Note'), 'On it');
    await user.click(within(dialog).getByRole('button', { name: 'Acknowledge' }));
    await screen.findByText(/^Storage is full/);
    const { calls } = serveAcknowledgements(open);
    await user.click(within(dialog).getByRole('button', { name: 'Acknowledge' }));
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(calls).toEqual([['incident-backup']]);
  });

  test('a note for one alert is there when its dialog opens again, and not for another alert', async () => {
    const { open } = serveIncidents(quiet('backup', { value: 9, limit: 7 }), quiet('disk'));
    const notes: (string | undefined)[] = [];
    server.use(
      handle(incidentRoutes.acknowledgeIncidents, ({ body: { note } }) => {
        notes.push(note);
        return { incidents: [], left: open.length };
      }),
    );
    const { user } = await renderScreen('/incidents', { as: staff });
    const openOne = async (title: string) => {
      await user.click(await screen.findByRole('button', { name: `Acknowledge: ${title}` }));
      return within(await screen.findByRole('dialog', { name: title }));
    };
    const backup = await openOne('Backup overdue');
    await user.type(backup.getByLabelText('Note'), 'Disk is being replaced');
    await user.click(backup.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    const again = await openOne('Backup overdue');
    expect(again.getByLabelText('Note')).toHaveValue('Disk is being replaced');
    await user.click(again.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    const disk = await openOne('Disk almost full');
    expect(disk.getByLabelText('Note')).toHaveValue('');
    await user.click(disk.getByRole('button', { name: 'Acknowledge' }));
    await waitFor(() => expect(notes).toEqual([undefined]));
  });

  test('is filtered by severity and kind at the server; an empty answer offers the way back', async () => {
    const asked: string[] = [];
    server.use(
      handle(incidentRoutes.listIncidents, ({ query }) => {
        asked.push(`${query.severity ?? ''} ${query.kind ?? ''}`.trim());
        return { incidents: [], total: 0, nextCursor: null };
      }),
    );
    const { user } = await renderScreen('/incidents', { as: staff });
    await screen.findByText('No open alerts.');
    await user.click(screen.getByRole('radio', { name: 'Device' }));
    await screen.findByText('No alerts match the filter.');
    await user.click(screen.getByRole('combobox', { name: 'Kind' }));
    await user.click(await screen.findByRole('option', { name: 'Camera offline' }));
    await waitFor(() => expect(asked.at(-1)).toBe('operation camera_down'));
    await user.click(screen.getByRole('button', { name: 'Clear filter' }));
    await screen.findByText('No open alerts.');
  });

  test('is filtered by room at the server, also by one without a camera or sensor', async () => {
    const asked: (string | undefined)[] = [];
    const here = { _id: 'here', area: 'Nap room' };
    server.use(
      handle(roomRoutes.listRooms, { rooms: threeRooms() }),
      handle(incidentRoutes.listIncidents, ({ query }) => {
        asked.push(query.area);
        const all = [quiet('capacity', here), quiet('capacity', { _id: 'there', area: 'Garden' })];
        const incidents = all.filter(({ area }) => query.area === undefined || area === query.area);
        return { incidents, total: incidents.length, nextCursor: null };
      }),
    );
    const { user } = await renderScreen('/incidents', { as: staff });
    expect(await rows()).toHaveLength(2);
    await user.click(screen.getByRole('combobox', { name: 'Room' }));
    await user.click(await screen.findByRole('option', { name: 'Nap room' }));
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    expect(asked.at(-1)).toBe('Nap room');
    expect((await rows())[0]).toHaveTextContent('Nap room');
  });

  test('while it loads, and without a connection', async () => {
    server.use(handle(incidentRoutes.listIncidents, pending));
    const { unmount } = await renderScreen('/incidents', { as: staff });
    expect(await screen.findByRole('status', { name: 'Loading…' })).toBeInTheDocument();
    await unmount();
    server.use(handle(incidentRoutes.listIncidents, offline));
    const { user } = await renderScreen('/incidents', { as: staff });
    const problem = await screen.findByRole('alert');
    serveIncidents(quiet('disk', { value: 1, limit: 2 }));
    await user.click(within(problem).getByRole('button', { name: 'Try Again' }));
    expect(await rows()).toHaveLength(1);
  });

  test('in Arabic: right to left, with its plural forms and digits', async () => {
    serveIncidents(
      quiet('time_up', { subjects: subjects(3, null) }),
      quiet('camera_down', { subjects: subjects(2, 'غرفة اللعب') }),
    );
    await renderScreen('/incidents', { as: staff, language: 'ar', size: 'phone' });
    expect(await screen.findByText('٣ أطفال تجاوزوا الوقت')).toBeInTheDocument();
    expect(screen.getByText('كاميرتان منقطعتان')).toBeInTheDocument();
    expect(screen.getAllByText('انتباه').length).toBeGreaterThan(0);
    expect(screen.getByRole('button', { name: 'تأكيد الاطلاع على الكل (٢)' })).toBeInTheDocument();
  });
});

describe('the quiet line', () => {
  const line = () => screen.findByRole('status', { name: 'Alerts' });

  test('says how many and which, blocks nothing, and leads to the list, where it is not shown', async () => {
    serveIncidents(quiet('not_seen', { subjects: subjects(72) }), quiet('disk'));
    const { user } = await renderScreen('/importFamilies', { as: staff });
    await waitFor(async () =>
      expect(await line()).toHaveTextContent('Attention2 alerts · 72 children not seen · Disk almost full'),
    );
    expect(screen.getByRole('banner')).toContainElement(await line());
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    await expectAccessible();
    await user.click(within(await line()).getByRole('link', { name: 'Show' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Alerts' })).toBeInTheDocument();
    expect(await line()).toBeEmptyDOMElement();
  });

  test('that was hidden comes back with something new, and goes when somebody has acknowledged it', async () => {
    const { open } = serveIncidents(quiet('disk'));
    const { user, events } = await renderScreen('/importFamilies', { as: staff });
    await user.click(await screen.findByRole('button', { name: 'Hide until something new happens' }));
    expect(await line()).toBeEmptyDOMElement();
    open.push(quiet('backup', { value: 9, limit: 7 }));
    await events.send({ type: 'alert.raised', incidentId: 'incident-backup' });
    await waitFor(async () => expect(await line()).toHaveTextContent('2 alerts'));
    const by = { _id: 'admin-other', name: 'Karim Adel' };
    for (const [index, one] of open.entries())
      open[index] = { ...one, acknowledgedAt: MORNING, acknowledgedBy: by };
    await events.send({ type: 'alert.acknowledged', incidentId: 'incident-backup' });
    await waitFor(async () => expect(await line()).toBeEmptyDOMElement());
  });

  test('on a phone is a strip above the bar of navigation, and names the gravest kind', async () => {
    serveIncidents(quiet('disk', { severity: 'operation' }));
    await renderScreen('/importFamilies', { as: staff, size: 'phone' });
    await waitFor(async () => expect(await line()).toHaveTextContent('Device1 alert · Disk almost full'));
    expect(screen.getByRole('banner')).not.toContainElement(await line());
    expect((await line()).nextElementSibling).toBe(screen.getByRole('navigation', { name: 'Main menu' }));
  });

  test('is nothing for a parent', async () => {
    const { asked } = serveIncidents(quiet('time_up', { subjects: subjects(1) }));
    const mona = { parent: parent({ children: [child({ isInside: true, status: 'Inside' })] }) };
    await renderScreen('/addChild', { as: mona });
    await screen.findByRole('heading', { level: 1 });
    await waitFor(() => expect(asked()).toBeGreaterThan(0));
    expect(screen.queryByRole('status', { name: 'Alerts' })).not.toBeInTheDocument();
  });
});
