/** The hand-over at the desk and what families do for it. The adults are the page's own, not the server's. */
import type { BarredAdult, ListedForBar } from '@haris/contract/http/barred';
import type { Collector } from '@haris/contract/http/collectors';
import type { HandOver, HandOverChoice, Release } from '@haris/contract/http/hand-over';
import { expect } from '../fixtures.ts';
import { insideRow } from '../harness/person.ts';
import { button, dialog, FIRST_SCREEN, go, leave, openDashboard, type Scene, type Stage } from './stage.ts';
import { LONG_NAME } from './world.ts';

const DAY_MS = 86_400_000;
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const choices: readonly HandOverChoice[] = [
  {
    _id: 'mona',
    kind: 'guardian',
    name: 'Mona Hassan',
    relation: null,
    phone: '01012345678',
    photo: null,
    isToday: true,
    isConfirmed: true,
    version: '1',
    doubts: [],
  },
  {
    _id: 'samia',
    kind: 'collector',
    name: 'سامية حسن',
    relation: 'Grandmother',
    phone: '01001234567',
    photo: null,
    isToday: true,
    isConfirmed: false,
    version: '1',
    doubts: [],
  },
  {
    _id: 'long',
    kind: 'collector',
    name: LONG_NAME,
    relation: 'Driver of the second shift',
    phone: null,
    photo: null,
    isToday: false,
    isConfirmed: true,
    version: '1',
    doubts: [],
  },
];

const handOver: HandOver = {
  mode: 'record',
  mustName: true,
  mustProve: true,
  hasBarred: true,
  staffProofs: ['second'],
  namesakes: [{ _id: 'other', name: 'عمر عبد الله', photo: null }],
  adults: [...choices],
  notTaking: [{ _id: 'tarek', name: 'Tarek Hassan', photo: null }],
  colleagues: [{ _id: 'nadia', name: 'Nadia Farouk' }],
};

function collectorsOf(childId: string): Collector[] {
  const always = { photo: null, from: null, until: null, weekdays: [], childId, passDay: null };
  return [
    {
      ...{ ...always, _id: 'samia', name: 'سامية حسن', relation: 'Grandmother', phone: '01001234567' },
      ...{ isConfirmed: true, document: { kind: 'national_id', last: '0035' }, passDay: dayIn(0) },
    },
    {
      ...{ ...always, _id: 'long', name: LONG_NAME, relation: 'Driver of the second shift', phone: null },
      ...{ isConfirmed: false, weekdays: [0, 2, 4], from: dayIn(-30), until: dayIn(60) },
    },
  ];
}

