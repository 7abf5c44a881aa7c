/** Opening hours and holidays in the settings: entered, copied, refused beside the field, and saved with what others saved. */
import { operationRoutes } from '@haris/contract/http/operations';
import type { Settings } from '@haris/contract/objects';
import type { OpeningHours } from '@haris/contract/opening-hours';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { handle, refuse, server } from '../../../testing/contract-server.ts';
import { admin } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { settings } from '../../../testing/settings.ts';

const as = { admin: admin() };
const day = [{ from: '08:00', to: '16:00' }];
const usual: OpeningHours = {
  sunday: day,
  monday: day,
  tuesday: day,
  wednesday: day,
  thursday: day,
  friday: [],
  saturday: [],
};

/** Serves settings that change as they are saved; each save needs the present revision. */
function serve(initial: Partial<Settings> = {}) {
  const sent: unknown[] = [];
  let known = { settings: settings(initial), revision: '1' };
  server.use(
    handle(operationRoutes.getSettings, () => known),
    handle(operationRoutes.updateSettings, ({ body: { revision, ...body } }) => {
      sent.push(body);
      if (revision !== known.revision) return refuse('settings_changed');
      known = {
        settings: settings({ ...known.settings, ...(body as Partial<Settings>) }),
        revision: `${sent.length + 1}`,
      };
      return known;
    }),
  );
  const others = (change: Partial<Settings>) => {
    known = { settings: settings({ ...known.settings, ...change }), revision: `other ${sent.length}` };
  };
  return { sent, others };
}

const form = async () => within(await screen.findByRole('region', { name: 'Opening hours' }));

test('hours that nobody has entered begin with the working week of the region, and are saved', async () => {
  const { sent } = serve();
  const { user } = await renderScreen('/settings/facility', { as });
  const part = await form();
  expect(part.getByText('Parents do not see when you are open.')).toBeVisible();
  await user.click(part.getByRole('button', { name: 'Enter opening hours' }));
  const days = part.getAllByRole('switch').map((box) => box.closest('li')?.textContent ?? '');
  expect(days[0]).toMatch(/^Saturday.*Closed$/);
  expect(part.getAllByText('Closed')).toHaveLength(2);
  await expectAccessible();
  await user.click(part.getByRole('button', { name: 'Save hours and holidays' }));
  expect(await screen.findByText('Saved.')).toBeVisible();
  expect(sent).toEqual([{ openingHours: usual, holidays: [] }]);
});

test('a day gets a pause, is copied to all weekdays, and another one is closed', async () => {
  const { sent } = serve({ openingHours: usual });
  const { user } = await renderScreen('/settings/facility', { as });
  const part = await form();
  fireEvent.change(part.getByLabelText('Monday, time 1: closes'), { target: { value: '12:00' } });
  await user.click(part.getByRole('button', { name: 'Monday: add time' }));
  const second = part.getByLabelText('Monday, time 2: opens');
  await waitFor(() => expect(second).toHaveFocus());
  expect(second).toHaveValue('13:00');
  fireEvent.change(part.getByLabelText('Monday, time 2: closes'), { target: { value: '00:00' } });
  await user.click(part.getByRole('button', { name: 'Monday: copy to all weekdays' }));
  await user.click(part.getByRole('switch', { name: 'Sunday' }));
  await user.click(part.getByRole('button', { name: 'Thursday: remove time 2' }));
  await waitFor(() => expect(part.getByRole('switch', { name: 'Thursday' })).toHaveFocus());
  await user.click(part.getByRole('button', { name: 'Save hours and holidays' }));
  expect(await screen.findByText('Saved.')).toBeVisible();
  const split = [
    { from: '08:00', to: '12:00' },
    { from: '13:00', to: '24:00' },
  ];
  const openingHours = { ...usual, sunday: [], monday: split, tuesday: split, wednesday: split };
  expect(sent).toEqual([
    { openingHours: { ...openingHours, thursday: [{ from: '08:00', to: '12:00' }] }, holidays: [] },
  ]);
});

