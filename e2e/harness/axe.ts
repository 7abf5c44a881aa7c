/** The accessibility check of one language: axe on every screen and dialog, in English at the desk and in Arabic on a phone. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { type Scene, settle, visitorOf } from '../catalogue/stage.ts';
import { makeWorld } from '../catalogue/world.ts';
import { scenes } from '../catalogue.ts';
import { expect, sizes, test, type Visitor } from '../fixtures.ts';
import { type Language, wordsOf } from './words.ts';

const SEVERE = ['moderate', 'serious', 'critical'];

/** What axe finds severe in the page as it is now. */
async function violationsOf(page: Page): Promise<unknown[]> {
  await settle(page);
  // Axe stays in a page that it has looked at: reading its half megabyte in again costs more than the look, as does
  // telling at length of all that is right.
  const isThere = await page.evaluate(`'axe' in window`);
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: 'undefined' } : {}) });
  const { violations } = await axe
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze();
  return violations
    .filter(({ impact }) => SEVERE.includes(impact ?? ''))
    .map(({ id, impact, nodes }) => ({ id, impact, at: nodes.map(({ html }) => html.slice(0, 200)) }));
}

/** The languages differ by direction and words alone, the sizes by layout: each is looked at once, in two looks instead of four. */
const sizeOf = { en: 'desk', ar: 'phone' } as const;

/** Declares the tests; one file per language, so that they run beside each other. */
export function testAccessibility(language: Language): void {
  test(`nothing moderate, serious or critical: ${language}`, async ({
    api,
    server,
    camera,
    mailTo,
    visit,
  }) => {
    test.setTimeout(600_000);
    const world = await makeWorld({ api, server, camera, mailTo });
    const t = wordsOf(language);
    const visitors = new Map<string, Visitor>();

    /** One browser per kind of person: opening one costs more than a screen. */
    async function visitorFor(scene: Scene): Promise<Visitor> {
      const key = `${scene.as} ${scene.camera}`;
      const options = { ...visitorOf(scene, world), language, reducedMotion: 'reduce' } as const;
      const visitor = visitors.get(key) ?? (await visit(options));
      visitors.set(key, visitor);
      return visitor;
    }

    for (const scene of scenes) {
      await test.step(scene.name, async () => {
        const { page, trap } = await visitorFor(scene);
        const stage = { page, trap, t, language, world };
        const size = scene.only ?? sizeOf[language];
        await page.setViewportSize(sizes[size]);
        await scene.open(stage);
        expect.soft(await violationsOf(page), `${scene.name} at ${sizes[size].width} px`).toEqual([]);
        await scene.close?.(stage);
      });
    }
  });
}
