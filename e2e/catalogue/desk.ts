/** The dashboard of staff, the sheets over it, the search over everything and the list of keys. */
import type { Child } from '@haris/contract/objects';
import { expect } from '../fixtures.ts';
import { bookingDeskScenes } from './bookings.ts';
import { careLogDeskScenes } from './care-log.ts';
import { button, dialog, go, openDashboard, type Scene, type Stage } from './stage.ts';

/** Opens the search over everything by its button in the header. */
async function openSearch(stage: Stage): Promise<void> {
  await openDashboard(stage);
  await button(stage.page, stage.t('frame:search')).click();
  await expect(stage.page.getByRole('combobox', { name: stage.t('search:title') })).toBeFocused();
}

/** Opens the sheet of the first child that is inside, or outside. */
async function openChildSheet(stage: Stage, isInside: boolean): Promise<void> {
  const { token } = await stage.world.api.administrator();
  const { children } = await stage.world.api.call<{ children: Child[] }>(
    `/api/children/get-all-children?inside=${isInside}`,
    { token },
  );
  await go(stage, `/adminDashboard?child=${children[0]?._id}`);
  const sheet = dialog(stage.page);
  await expect(sheet.getByRole('heading', { level: 2 }).last()).toBeVisible();
  await expect(sheet.getByRole('region', { name: stage.t('child:history.title') })).toBeVisible();
}

export const deskScenes: readonly Scene[] = [
  { name: 'dashboard', as: 'staff', open: openDashboard },
  {
    name: 'child-inside',
    as: 'staff',
    async open(stage) {
      await openChildSheet(stage, true);
    },
  },
  {
    name: 'child-outside',
    as: 'staff',
    async open(stage) {
      await openChildSheet(stage, false);
    },
  },
  {
    name: 'family',
    as: 'staff',
    async open(stage) {
      await go(stage, `/adminDashboard?family=${stage.world.newcomer.id}`);
      await expect(dialog(stage.page).getByRole('heading', { level: 2 }).last()).toBeVisible();
    },
  },
  {
    name: 'family-with-children',
    as: 'staff',
    async open(stage) {
      await go(stage, `/adminDashboard?family=${stage.world.mona.id}`);
      await expect(dialog(stage.page).getByText('Layla Hassan')).toBeVisible();
    },
  },
  {
    name: 'dashboard-alerts',
    as: 'staff',
    async open(stage) {
      const { page, t } = stage;
      await openDashboard(stage);
      // Two children are over their time.
      const line = page.getByRole('status', { name: t('incidents:quiet.label') });
      await expect(line.getByRole('link', { name: t('incidents:quiet.show') })).toBeVisible({
        timeout: 60_000,
      });
    },
  },
  {
    name: 'dashboard-folded',
    as: 'staff',
    only: 'desk',
    async open(stage) {
      await openDashboard(stage);
      await button(stage.page, stage.t('frame:rail.collapse')).click();
      await expect(button(stage.page, stage.t('frame:rail.expand'))).toBeVisible();
    },
    async close(stage) {
      await button(stage.page, stage.t('frame:rail.expand')).click();
    },
  },
  {
    name: 'dashboard-menu',
    as: 'staff',
    only: 'phone',
    async open(stage) {
      await openDashboard(stage);
      await button(stage.page, stage.t('frame:bar.more')).click();
      await expect(dialog(stage.page).getByText(stage.t('frame:entry.logout'))).toBeVisible();
    },
  },
  {
    name: 'dashboard-nobody-found',
    as: 'staff',
    async open(stage) {
      await openDashboard(stage);
      await stage.page.getByLabel(stage.t('dashboard:families.search')).fill('zzz');
      await expect(stage.page.getByText(stage.t('dashboard:families.noResultsHint'))).toBeVisible();
    },
  },
  {
    name: 'search',
    as: 'staff',
    async open(stage) {
      await openSearch(stage);
    },
  },
  {
    name: 'search-found',
    as: 'staff',
    async open(stage) {
      await openSearch(stage);
      await stage.page.getByRole('combobox', { name: stage.t('search:title') }).fill('ha');
      await expect(stage.page.getByRole('option', { name: /Layla Hassan/ }).first()).toBeVisible();
    },
  },
  {
    name: 'search-nothing',
    as: 'staff',
    async open(stage) {
      await openSearch(stage);
      await stage.page.getByRole('combobox', { name: stage.t('search:title') }).fill('zzzz');
      await expect(stage.page.getByText(stage.t('search:nothing', { search: 'zzzz' }))).toBeVisible();
    },
  },
  {
    name: 'keys',
    as: 'staff',
    async open(stage) {
      await openSearch(stage);
      await stage.page.getByRole('option', { name: stage.t('keys:showKeys') }).click();
      await expect(dialog(stage.page).getByRole('switch')).toBeVisible();
    },
  },
  ...bookingDeskScenes,
  ...careLogDeskScenes,
];