test('what cannot be is said beside its field, which gets the focus, and nothing is sent', async () => {
  const { sent } = serve({ openingHours: usual });
  const { user } = await renderScreen('/settings/facility', { as });
  const part = await form();
  const save = part.getByRole('button', { name: 'Save hours and holidays' });
  const closes = part.getByLabelText('Monday, time 1: closes');
  fireEvent.change(closes, { target: { value: '07:00' } });
  await user.click(save);
  expect(closes).toHaveAccessibleDescription('Closing time must be after opening time');
  await waitFor(() => expect(closes).toHaveFocus());
  fireEvent.change(closes, { target: { value: '16:00' } });
  await user.click(part.getByRole('button', { name: 'Monday: add time' }));
  fireEvent.change(part.getByLabelText('Monday, time 2: opens'), { target: { value: '15:00' } });
  await user.click(save);
  expect(part.getByRole('alert')).toHaveTextContent('Opening times of a day must not overlap');
  await user.click(part.getByRole('button', { name: 'Monday: remove time 2' }));
  await user.click(part.getByRole('button', { name: 'Add holiday' }));
  const name = part.getByRole('textbox', { name: 'Name' });
  await waitFor(() => expect(name).toHaveFocus());
  await user.click(save);
  expect(name).toHaveAccessibleDescription('Name is required');
  expect(part.getByLabelText('First day')).toHaveAccessibleDescription('Enter a date');
  await user.type(name, 'Eid');
  fireEvent.change(part.getByLabelText('First day'), { target: { value: '2090-03-20' } });
  // Most holidays are one day.
  expect(part.getByLabelText('Last day')).toHaveValue('2090-03-20');
  fireEvent.change(part.getByLabelText('Last day'), { target: { value: '2090-03-19' } });
  await user.click(save);
  expect(part.getByLabelText('Last day')).toHaveAccessibleDescription(
    'The last day must not be before the first',
  );
  expect(sent).toEqual([]);
  fireEvent.change(part.getByLabelText('Last day'), { target: { value: '2090-03-23' } });
  await user.click(save);
  await waitFor(() => expect(sent).toHaveLength(1));
  const eid = { from: '2090-03-20', to: '2090-03-23', name: 'Eid' };
  expect(sent).toEqual([{ openingHours: usual, holidays: [eid] }]);
});

test('what the server refuses is said beside its field, and stays typed', async () => {
  serve({ openingHours: usual });
  const message = 'Closing time must be after opening time';
  const fields = { openingHours: message, 'openingHours.monday.0.to': message };
  server.use(handle(operationRoutes.updateSettings, refuse('invalid_request', { message, fields })));
  const { user } = await renderScreen('/settings/facility', { as, language: 'ar' });
  const part = within(await screen.findByRole('region', { name: 'مواعيد العمل' }));
  await user.click(part.getByRole('button', { name: 'حفظ المواعيد والعطلات' }));
  const closes = part.getByLabelText('الاثنين، الفترة ١: وقت الإغلاق');
  await waitFor(() => expect(closes).toHaveAccessibleDescription('يجب أن يكون وقت الإغلاق بعد وقت الفتح'));
  expect(closes).toHaveValue('16:00');
});

test('past holidays are marked and go by one press; the others stay', async () => {
  const past = { from: '2020-03-20', to: '2020-03-21', name: 'Long ago' };
  const next = { from: '2090-03-20', to: '2090-03-21', name: 'To come' };
  const { sent } = serve({ holidays: [past, next] });
  const { user } = await renderScreen('/settings/facility', { as });
  const part = await form();
  expect(part.getAllByText('Past')).toHaveLength(1);
  await user.click(part.getByRole('button', { name: 'Remove past holidays' }));
  expect(part.getByRole('textbox', { name: 'Name' })).toHaveValue('To come');
  await user.click(part.getByRole('button', { name: 'Save hours and holidays' }));
  await waitFor(() => expect(sent).toEqual([{ openingHours: null, holidays: [next] }]));
});

test('what somebody else saved meanwhile is kept: a second press saves on top of it', async () => {
  const eid = { from: '2090-03-20', to: '2090-03-21', name: 'Eid' };
  const { sent, others } = serve({ openingHours: usual });
  const { user } = await renderScreen('/settings/facility', { as });
  const part = await form();
  await user.click(part.getByRole('switch', { name: 'Friday' }));
  others({ holidays: [eid] });
  const save = part.getByRole('button', { name: 'Save hours and holidays' });
  await user.click(save);
  expect(await screen.findByText(/Someone else has changed the settings/)).toBeVisible();
  expect(await part.findByDisplayValue('Eid')).toBeVisible();
  await user.click(save);
  expect(await screen.findByText('Saved.')).toBeVisible();
  expect(sent.at(-1)).toEqual({ openingHours: { ...usual, friday: day }, holidays: [eid] });
});

test('who may not change the settings sees them, and no button to save', async () => {
  serve({ openingHours: usual });
  await renderScreen('/settings/facility', { as: { admin: admin({ permissions: ['settings.view'] }) } });
  const part = await form();
  expect(part.getByLabelText('Monday, time 1: opens')).toBeDisabled();
  expect(part.queryByRole('button', { name: 'Save hours and holidays' })).not.toBeInTheDocument();
});
