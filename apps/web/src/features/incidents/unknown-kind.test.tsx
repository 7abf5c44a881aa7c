/** An older page and a newer server: an alert of a kind that the page does not know is shown, and hides no other. */
import {
  incidentRoutes,
  incidentSchema,
  subjectSchema,
  subjectTimeSchema,
  timelineEntrySchema,
} from '@haris/contract/http/incidents';
import { pageShape } from '@haris/contract/http/route';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { handle, server } from '../../testing/contract-server.ts';
import { child, parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { incident, staff } from './testing/incidents.ts';

const word = z.string();
const newerIncident = z.extend(incidentSchema, {
  kind: word,
  subject: z.nullable(z.extend(subjectSchema, { kind: word })),
  subjects: z._default(z.array(z.extend(subjectTimeSchema, { kind: word })), []),
  timeline: z.array(z.extend(timelineEntrySchema, { what: word })),
});
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

test.each([
  ['en', /^Details/, 'something else', 'Something that this page does not know (reload it to see) by Nadia'],
  ['ar', /تفاصيل/, 'شيء آخر', 'أمر لا تعرفه هذه الصفحة (أعد تحميلها لتراه): Nadia'],
] as const)(
  'subjects and events that it does not know stand in lines of their own among the others: %s',
  async (language, details, nameless, happened) => {
    const since = new Date().toISOString();
    const of = (kind: string, _id: string, name: string | null) => ({
      ...{ kind, _id, name, area: 'Playroom', since, until: null },
    });
    const [bus, gone, door] = [
      of('vehicle', 'bus-1', 'Bus 7'),
      of('vehicle', 'x', null),
      of('camera', 'c', 'Door'),
    ];
    const event = { at: since, by: null, step: null, value: null, note: null };
    const mixed = {
      ...incident({ severity: 'operation', value: null, limit: null }),
      kind: 'camera_down',
      subject: bus,
      subjects: [bus, gone, door],
      timeline: [
        { ...event, what: 'raised' },
        { ...event, what: 'handed_on', by: { _id: 'nadia', name: 'Nadia' } },
      ],
    };
    server.use(handle(newer.list, { incidents: [mixed], total: 1, nextCursor: null }));
    const { user } = await renderScreen('/incidents', { as: staff, language });
    await user.click(await screen.findByRole('button', { name: details }));
    expect(screen.getByText('Bus 7')).toBeVisible();
    expect(screen.getByText('Door')).toBeVisible();
    expect(screen.getByText(nameless)).toBeVisible();
    expect(screen.getByText(happened)).toBeVisible();
  },
);

test('a parent sees an unknown danger too', async () => {
  serve(flood);
  await renderScreen('/profile', { as: { parent: parent({ children: [child()] }) } });
  const danger = await screen.findByRole('alertdialog', { name: 'Alert' });
  expect(danger).toHaveTextContent('Reload the page to see what this is.');
});
