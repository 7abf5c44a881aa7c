/** Forms of the management keep what was typed across the reload for a new version, but no address that may hold a password. */
import { guardianRoutes } from '@haris/contract/http/guardians';
import { roleRoutes } from '@haris/contract/http/roles';
import { sensorRoutes, sensorSchema } from '@haris/contract/http/sensors';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { family, serveDesk } from '../features/dashboard/testing/desk.ts';
import { keepDrafts, wouldLoseInput } from '../forms/drafts.ts';
import { expectAccessible } from '../testing/accessibility.ts';
import { handle, server } from '../testing/contract-server.ts';
import { guardian } from '../testing/guardians.ts';
import { admin, child } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';

const staff = { admin: admin() };
const kept = () => sessionStorage.getItem('haris.drafts');

type Form = Pick<typeof screen, 'getByRole' | 'getByLabelText'>;

/** Types into a form, keeps it as the press on Reload does, and opens the form anew. Returns whether something would be lost. */
async function reload(user: UserEvent, open: () => Promise<Form>, type: (form: Form) => Promise<void>) {
  const form = await open();
  await type(form);
  const isLost = wouldLoseInput();
  keepDrafts();
  const stored = kept();
  const cancel = form.getByRole('button', { name: 'Cancel' });
  await user.click(cancel);
  await waitFor(() => expect(cancel).not.toBeInTheDocument());
  const again = await open();
  expect(await screen.findByText('What you typed before the reload is back.')).toBeVisible();
  expect(kept()).toBeNull();
  return { form: again, isLost, stored };
}

test('a camera: name, room and type, never the address', async () => {
  const { user } = await renderScreen('/cameras', { as: staff });
  const { form, isLost, stored } = await reload(
    user,
    async () => {
      await user.click(await screen.findByRole('button', { name: 'Add Camera' }));
      return within(await screen.findByRole('dialog', { name: 'Add Camera' }));
    },
    async (form) => {
      await user.type(form.getByLabelText(/^Name/), 'Sand pit');
      await user.type(form.getByLabelText(/^Room/), 'Garden');
      await user.click(form.getByRole('radio', { name: 'IP camera (MJPEG over HTTP)' }));
      await user.type(form.getByLabelText(/^Address/), 'http://admin:secret@192.168.1.20/video');
    },
  );
  expect(isLost).toBe(true);
  expect(stored).not.toMatch(/secret|192/);
  expect(form.getByLabelText(/^Name/)).toHaveValue('Sand pit');
  expect(form.getByLabelText(/^Room/)).toHaveValue('Garden');
  expect(form.getByRole('radio', { name: 'IP camera (MJPEG over HTTP)' })).toBeChecked();
  expect(form.getByLabelText(/^Address/)).toHaveValue('');
  await expectAccessible();
});

const nothing = { value: null, truth: 'none', at: null, freshUntil: null } as const;
const sensor = sensorSchema.parse({
  ...{ _id: 'sensor-1', name: 'By the window', area: 'Playroom', kind: 'haris', demo: false },
  ...{ username: 'sensor-1', topic: 'haris/sensor-1', state: 'none' },
  ...{ temperature: nothing, humidity: nothing, mq2: nothing, period: null, periodInForce: 60 },
  refused: { count: 0, lastAt: null, lastReason: null },
  createdAt: '2026-03-18T08:00:00.000Z',
});

async function openSensors() {
  const broker = { broker: null, brokerState: 'ok' as const };
  server.use(handle(sensorRoutes.listSensors, { sensors: [sensor], total: 1, nextCursor: null, ...broker }));
  return renderScreen('/sensors', { as: staff });
}

test('a new sensor', async () => {
  const { user } = await openSensors();
  const { form, isLost } = await reload(
    user,
    async () => {
      await user.click(await screen.findByRole('button', { name: 'Add sensor' }));
      return within(await screen.findByRole('dialog', { name: 'Add a sensor' }));
    },
    async (form) => {
      await user.type(form.getByRole('textbox', { name: /^Name/ }), 'Window sensor');
      await user.click(form.getByRole('radio', { name: 'ESPHome' }));
    },
  );
  expect(isLost).toBe(false);
  expect(form.getByRole('textbox', { name: /^Name/ })).toHaveValue('Window sensor');
  expect(form.getByRole('radio', { name: 'ESPHome' })).toBeChecked();
  await expectAccessible();
});

