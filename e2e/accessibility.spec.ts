/**
 * axe on what needs a layout: whether texts stand out from what is behind them, and whether the keyboard reaches what scrolls.
 * On the scenes with the most different colours and layouts. Page tests run the other rules on every screen, dialog and state.
 */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { type Scene, settle, visitorOf } from './catalogue/stage.ts';
import { makeWorld, type World } from './catalogue/world.ts';
import { scenes } from './catalogue.ts';
import { expect, sizes, test } from './fixtures.ts';
import { wordsOf } from './harness/words.ts';

const NAMES = [
  'home',
  'login-refused',
  'dashboard',
  'child-inside',
  'search-found',
  'hand-over',
  'settings-health',
  'import-errors',
  'audit-log',
  'attendance',
  'kiosk-family',
  'desk-work',
  'bookings-home',
  'live-feed-outside',
  'alarms',
  'roll-call',
];

/** Rules whose verdict depends on how long a text is at a width. */
const WIDTH_RULES = ['scrollable-region-focusable'];
const RULES = ['color-contrast', ...WIDTH_RULES];
/** What lies below an open dialog is a scene of its own. */
const DIALOGS = 'dialog[open], [role="dialog"], [role="alertdialog"]';
/** The sizes for each language. Colours are checked at the first: nothing but the layout depends on both at once. */
const LOOKS = { en: ['desk', 'phone'], ar: ['phone', 'desk'] } as const;

let world: World | null = null;

function find(name: string): Scene {
  const scene = scenes.find((one) => one.name === name);
  if (scene === undefined) throw new Error(`no scene ${name}`);
  return scene;
}

async function violationsOf(page: Page, rules: string[]): Promise<unknown[]> {
  await settle(page);
  // The details of passed rules cost more than finding them. First of all, because it forgets what was chosen before.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .withRules(rules);
  if ((await page.locator(DIALOGS).count()) > 0) axe.include(DIALOGS);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html.slice(0, 200)) }));
}

// One test per scene and language: a failure names its scene, and keeps no other from being checked.
for (const scene of NAMES.map(find))
  for (const language of ['en', 'ar'] as const)
    test(`${scene.name} in ${language}`, async ({ api, server, camera, mailTo, visit }) => {
      world ??= await makeWorld({ api, server, camera, mailTo });
      const [first, second] = LOOKS[language];
      const { page, trap } = await visit({
        ...visitorOf(scene, world),
        size: first,
        language,
        reducedMotion: 'reduce',
      });
      const stage = { page, trap, t: wordsOf(language), language, world };
      await scene.open(stage);
      expect.soft(await violationsOf(page, RULES), `at ${sizes[first].width} px`).toEqual([]);
      await page.setViewportSize(sizes[second]);
      expect.soft(await violationsOf(page, WIDTH_RULES), `at ${sizes[second].width} px`).toEqual([]);
      await scene.close?.(stage);
    });
