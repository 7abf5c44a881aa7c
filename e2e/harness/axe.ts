/** Accessibility check of scenes: runs axe on each in both languages and at both sizes. Knows no screen. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { type Scene, type Stage, settle, visitorOf } from '../catalogue/stage.ts';
import { makeWorld } from '../catalogue/world.ts';
import { expect, sizes, test, type Visitor } from '../fixtures.ts';
import { type Language, wordsOf } from './words.ts';

const SEVERE = ['moderate', 'serious', 'critical'];
/** Rules whose violations are minor at most: their findings would be dropped. */
const MINOR_RULES = [
  'aria-allowed-role',
  'aria-deprecated-role',
  'empty-heading',
  'empty-table-header',
  'image-redundant-alt',
  'meta-viewport-large',
  'presentation-role-conflict',
  'server-side-image-map',
  'table-duplicate-name',
];
const DIALOGS = 'dialog[open], [role="dialog"], [role="alertdialog"]';
type Size = 'desk' | 'phone';
const otherLanguage = { en: 'ar', ar: 'en' } as const;

/** Rules whose verdict depends on how long a text is at a width. */
const LAYOUT_RULES = ['scrollable-region-focusable'];

/**
 * How much of a page is looked at. `dialogs` leaves out the screen below open dialogs, which the first look at the scene and
 * the screen's own scene check. `layout` is for a language and a size that were each looked at before, but not together.
 */
type Part = 'all' | 'dialogs' | 'layout';

/** Severe violations in the current state of the page. */
async function violationsOf(page: Page, part: Part): Promise<unknown[]> {
  await settle(page);
  // A page keeps axe until it is reloaded; injecting its half megabyte again costs more than the check itself.
  const isThere = await page.evaluate(`'axe' in window`);
  // The details of passed rules cost more than finding them. First of all, because it forgets what was chosen before.
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: 'undefined' } : {}) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] });
  if (part !== 'all' && (await page.locator(DIALOGS).count()) > 0) axe.include(DIALOGS);
  if (part === 'layout') axe.withRules(LAYOUT_RULES);
  else axe.disableRules(MINOR_RULES);
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => SEVERE.includes(impact ?? ''))
    .map(({ id, impact, nodes }) => ({ id, impact, at: nodes.map(({ html }) => html.slice(0, 200)) }));
}

/**
 * Presses the language switch of the header. A dialog may cover it, so the click goes directly to the button. Waits
 * for the server, because the next page of the account would otherwise open in the old language.
 */
async function switchLanguage(page: Page, hasAccount: boolean, language: Language): Promise<void> {
  const isKept = hasAccount
    ? page.waitForResponse((response) => new URL(response.url()).pathname === '/api/language')
    : null;
  await page.locator(`header button[lang="${language}"]`).dispatchEvent('click');
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await isKept;
}

/**
 * Declares the test of a spec file: the scenes share one server and run in this order. Each scene is opened once; the
 * page is then resized and switched to the other language in place, since opening it again takes three times as long.
 * The next scene of the same person starts in the language of the last one. All rules are checked on a desk in one language and
 * on a phone in the other: nothing but the layout depends on both at once.
 */
export function testAccessibility(title: string, scenes: readonly Scene[]): void {
  test(`nothing moderate, serious or critical: ${title}`, async ({ api, server, camera, mailTo, visit }) => {
    test.setTimeout(900_000);
    const world = await makeWorld({ api, server, camera, mailTo });
    const visitors = new Map<string, Visitor>();
    /** Language by person: all browsers of an account share it. */
    const languages = new Map<string, Language>();

    /** One browser per kind of person: opening one takes longer than a screen. */
    async function visitorFor(scene: Scene, language: Language): Promise<Visitor> {
      const key = `${scene.as} ${scene.camera}`;
      const visitor = visitors.get(key) ?? (await newVisitor(scene, language));
      visitors.set(key, visitor);
      return visitor;
    }

    function newVisitor(scene: Scene, language: Language): Promise<Visitor> {
      return visit({ ...visitorOf(scene, world), language, reducedMotion: 'reduce', worker: 'allowed' });
    }

    async function checkAt(size: Size, part: Part, scene: Scene, { page, language }: Stage): Promise<void> {
      await page.setViewportSize(sizes[size]);
      const where = `${scene.name} in ${language} at ${sizes[size].width} px`;
      expect.soft(await violationsOf(page, part), where).toEqual([]);
    }

    async function check(scene: Scene): Promise<void> {
      const person = scene.as === 'visitor' ? `${scene.as} ${scene.camera}` : scene.as;
      const language = languages.get(person) ?? 'en';
      const { page, trap } = await visitorFor(scene, language);
      const stage = { page, trap, t: wordsOf(language), language, world };
      await page.setViewportSize(sizes[scene.only ?? 'desk']);
      await scene.open(stage);
      await checkAt(scene.only ?? 'desk', 'all', scene, stage);
      if (!scene.only) await checkAt('phone', 'layout', scene, stage);
      const other = otherLanguage[language];
      await switchLanguage(page, scene.as !== 'visitor', other);
      languages.set(person, other);
      const switched = { ...stage, t: wordsOf(other), language: other };
      await checkAt(scene.only ?? 'phone', 'dialogs', scene, switched);
      if (!scene.only) await checkAt('desk', 'layout', scene, switched);
      await scene.close?.(switched);
    }

    /** Uses one browser per language: texts cannot be fetched offline, and a bare page has no switch. */
    async function checkAnew(scene: Scene): Promise<void> {
      for (const language of ['en', 'ar'] as const) {
        if (scene.as !== 'visitor') {
          const { token } = world[scene.as];
          await api.call('/api/language', { method: 'PUT', token, json: { language } });
          languages.set(scene.as, language);
        }
        const { page, trap } = await newVisitor(scene, language);
        const stage = { page, trap, t: wordsOf(language), language, world };
        await scene.open(stage);
        const [first, second]: readonly [Size, Size] =
          language === 'en' ? ['desk', 'phone'] : ['phone', 'desk'];
        await checkAt(first, 'all', scene, stage);
        await checkAt(second, 'layout', scene, stage);
        await scene.close?.(stage);
        await page.close();
      }
    }

    for (const scene of scenes)
      await test.step(scene.name, async () => {
        try {
          await (scene.isOffline || scene.isBare ? checkAnew(scene) : check(scene));
        } catch (error) {
          // The scenes after it are checked all the same, in new pages. An open page would keep the camera.
          expect.soft(error instanceof Error ? error.message : error, `${scene.name} opens`).toBeUndefined();
          await Promise.all([...visitors.values()].map(({ page }) => page.close()));
          visitors.clear();
        }
      });
  });
}