test('a sensor that is changed', async () => {
  const { user } = await openSensors();
  const period = (form: Form) => form.getByRole('textbox', { name: 'Seconds between two readings' });
  const { form, isLost } = await reload(
    user,
    async () => {
      await user.click(await screen.findByRole('button', { name: 'Actions for By the window' }));
      await user.click(await screen.findByRole('menuitem', { name: 'Rename or move' }));
      return within(await screen.findByRole('dialog', { name: 'Rename or move' }));
    },
    async (form) => {
      await user.type(form.getByRole('textbox', { name: /^Name/ }), ' seat');
      await user.type(period(form), '30');
    },
  );
  expect(isLost).toBe(false);
  expect(form.getByRole('textbox', { name: /^Name/ })).toHaveValue('By the window seat');
  expect(period(form)).toHaveValue('30');
});

test('a role, with its permissions', async () => {
  const cook = { _id: 'cook', name: 'Cook', permissions: ['visitors.view' as const], members: 0 };
  server.use(handle(roleRoutes.listRoles, { roles: [cook] }));
  const { user } = await renderScreen('/roles', { as: staff });
  const { form, isLost } = await reload(
    user,
    async () => {
      await user.click(await screen.findByRole('button', { name: 'Change role Cook' }));
      return within(await screen.findByRole('dialog', { name: 'Change role' }));
    },
    async (form) => {
      await user.type(form.getByRole('textbox', { name: /Name/ }), ' and porter');
      await user.click(form.getByRole('checkbox', { name: 'Sign visitors in and out' }));
    },
  );
  expect(isLost).toBe(false);
  expect(form.getByRole('textbox', { name: /Name/ })).toHaveValue('Cook and porter');
  for (const name of ['See visitors', 'Sign visitors in and out'])
    expect(form.getByRole('checkbox', { name })).toBeChecked();
});

test('the details of a child, in its sheet', async () => {
  serveDesk(family({ name: 'Mona Hassan' }, child({ _id: 'child-omar', name: 'Omar Hassan' })));
  const { user } = await renderScreen('/adminDashboard?child=child-omar', { as: staff });
  const { form, isLost } = await reload(
    user,
    async () => {
      const sheet = within(await screen.findByRole('dialog'));
      await user.click(await sheet.findByRole('button', { name: 'Edit details' }));
      return sheet;
    },
    async (form) => {
      await user.type(form.getByRole('textbox', { name: /^Child's name/ }), ' Ali');
      await user.type(form.getByLabelText('Birth date'), '2022-05-04');
    },
  );
  expect(isLost).toBe(false);
  expect(form.getByRole('textbox', { name: /^Child's name/ })).toHaveValue('Omar Hassan Ali');
  expect(form.getByLabelText('Birth date')).toHaveValue('2022-05-04');
});

test('a question to a guardian: never that this person takes the child home', async () => {
  const omar = child({ _id: 'child-omar', name: 'Omar Hassan' });
  serveDesk(family({ _id: 'parent-mona', name: 'Mona Hassan' }, omar));
  server.use(handle(guardianRoutes.listGuardians, { guardians: [guardian()] }));
  const { user } = await renderScreen('/adminDashboard?child=child-omar', { as: staff });
  const { form, isLost, stored } = await reload(
    user,
    async () => {
      await user.click(await screen.findByRole('button', { name: 'Add a guardian' }));
      return within(await screen.findByRole('dialog', { name: 'Add a guardian' }));
    },
    async (form) => {
      await user.type(form.getByLabelText(/^Full name/), 'Hoda Ali');
      await user.click(form.getByRole('checkbox', { name: 'Takes the child home' }));
      await user.click(form.getByRole('checkbox', { name: 'Names who collects' }));
    },
  );
  expect(isLost).toBe(true);
  expect(stored).not.toContain('mayTake');
  expect(form.getByLabelText(/^Full name/)).toHaveValue('Hoda Ali');
  expect(form.getByRole('checkbox', { name: 'Names who collects' })).toBeChecked();
  expect(form.getByRole('checkbox', { name: 'Takes the child home' })).not.toBeChecked();
});
