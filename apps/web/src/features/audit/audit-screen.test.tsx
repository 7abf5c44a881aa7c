/** The audit log: names and faces, filters, and the states of the screen. */
import { operationRoutes } from '@haris/contract/http/operations';
import type { AuditEntry } from '@haris/contract/objects';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { type Call, handle, offline, pending, server } from '../../testing/contract-server.ts';
import { admin } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const staff = { admin: admin() };
const salma = { kind: 'admin', id: 'admin-salma', name: 'Salma Adel', photo: null };
const layla = { kind: 'child', id: 'child-layla', name: 'Layla Hassan', photo: null };

function entry(seq: number, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    seq,
    at: '2026-03-18T08:15:00.000Z',
    actor: salma,
    action: 'child.checked_in',
    subject: layla,
    from: '10.0.0.7',
    requestId: 'request',
    details: { stayId: 'stay-1', minutes: 60 },
    ...more,
  };
}

/** Serves these rows to every question, and returns the questions. */
function serveLog(entries: AuditEntry[], page: { total?: number; nextCursor?: string | null } = {}) {
  const asked: Call<typeof operationRoutes.listAudit>['query'][] = [];
  server.use(
    handle(operationRoutes.listAudit, ({ query }) => {
      asked.push(query);
      return { entries, total: entries.length, nextCursor: null, ...page };
    }),
  );
  return asked;
}

test('a line says when, what, whom and by whom; the rest is under Details', async () => {
  serveLog([entry(7)]);
  const { user } = await renderScreen('/auditLog', { as: staff });
  const list = await screen.findByRole('list', { name: 'Audit log: Wednesday, 18 March 2026' });
  const row = within(list).getByRole('listitem');
  expect(row).toHaveTextContent(/10:15.AM.*Child checked in.*60 minutes.*Layla Hassan.*by Salma Adel/);
  expect(within(row).getByRole('link', { name: 'Layla Hassan' })).toHaveAttribute(
    'href',
    '?child=child-layla',
  );
  expect(within(row).getByText('10.0.0.7')).not.toBeVisible();
  await user.click(within(row).getByText('Details'));
  expect(within(row).getByText('10.0.0.7')).toBeVisible();
  expect(within(row).getByText('stay-1')).toBeVisible();
  await expectAccessible();
});

test('who was deleted, the system and a stranger are said as such', async () => {
  serveLog([
    entry(3, { subject: { kind: 'child', id: 'abcdef1234567', name: null, photo: null } }),
    entry(2, { action: 'child.time_up', actor: null, from: null }),
    entry(1, { action: 'parent.sign_in_failed', actor: null, subject: null }),
  ]);
  await renderScreen('/auditLog', { as: staff });
  const [deleted, system, stranger] = within(
    await screen.findByRole('list', { name: /^Audit log/ }),
  ).getAllByRole('listitem');
  expect(deleted).toHaveTextContent('child abcdef12');
  expect(system).toHaveTextContent('by System');
  expect(stranger).toHaveTextContent(/failed.*by Not signed in/);
});

test.each([
  ['en', 'Air quality alert', 'Evacuation', 'Alert'],
  ['ar', 'تنبيه جودة الهواء', 'إخلاء', 'تنبيه'],
] as const)(
  'an alert is told by its kind and its room, never by its id (%s)',
  async (language, air, evacuation, unknown) => {
    const alert = (name: string | null) => ({ kind: 'incident', id: '6f02abcd-0000', name, photo: null });
    serveLog([
      entry(3, { action: 'incident.raised', subject: alert('Nap room'), details: { kind: 'air' } }),
      entry(2, { action: 'evacuation.ticked', subject: alert(null), details: { ticks: 2 } }),
      entry(1, { action: 'incident.raised', subject: alert(null), details: { kind: 'of a newer server' } }),
    ]);
    await renderScreen('/auditLog', { as: staff, language });
    const name = language === 'ar' ? /^سجل المراجعة/ : /^Audit log/;
    const rows = within(await screen.findByRole('list', { name })).getAllByRole('listitem');
    expect(rows[0]).toHaveTextContent(`${air} · Nap room`);
    expect(rows[1]).toHaveTextContent(evacuation);
    expect(rows[2]).toHaveTextContent(unknown);
    for (const row of rows) expect(row).not.toHaveTextContent('6f02abcd');
  },
);

