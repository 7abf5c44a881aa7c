/** An older page and a newer server: an alert of a kind that the page does not know is shown, and hides no other. */
import { incidentRoutes, incidentSchema } from '@haris/contract/http/incidents';
import { pageShape } from '@haris/contract/http/route';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { handle, server } from '../../testing/contract-server.ts';
import { child, parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { incident, staff } from './testing/incidents.ts';

const newerIncident = z.extend(incidentSchema, { kind: z.string() });
/** The calls of a server that knows more kinds. */
const newer = {
  list: {
    ...incidentRoutes.listIncidents,
    answer: z.object({ incidents: z.array(newerIncident), ...pageShape }),
  },
  acknowledge: { ...incidentRoutes.acknowledgeIncident, answer: z.object({ incident: newerIncident }) },
  acknowledgeMany: {
    ...incidentRoutes.acknowledgeIncidents,
    answer: z.extend(incidentRoutes.acknowledgeIncidents.answer, { incidents: z.array(newerIncident) }),
  },
};

const flood = { ...incident({ _id: 'incident-flood', value: null, limit: null }), kind: 'flood' };
const lostToy = { ...flood, _id: 'incident-toy', kind: 'lost_toy', severity: 'care' as const };

/** Serves these incidents and one of a known kind; returns the ids that were acknowledged. */
function serve(...unknown: (typeof flood | typeof lostToy)[]): string[] {
  const acknowledged: string[] = [];
  const by = { _id: staff.admin._id, name: staff.admin.name };
  let open = [
    ...unknown,
    { ...incident({ severity: 'operation', value: null, limit: null }), kind: 'broker_down' },
  ];
  const take = (ids: readonly string[]) => {
    acknowledged.push(...ids);
    open = open.map((one) =>
      ids.includes(one._id) ? { ...one, acknowledgedAt: one.raisedAt, acknowledgedBy: by } : one,
    );
    return open.filter(({ _id }) => ids.includes(_id));
  };
  server.use(
    handle(newer.list, () => ({ incidents: open, total: open.length, nextCursor: null })),
    handle(newer.acknowledge, ({ params: { id } }) => {
      const [taken = flood] = take([id]);
      return { incident: taken };
    }),
    handle(newer.acknowledgeMany, ({ body: { ids = [] } }) => ({ incidents: take(ids), left: 0 })),
  );
  return acknowledged;
}

test.each([
  ['en', 'Alert', 'Reload the page to see what this is.', 'Acknowledge'],
  ['ar', 'تنبيه', 'أعد تحميل الصفحة لترى ما هذا التنبيه.', 'تأكيد الاطلاع'],
] as const)(
  'a danger stays a danger, and is acknowledged by itself: %s',
  async (language, name, text, button) => {
    const acknowledged = serve(flood);
    const { user } = await renderScreen('/importFamilies', { as: staff, language });
    const danger = await screen.findByRole('alertdialog', { name });
    expect(danger).toHaveTextContent(text);
    await user.click(within(danger).getByRole('button', { name: button }));
    await waitFor(() => expect(acknowledged).toEqual(['incident-flood']));
    await waitFor(() => expect(danger).not.toBeInTheDocument());
  },
);

test('in the list it stands beside the others with its severity, and “Acknowledge all” leaves the danger', async () => {
  const acknowledged = serve(flood, lostToy);
  const { user } = await renderScreen('/incidents', { as: staff });
  const dialog = await screen.findByRole('alertdialog', { name: 'Alert' });
  await user.click(within(dialog).getByRole('button', { name: 'Acknowledge' }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  const rows = within(await screen.findByRole('list', { name: 'Alerts' }))
    .getAllByRole('listitem')
    .filter((row) => row.hasAttribute('data-severity'));
  expect(rows.map((row) => row.getAttribute('data-severity'))).toEqual(['safety', 'care', 'operation']);
  expect(rows[1]).toHaveTextContent('Reload the page to see what this is.');
  expect(rows[2]).toHaveTextContent('MQTT broker offline');
  await user.click(screen.getByRole('button', { name: /^Acknowledge all/ }));
  await waitFor(() => expect(acknowledged).toEqual(['incident-flood', 'incident-toy', 'incident-1']));
});

test('a parent sees an unknown danger too', async () => {
  serve(flood);
  await renderScreen('/profile', { as: { parent: parent({ children: [child()] }) } });
  const danger = await screen.findByRole('alertdialog', { name: 'Alert' });
  expect(danger).toHaveTextContent('Reload the page to see what this is.');
});
