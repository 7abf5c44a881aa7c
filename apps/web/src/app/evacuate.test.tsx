/** The evacuation can be started wherever staff are: on every screen, in a sheet, and in the dialog of a danger. */
import { PERMISSIONS } from '@haris/contract/permissions';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { incident, serveIncidents } from '../features/incidents/testing/incidents.ts';
import { busyHouse, busyIds } from '../testing/busy-house.ts';
import { giveCanvas } from '../testing/canvas.ts';
import { server } from '../testing/contract-server.ts';
import { admin } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { seeEverything } from '../testing/sight.ts';
import { staffScreens } from '../testing/staff-screens.ts';

const staff = { admin: admin() };
const EVACUATE = { name: 'Evacuate' };
const screens = staffScreens().map(({ path }) => path);
const hasSheet = (path: string) => /[?&](child|family)=/.test(path);

beforeEach(() => {
  seeEverything();
  giveCanvas();
  server.use(...busyHouse());
});

test('every screen of staff is looked at', () => {
  expect(screens).toEqual(
    expect.arrayContaining(['/account', '/adminDashboard', '/cameras/wall', '/settings/mail', '/reports']),
  );
  expect(screens.filter(hasSheet).length).toBeGreaterThan(0);
});

describe.each(['desk', 'phone'] as const)('on a %s', (size) => {
  test.each(screens.filter((path) => !hasSheet(path)))('it is on %s, from one place', async (path) => {
    await renderScreen(path, { as: staff, size });
    await screen.findAllByRole('heading', { level: 1 });
    const [button, ...others] = await screen.findAllByRole('button', EVACUATE);
    expect(button).toBeEnabled();
    expect(others).toEqual([]);
  });

  test.each(screens.filter(hasSheet))('it is in the sheet of %s, which covers the others', async (path) => {
    await renderScreen(path, { as: staff, size });
    const sheet = await screen.findByRole('dialog');
    expect(await within(sheet).findByRole('button', EVACUATE)).toBeEnabled();
  });

  test('it is in the dialog of a danger, above a sheet', async () => {
    serveIncidents(incident());
    await renderScreen(`/adminDashboard?child=${busyIds.inside}`, { as: staff, size });
    const danger = await screen.findByRole('dialog', { name: 'Dangers' });
    expect(await within(danger).findByRole('button', EVACUATE)).toBeEnabled();
  });
});

test('staff who may not run an evacuation have it nowhere, in no sheet either', async () => {
  const permissions = PERMISSIONS.filter((one) => one !== 'evacuation.run');
  await renderScreen(`/adminDashboard?child=${busyIds.inside}`, { as: { admin: admin({ permissions }) } });
  await screen.findByRole('dialog');
  expect(screen.queryByRole('button', EVACUATE)).not.toBeInTheDocument();
});