test('a hundred views by one person are one line', async () => {
  const views = Array.from({ length: 100 }, (_, index) =>
    entry(200 - index, {
      action: 'photo.viewed',
      subject: { kind: 'child', id: `child-${index % 9}`, name: `Child ${index % 9}`, photo: null },
      details: {},
    }),
  );
  serveLog([entry(201), ...views]);
  await renderScreen('/auditLog', { as: staff });
  const rows = within(await screen.findByRole('list', { name: /^Audit log/ })).getAllByRole('listitem');
  expect(rows).toHaveLength(2);
  expect(rows[1]).toHaveTextContent(/Photo viewed100 times.*\+4/);
});

test('kind, person and record are asked of the server, are in the address, and can be taken away', async () => {
  const asked = serveLog([entry(7)]);
  const { user, router } = await renderScreen('/auditLog', { as: staff });
  await screen.findByRole('list', { name: /^Audit log/ });
  await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Attendance');
  await user.click(await screen.findByRole('button', { name: 'Salma Adel Show only this person (entry 7)' }));
  await user.click(screen.getByRole('button', { name: 'Show only this record (entry 7)' }));
  await waitFor(() =>
    expect(asked.at(-1)).toMatchObject({ kind: 'attendance', actor: 'admin-salma', subject: 'child-layla' }),
  );
  expect(router.state.location.search).toBe('?kind=attendance&actor=admin-salma&subject=child-layla');
  expect(screen.getByRole('button', { name: 'Layla Hassan All records' })).toHaveTextContent('Layla Hassan');
  await user.click(screen.getByRole('button', { name: 'Salma Adel All people' }));
  await waitFor(() => expect(asked.at(-1)?.actor).toBeUndefined());
  // A name is private, so it is not in the address.
  await user.type(screen.getByRole('searchbox', { name: 'Search the audit log' }), 'layla');
  await waitFor(() => expect(asked.at(-1)?.search).toBe('layla'));
  expect(router.state.location.search).toBe('?kind=attendance&subject=child-layla');
});

test('views, which are most of the rows, can be left out', async () => {
  const asked = serveLog([entry(7)]);
  const { user } = await renderScreen('/auditLog', { as: staff });
  await screen.findByRole('list', { name: /^Audit log/ });
  await user.selectOptions(
    screen.getByRole('combobox', { name: 'Kind' }),
    'Everything but viewing and exports',
  );
  await waitFor(() => expect(asked.at(-1)?.kind).toBe('changes'));
});

test('an address with a damaged filter shows the whole log', async () => {
  const asked = serveLog([entry(7)]);
  await renderScreen('/auditLog?kind=secrets&from=yesterday', { as: staff });
  await screen.findByRole('list', { name: /^Audit log/ });
  expect(asked[0]).not.toHaveProperty('kind');
  expect(asked[0]).not.toHaveProperty('from');
});

test('loading, nothing found, and no connection have their own words', async () => {
  server.use(handle(operationRoutes.listAudit, pending));
  const first = await renderScreen('/auditLog', { as: staff });
  expect(await screen.findByRole('status', { name: 'Loading…' })).toBeVisible();
  await first.unmount();
  serveLog([]);
  const second = await renderScreen('/auditLog', { as: staff });
  expect(await screen.findByText('No entries found.')).toBeVisible();
  await second.unmount();
  server.use(handle(operationRoutes.listAudit, offline));
  await renderScreen('/auditLog', { as: staff });
  expect(await screen.findByRole('alert')).toHaveTextContent('The audit log could not be loaded.');
});

test('in Arabic: Arabic digits and words', async () => {
  serveLog([entry(7)]);
  await renderScreen('/auditLog', { as: staff, language: 'ar' });
  const list = await screen.findByRole('list', { name: /^سجل المراجعة/ });
  expect(within(list).getByRole('listitem')).toHaveTextContent(/تسجيل حضور طفل.*٦٠ دقيقة.*بواسطة Salma Adel/);
});
