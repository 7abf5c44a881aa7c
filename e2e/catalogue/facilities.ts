/** Several facilities: their screen, and the chooser of the frame. The second facility is made up. */
import { PERMISSIONS } from '@haris/contract/permissions';
import { expect } from '../fixtures.ts';
import { change } from './second-factor.ts';
import { button, dialog, go, leave, openDashboard, type Scene, type Stage } from './stage.ts';

const FACILITIES = [
  { _id: 'main', name: 'Little Stars' },
  { _id: 'moon', name: 'حضانة القمر الصغير' },
];

/** From the next page on the staff member works at the first of two facilities. */
async function serveTwo({ page }: Stage): Promise<void> {
  await page.goto('about:blank');
  const work = { facilityId: 'main', facilities: FACILITIES, everywhere: PERMISSIONS };
  await page.route('**/api/admin/info', (route) => change(route, 'admin', { work }));
  await page.route('**/api/facilities', (route) =>
    route.fulfill({ json: { facilities: FACILITIES, current: 'main' } }),
  );
}

async function endTwo(stage: Stage): Promise<void> {
  await stage.page.unroute('**/api/admin/info');
  await stage.page.unroute('**/api/facilities');
  await leave(stage);
}

async function openChooser({ page, t }: Stage): Promise<void> {
  await button(page, t('frame:facility.choose', { name: 'Little Stars' })).click();
  await expect(page.getByRole('menuitemradio', { name: 'حضانة القمر الصغير' })).toBeVisible();
}

export const facilityScenes: readonly Scene[] = [
  {
    name: 'facilities',
    as: 'staff',
    async open(stage) {
      await serveTwo(stage);
      await go(stage, '/facilities');
      await expect(stage.page.getByText(stage.t('facilities:here'))).toBeVisible();
    },
    close: endTwo,
  },
  {
    name: 'add-facility',
    as: 'staff',
    async open(stage) {
      await go(stage, '/facilities');
      await button(stage.page, stage.t('facilities:add')).click();
      await expect(dialog(stage.page).getByText(stage.t('facilities:dialog.hint'))).toBeVisible();
    },
  },
  {
    name: 'facility-chooser',
    as: 'staff',
    only: 'desk',
    async open(stage) {
      await serveTwo(stage);
      await openDashboard(stage);
      await openChooser(stage);
    },
    close: endTwo,
  },
  {
    name: 'facility-chooser-menu',
    as: 'staff',
    only: 'phone',
    async open(stage) {
      await serveTwo(stage);
      await openDashboard(stage);
      await button(stage.page, stage.t('frame:bar.more')).click();
      await openChooser(stage);
    },
    close: endTwo,
  },
];
