/** What desk tablets told later that does not fit. The conflicts are the page's own: no tablet of the scenes has lost its connection. */
import type { DeskConflict } from '@haris/contract/http/desk-conflicts';
import { expect } from '../fixtures.ts';
import { button, dialog, FIRST_SCREEN, go, leave, openDashboard, type Scene, type Stage } from './stage.ts';
import { LONG_NAME } from './world.ts';

const MINUTE_MS = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString();

const nadia = { _id: 'nadia', name: 'Nadia Farouk' };
const DESK = 'مكتب المدخل';
const NOTE = 'Omar is asleep.';

/** Of a child who was seen later, of one with two adults, of an unknown one, and of a release that would be refused now. */
function conflicts(): DeskConflict[] {
  const desk: DeskConflict['desk'] = {
    kind: 'check_out',
    tablet: { _id: 'desk-2', name: DESK },
    at: ago(95),
    claimedAt: null,
    isUnsure: false,
    receivedAt: ago(12),
    by: nadia,
    adult: { _id: 'mona', kind: 'guardian', name: 'Mona Hassan' },
    proof: 'slip',
  };
  const stay: NonNullable<DeskConflict['stay']> = {
    entryTime: ago(240),
    exitTime: null,
    isVoid: false,
    checkedInBy: nadia,
    checkedOutBy: null,
    room: 'Butterflies',
    adult: null,
    proof: null,
  };
  const left: DeskConflict['stay'] = {
    ...stay,
    exitTime: ago(80),
    checkedOutBy: nadia,
    adult: { _id: 'samia', kind: 'collector', name: 'سامية حسن' },
    proof: 'pass',
  };
  const omar: DeskConflict = {
    _id: 'omar',
    revision: 'revision-1',
    reason: 'seen_later',
    child: { _id: 'omar', name: 'Omar Hassan' },
    desk,
    stay,
    canTake: true,
    settled: null,
  };
  return [
    omar,
    {
      ...omar,
      _id: 'long',
      reason: 'other_adult',
      child: { _id: 'long', name: LONG_NAME },
      desk: { ...desk, isUnsure: true, proof: 'known' },
      stay: left,
    },
    {
      ...omar,
      _id: 'unknown',
      reason: 'unknown_child',
      child: { _id: 'gone', name: null },
      desk: { ...desk, kind: 'check_in', adult: null, proof: null, claimedAt: ago(9_000) },
      stay: null,
      canTake: false,
    },
    {
      ...omar,
      _id: 'yusuf',
      reason: 'release_refused',
      refusal: 'wrong_pickup_proof',
      child: { _id: 'yusuf', name: 'يوسف أحمد' },
      stay: left,
      canTake: false,
    },
  ];
}

/** The first two, one kept and one taken. */
function settled(): DeskConflict[] {
  const by = { at: ago(5), by: nadia };
  return conflicts()
    .slice(0, 2)
    .map((conflict, index) => ({
      ...conflict,
      settled:
        index === 0
          ? { ...by, choice: 'keep' as const, note: NOTE }
          : { ...by, choice: 'take' as const, note: null },
    }));
}

const LIST = '**/api/desk-conflicts?*';
const INCIDENTS = '**/api/incidents?*';

async function serve({ page }: Stage): Promise<void> {
  await page.route(LIST, (route) => {
    const isSettled = route.request().url().includes('state=settled');
    const listed = isSettled ? settled() : conflicts();
    return route.fulfill({ json: { conflicts: listed, total: listed.length, nextCursor: null } });
  });
}

async function close(stage: Stage): Promise<void> {
  for (const path of [LIST, INCIDENTS]) await stage.page.unroute(path);
  await leave(stage);
}

async function openList(stage: Stage): Promise<void> {
  await leave(stage);
  await serve(stage);
  await go(stage, '/deskConflicts');
  await expect(stage.page.getByRole('heading', { level: 2, name: 'Omar Hassan' })).toBeVisible(FIRST_SCREEN);
}

/** A danger of which the guardians must be called. */
function doubtful() {
  const incident = {
    ...{ _id: 'doubtful', kind: 'doubtful_release', severity: 'safety' },
    ...{ area: null, value: null, limit: null, subjects: [], lastPlace: null },
    subject: { kind: 'child', _id: 'omar', name: 'Omar Hassan' },
    ...{ raisedAt: ago(1), clearedAt: null, acknowledgedAt: null, acknowledgedBy: null },
    timeline: [{ at: ago(1), what: 'raised', by: nadia, step: null, value: null, note: null }],
  };
  return { incidents: [incident], total: 1, nextCursor: null };
}

export const deskConflictScenes: readonly Scene[] = [
  { name: 'desk-conflicts', as: 'staff', open: openList, close },
  {
    name: 'desk-conflicts-nothing',
    as: 'staff',
    async open(stage) {
      await go(stage, '/deskConflicts');
      await expect(stage.page.getByText(stage.t('desk-conflicts:empty.open'))).toBeVisible();
    },
  },
  {
    name: 'desk-conflicts-settled',
    as: 'staff',
    async open(stage) {
      await openList(stage);
      const { page, t } = stage;
      await page.getByText(t('desk-conflicts:states.settled'), { exact: true }).click();
      await expect(page.getByText(NOTE)).toBeVisible();
    },
    close,
  },
  {
    name: 'desk-conflict-take',
    as: 'staff',
    async open(stage) {
      await openList(stage);
      const { page, t } = stage;
      await button(page, t('desk-conflicts:takeOf', { desk: DESK, name: LONG_NAME })).click();
      await expect(dialog(page).getByText(t('desk-conflicts:confirm.former'))).toBeVisible();
    },
    close,
  },
  {
    name: 'desk-conflicts-chosen',
    as: 'staff',
    async open(stage) {
      await openList(stage);
      const { page, t } = stage;
      for (const name of ['Omar Hassan', 'يوسف أحمد'])
        await page.getByRole('checkbox', { name: t('desk-conflicts:choose', { name }), exact: true }).click();
      await button(page, t('desk-conflicts:keep')).click();
      await expect(dialog(page).getByText(t('desk-conflicts:confirm.manyText'))).toBeVisible();
    },
    close,
  },
  {
    name: 'dashboard-desk-conflicts',
    as: 'staff',
    async open(stage) {
      await leave(stage);
      await serve(stage);
      await openDashboard(stage);
      const figure = stage.page.getByRole('button', { name: stage.t('dashboard:glance.deskConflicts') });
      await expect(figure).toBeVisible();
    },
    close,
  },
  {
    name: 'danger-doubtful-release',
    as: 'staff',
    async open(stage) {
      const { page, t } = stage;
      await leave(stage);
      await page.route(INCIDENTS, (route) => route.fulfill({ json: doubtful() }));
      // The dialog covers the title of the screen.
      await page.goto('/deskConflicts');
      const danger = page.getByRole('alertdialog');
      await expect(danger.getByText(t('emergency:doubtful.todo'))).toBeVisible(FIRST_SCREEN);
    },
    close,
  },
];