const BARRED_PHOTO = '/api/photos/of-karim';
/** A face without features: the server has none of this adult. */
const FACE = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="640"><rect width="480" height="640" fill="#9bb0bf"/>
<circle cx="240" cy="250" r="120" fill="#c9976f"/><path d="M40 640a200 200 0 0 1 400 0z" fill="#3d4f5c"/></svg>`;

function barredOf(childId: string): BarredAdult[] {
  const createdAt = new Date(Date.now() - 40 * DAY_MS).toISOString();
  const [note, documentDate] = ['Court order of the family court. Drives a white van.', dayIn(-45)];
  return [
    {
      _id: 'karim',
      childId,
      name: 'Karim Hassan',
      phone: '01055555555',
      note,
      documentDate,
      photo: BARRED_PHOTO,
      adultId: null,
      createdAt,
    },
    {
      _id: 'samia',
      childId,
      name: 'سامية حسن',
      phone: null,
      note: '',
      documentDate: null,
      photo: null,
      adultId: null,
      createdAt,
    },
  ];
}

/** One of them sounds like a barred adult, so that the owner can note a namesake. */
const listedForBar: ListedForBar[] = [
  { _id: 'samia', name: 'سامية حسن', phone: '01001234567', photo: null, version: 'v1' },
];

function releases(childId: string): Release[] {
  const child = { _id: childId, name: 'Omar Hassan' };
  const common = { child, releasedBy: 'Nadia Farouk', secondBy: null, isUnexpected: false } as const;
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const adult = { kind: 'collector', name: 'سامية حسن', relation: 'Grandmother' } as const;
  return [
    { ...common, stayId: 'a', at: ago(1), adult, proof: 'pass' },
    { ...common, stayId: 'b', at: ago(5), adult: null, proof: null, isUnexpected: true },
  ];
}

const HAND_OVER = '**/api/children/*/hand-over';
const CHECK_OUT = '**/api/children/checkout-child/*';
const COLLECTORS = '**/api/children/*/collectors';
const PASS_OF = '**/api/collectors/*/pass';
const BARRED = '**/api/children/*/barred';
const PHOTO = `**${BARRED_PHOTO}`;
const RELEASES = '**/api/account/releases';
const PASS = '**/api/pass';

/** Gives the page this body for a read of the path. */
const serve = ({ page }: Stage, path: string, json: object) =>
  page.route(path, (route) => route.fulfill({ json }));

/** Gives the page the barred adults of a child, one of them with a photo. */
async function serveBarred(stage: Stage, childId: string): Promise<void> {
  await serve(stage, BARRED, { barred: barredOf(childId), adults: listedForBar });
  await stage.page.route(PHOTO, (route) => route.fulfill({ contentType: 'image/svg+xml', body: FACE }));
}

async function close(stage: Stage): Promise<void> {
  for (const path of [HAND_OVER, CHECK_OUT, COLLECTORS, PASS_OF, BARRED, PHOTO, RELEASES, PASS])
    await stage.page.unroute(path);
  await leave(stage);
}

async function openHandOver(stage: Stage): Promise<void> {
  const { page, t, trap } = stage;
  await leave(stage);
  await serve(stage, HAND_OVER, handOver);
  const json = { message: 'Please say who takes the child.', code: 'collector_required' };
  await page.route(CHECK_OUT, (route) => route.fulfill({ status: 409, json }));
  trap.expectHttp(409, /\/checkout-child\//);
  await openDashboard(stage);
  await insideRow(page, 'Omar Hassan', t)
    .getByRole('button', { name: t('dashboard:inside.checkout') })
    .click();
  await expect(dialog(page).getByRole('button', { name: 'Mona Hassan' })).toBeVisible(FIRST_SCREEN);
}

/** Opens the sheet of a child with barred adults. */
async function openBarred(stage: Stage): Promise<void> {
  const { t, page, world } = stage;
  const id = String(world.mona.children[0]?._id);
  await leave(stage);
  await serve(stage, COLLECTORS, { collectors: collectorsOf(id) });
  await serveBarred(stage, id);
  await go(stage, `/adminDashboard?child=${id}`);
  await expect(page.getByRole('list', { name: t('barred:title') }).getByRole('listitem')).toHaveCount(
    2,
    FIRST_SCREEN,
  );
  await page.getByRole('list', { name: t('barred:title') }).scrollIntoViewIfNeeded();
}

/** Opens a parent's home with collectors and pick-ups. */
async function openHome(stage: Stage): Promise<void> {
  const { t, page, world } = stage;
  const id = String(world.mona.children[0]?._id);
  await leave(stage);
  await serve(stage, COLLECTORS, { collectors: collectorsOf(id) });
  await serve(stage, RELEASES, { releases: releases(id) });
  await serve(stage, PASS_OF, { token: 'p'.repeat(43), day: dayIn(0) });
  await go(stage, '/profile');
  await expect(page.getByRole('region', { name: t('collectors:release.title') })).toBeVisible(FIRST_SCREEN);
  await expect(page.getByText(LONG_NAME).first()).toBeVisible(FIRST_SCREEN);
}

export const handOverDeskScenes: readonly Scene[] = [
  { name: 'hand-over', as: 'staff', open: openHandOver, close },
  {
    name: 'hand-over-proof',
    as: 'staff',
    async open(stage) {
      await openHandOver(stage);
      const { page, t } = stage;
      await dialog(page).getByRole('button', { name: 'سامية حسن' }).click();
      await button(dialog(page), t('hand-over:second')).click();
      await expect(dialog(page).getByRole('combobox', { name: t('hand-over:colleague') })).toBeVisible();
    },
    close,
  },
  {
    name: 'hand-over-barred',
    as: 'staff',
    async open(stage) {
      await openHandOver(stage);
      const { page, t, world } = stage;
      await serveBarred(stage, String(world.mona.children[0]?._id));
      await button(dialog(page), t('emergency:barred.show')).click();
      await expect(dialog(page).locator('img[alt="Karim Hassan"]')).toBeVisible();
    },
    close,
  },
  { name: 'barred', as: 'staff', open: openBarred, close },
  {
    name: 'barred-photo',
    as: 'staff',
    async open(stage) {
      await openBarred(stage);
      const { page, t } = stage;
      await button(page, t('barred:photo.changeOf', { name: 'Karim Hassan' })).click();
      await expect(dialog(page).getByText(t('barred:photo.hint'))).toBeVisible();
    },
    close,
  },
  {
    name: 'barred-add',
    as: 'staff',
    async open(stage) {
      await openBarred(stage);
      const { page, t } = stage;
      await button(page, `${t('barred:add')}: ${t('barred:title')}`).click();
      await expect(button(page, t('barred:form.submit'))).toBeVisible();
    },
    close,
  },
];

export const handOverHomeScenes: readonly Scene[] = [
  { name: 'pick-up-home', as: 'mona', open: openHome, close },
  {
    name: 'pick-up-collector',
    as: 'mona',
    async open(stage) {
      await openHome(stage);
      const { page, t } = stage;
      await button(page, t('collectors:addOf', { name: 'Omar Hassan' })).click();
      await dialog(page).getByText(t('collectors:form.some'), { exact: true }).click();
      await expect(dialog(page).getByLabel(t('collectors:form.from'))).toBeVisible();
    },
    close,
  },
  {
    name: 'pick-up-pass',
    as: 'mona',
    async open(stage) {
      await openHome(stage);
      const { page, t } = stage;
      await button(page, t('collectors:pass.againOf', { name: 'سامية حسن' }))
        .first()
        .click();
      await button(dialog(page), t('collectors:pass.create')).click();
      await expect(dialog(page).getByRole('img', { name: t('collectors:pass.qr') })).toBeVisible();
    },
    close,
  },
];

/** The pass on a phone without an account. */
export const passScenes: readonly Scene[] = (['valid', 'used'] as const).map((state) => ({
  name: `pass-${state}`,
  as: 'visitor',
  async open(stage) {
    await leave(stage);
    const pass = {
      childFirstName: 'Omar',
      collector: LONG_NAME,
      day: dayIn(0),
      facility: 'Sunrise Nursery',
      state,
    };
    await serve(stage, PASS, pass);
    await go(stage, `/pass#${'p'.repeat(43)}`);
    await expect(stage.page.getByText(stage.t(`pass:state.${state}`))).toBeVisible(FIRST_SCREEN);
  },
  close,
}));
