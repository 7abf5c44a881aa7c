/** Guardians of a child in its sheet, and the question to become one on a parent's home. The rows are the page's own, not the server's. */
import type { Guardian, GuardianRequest } from '@haris/contract/http/guardians';
import { expect } from '../fixtures.ts';
import { button, dialog, FIRST_SCREEN, go, leave, type Scene, type Stage } from './stage.ts';
import { LONG_NAME } from './world.ts';

const GUARDIANS = '**/api/children/*/guardians';
const REQUESTS = '**/api/parent/guardian-requests';
const DAY_MS = 86_400_000;

const all = { mayLive: true, mayEdit: true, mayCollect: true, mayTake: true };
const some = { mayLive: true, mayEdit: false, mayCollect: false, mayTake: false };
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

const guardians = (): Guardian[] => {
  const common = { isFirst: false, isBlocked: false, askedAt: ago(40), acceptedAt: ago(39) };
  return [
    {
      ...common,
      ...all,
      parentId: 'mona',
      name: 'Mona Hassan',
      email: 'mona@family.test',
      phone: '01012345678',
      isFirst: true,
    },
    { ...common, ...some, parentId: 'long', name: LONG_NAME, email: 'long@family.test', phone: null },
    {
      ...common,
      ...some,
      parentId: 'asked',
      name: null,
      email: 'karim@family.test',
      phone: null,
      acceptedAt: null,
    },
  ];
};

async function close(stage: Stage): Promise<void> {
  for (const path of [GUARDIANS, REQUESTS]) await stage.page.unroute(path);
  await leave(stage);
}

async function openGuardians(stage: Stage): Promise<void> {
  const { t, page, world } = stage;
  await leave(stage);
  await page.route(GUARDIANS, (route) => route.fulfill({ json: { guardians: guardians() } }));
  await go(stage, `/adminDashboard?child=${world.mona.children[0]?._id}`);
  const list = page.getByRole('list', { name: t('guardians:title') });
  await expect(list.getByRole('listitem')).toHaveCount(3, FIRST_SCREEN);
  await list.scrollIntoViewIfNeeded();
}

export const guardianDeskScenes: readonly Scene[] = [
  { name: 'guardians', as: 'staff', open: openGuardians, close },
  {
    name: 'guardian-add',
    as: 'staff',
    async open(stage) {
      await openGuardians(stage);
      const { page, t } = stage;
      await button(page, t('guardians:add')).click();
      await expect(button(dialog(page), t('guardians:form.submit'))).toBeVisible();
    },
    close,
  },
];

export const guardianHomeScenes: readonly Scene[] = [
  {
    name: 'guardian-request',
    as: 'mona',
    async open(stage) {
      const { t, page } = stage;
      const question: GuardianRequest = {
        childId: 'lina',
        childName: 'Lina',
        facility: 'Sunrise Nursery',
        askedAt: ago(1),
        ...some,
      };
      await leave(stage);
      await page.route(REQUESTS, (route) => route.fulfill({ json: { requests: [question] } }));
      await go(stage, '/profile');
      await expect(button(page, t('guardian-request:acceptOf', { child: 'Lina' }))).toBeVisible(FIRST_SCREEN);
    },
    close,
  },
];
