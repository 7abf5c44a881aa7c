/** Takes a picture of every screen and dialog: `screens/<size>-<language>-<scheme>/<name>.png`. */
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { settle, visitorOf } from './catalogue/stage.ts';
import { makeWorld, type World } from './catalogue/world.ts';
import { scenes } from './catalogue.ts';
import { expect, sizes, test } from './fixtures.ts';
import { findTooWide } from './harness/fit.ts';
import { wordsOf } from './harness/words.ts';

const folder = fileURLToPath(new URL('../screens/', import.meta.url));

let world: World | null = null;

/** What a list would load for ever ends here. */
const TALLEST_PX = 6000;

/** Rather than one picture of a longer page: what sticks to an edge stands there, and no part is left out as not seen. */
async function makeTall(page: Page, { width, height }: { width: number; height: number }): Promise<void> {
  // Twice: what comes into sight may be taller or lower than was guessed.
  for (const _ of [1, 2]) {
    await page.setViewportSize({ width, height });
    const whole = Number(await page.evaluate('document.documentElement.scrollHeight'));
    await page.setViewportSize({ width, height: Math.min(Math.max(height, whole), TALLEST_PX) });
    await settle(page);
  }
  // Photos that came into sight are fetched; no event tells that the last one is drawn.
  await page.waitForTimeout(750);
}

for (const size of ['small', 'phone', 'desk'] as const) {
  for (const language of ['en', 'ar'] as const) {
    // What fits does so in the dark, too.
    for (const colorScheme of size === 'small' ? (['light'] as const) : (['light', 'dark'] as const)) {
      test.describe(`${sizes[size].width} px, ${language}, ${colorScheme}`, () => {
        const t = wordsOf(language);
        const set = `${folder}${sizes[size].width}-${language}-${colorScheme}/`;

        for (const scene of scenes) {
          if (scene.only !== undefined && scene.only !== (size === 'desk' ? 'desk' : 'phone')) continue;
          // A test each: the scene that fails keeps no other from being seen, and `--grep` finds it by all its words.
          test(scene.name, { tag: `@${scene.as}` }, async ({ api, server, camera, mailTo, visit }) => {
            test.setTimeout(120_000);
            const path = `${set}${scene.name}.png`;
            await rm(path, { force: true });
            world ??= await makeWorld({ api, server, camera, mailTo });
            const { page, trap } = await visit({
              ...visitorOf(scene, world),
              size,
              language,
              colorScheme,
              reducedMotion: 'reduce',
            });
            const stage = { page, trap, t, language, world };
            await scene.open(stage);
            await settle(page);
            // A dialog lies over the part that is seen; a screen is taken whole.
            const above = page.getByRole('dialog').or(page.getByRole('alertdialog'));
            if ((await above.count()) === 0) await makeTall(page, sizes[size]);
            await page.screenshot({ path });
            const tooWide = await findTooWide(page);
            await scene.close?.(stage);
            expect(tooWide, 'what does not fit').toEqual([]);
          });
        }
      });
    }
  }
}
