/** The care log, in the child's sheet and on the parent's home. The entries are the page's own, not the server's. */
import { expect } from '../fixtures.ts';
import { button, dialog, go, leave, type Scene, type Stage } from './stage.ts';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const today = () => minutesAgo(0).slice(0, 10);

const ACCIDENT = {
  kind: 'accident',
  what: 'Stumbled over a building block and fell on the carpet.',
  where: 'Left knee',
  firstAid: 'Cleaned, cold pack for five minutes, plaster',
  seenBy: '',
};

const entries = (childId: string) =>
  [
    { entry: { kind: 'sleep_start', everyMinutes: 10 } },
    { entry: ACCIDENT, asksSignature: true },
    {
      entry: { kind: 'medicine', name: 'Cetirizine', dose: '5 ml', givenBy: '', witnessedBy: 'Hoda' },
      asksSignature: true,
      acknowledged: {
        at: minutesAgo(5),
        signature: { kind: 'drawn', path: 'M60 120 L120 60 L180 140 L260 70 L340 130 L520 90' },
      },
    },
    { entry: { kind: 'nappy', nappy: 'soiled', note: '' }, corrects: '4' },
    { entry: { kind: 'nappy', nappy: 'wet', note: '' }, correctedBy: '3' },
    { entry: { kind: 'meal', eaten: 'some', note: 'Lentil soup' } },
    { entry: { kind: 'withdrawn', reason: 'Another child' }, recordedBy: null },
    { entry: null },
  ].map((one, index) => ({
    ...{ _id: String(index), childId, facility: null, day: today(), at: minutesAgo(10 * index + 2) },
    ...{ recordedAt: minutesAgo(index), recordedBy: 'Nadia Farouk', corrects: null, correctedBy: null },
    ...{ asksSignature: false, acknowledged: null },
    ...one,
  }));

const LOG = '**/api/children/*/care-log?*';
const MEDICINES = '**/api/children/*/care-log/medicines';
const TO_SIGN = '**/api/care-log/to-sign';

async function serve({ page }: Stage, childId: string): Promise<void> {
  const asleep = { since: minutesAgo(2), checkedAt: minutesAgo(2), everyMinutes: 10, dueAt: minutesAgo(-8) };
  const log = {
    entries: entries(childId),
    nextCursor: null,
    today: today(),
    timeZone: 'Africa/Cairo',
    asleep,
  };
  await page.route(LOG, (route) => route.fulfill({ json: log }));
  const medicines = [{ name: 'Cetirizine', dose: '5 ml', when: 'after lunch' }];
  await page.route(MEDICINES, (route) => route.fulfill({ json: { medicines } }));
  await page.route(TO_SIGN, (route) => route.fulfill({ json: { waiting: [{ childId, count: 2 }] } }));
}

async function close(stage: Stage): Promise<void> {
  for (const path of [LOG, MEDICINES, TO_SIGN]) await stage.page.unroute(path);
  await leave(stage);
}

/** Opens the sheet of a child at its care log. */
async function openPart(stage: Stage): Promise<void> {
  const { page, t, world } = stage;
  await leave(stage);
  const id = String(world.mona.children[0]?._id);
  await serve(stage, id);
  await go(stage, `/adminDashboard?child=${id}`);
  await expect(page.getByRole('list', { name: t('care-log:today') })).toBeVisible();
}

async function openHome(stage: Stage): Promise<void> {
  const { page, t, world } = stage;
  await leave(stage);
  await serve(stage, String(world.mona.children[0]?._id));
  await go(stage, '/profile');
  await page.getByRole('button', { name: t('care-log:sign.readOf', { name: 'Omar Hassan' }) }).click();
  await expect(dialog(page).getByRole('list')).toBeVisible();
}

export const careLogDeskScenes: readonly Scene[] = [
  { name: 'care-log-sheet', as: 'staff', open: openPart, close },
  {
    name: 'care-log-accident',
    as: 'staff',
    async open(stage) {
      await openPart(stage);
      await button(stage.page, stage.t('care-log:kind.accident')).click();
      await expect(button(stage.page, stage.t('care-log:dialog.save'))).toBeVisible();
    },
    close,
  },
  {
    name: 'care-log-medicine',
    as: 'staff',
    async open(stage) {
      await openPart(stage);
      await button(stage.page, stage.t('care-log:kind.medicine')).click();
      await expect(stage.page.getByText('Cetirizine · 5 ml · after lunch')).toBeVisible();
    },
    close,
  },
  {
    name: 'care-log-correction',
    as: 'staff',
    async open(stage) {
      await openPart(stage);
      await stage.page.getByText(stage.t('care-log:correct'), { exact: true }).nth(1).click();
      await expect(button(stage.page, stage.t('care-log:dialog.save'))).toBeVisible();
    },
    close,
  },
  {
    name: 'care-log-days',
    as: 'staff',
    async open(stage) {
      await openPart(stage);
      await stage.page.getByText(stage.t('care-log:all'), { exact: true }).click();
      await expect(stage.page.getByText(stage.t('care-log:print'), { exact: true })).toBeVisible();
    },
    close,
  },
];

export const careLogHomeScenes: readonly Scene[] = [
  {
    name: 'care-log-home',
    as: 'mona',
    async open(stage) {
      await openHome(stage);
      await stage.page.keyboard.press('Escape');
      await expect(dialog(stage.page)).toBeHidden();
    },
    close,
  },
  {
    name: 'care-log-sign',
    as: 'mona',
    async open(stage) {
      await openHome(stage);
      await stage.page.getByText(stage.t('care-log:sign.open'), { exact: true }).click();
      await expect(button(stage.page, stage.t('care-log:sign.submit'))).toBeVisible();
    },
    close,
  },
];
