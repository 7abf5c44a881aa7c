/** Takes a screenshot of every screen and dialog: `screens/<size>-<language>-<scheme>/<name>.png`. */
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { crowdScenes } from './catalogue/crowd.ts';
import { settle, visitorOf } from './catalogue/stage.ts';
import { makeWorld, type World } from './catalogue/world.ts';
import { scenes } from './catalogue.ts';
import { expect, sizes, test } from './fixtures.ts';
import { findTooWide } from './harness/fit.ts';
import { wordsOf } from './harness/words.ts';

const folder = fileURLToPath(new URL('../screens/', import.meta.url));

let world: World | null = null;

/** Limits the height of lists that load more rows endlessly. */
const TALLEST_PX = 6000;

/**
 * Used instead of a full-page screenshot: sticky elements stay at their edges, and parts that render only in view are
 * drawn.
 */
async function makeTall(page: Page, { width, height }: { width: number; height: number }): Promise<void> {
  // Twice, because content that comes into view may differ from its estimated height.
  for (const _ of [1, 2]) {
    await page.setViewportSize({ width, height });
    const whole = Number(await page.evaluate('document.documentElement.scrollHeight'));
    await page.setViewportSize({ width, height: Math.min(Math.max(height, whole), TALLEST_PX) });
    await settle(page);
  }
  // Photos that came into view are fetched; no event reports that the last one is drawn.
  await page.waitForTimeout(750);
}

// The hundred children come last and stay: the other scenes count three.
for (const list of [scenes, crowdScenes]) {
  for (const size of ['small', 'phone', 'tablet', 'desk'] as const) {
    for (const language of ['en', 'ar'] as const) {
      // The other two widths show the dark scheme; the layout is the same in it.
      for (const colorScheme of size === 'small' || size === 'tablet'
        ? (['light'] as const)
        : (['light', 'dark'] as const)) {
        test.describe(`${sizes[size].width} px, ${language}, ${colorScheme}`, () => {
          const t = wordsOf(language);
          const set = `${folder}${sizes[size].width}-${language}-${colorScheme}/`;

          for (const scene of list) {
            // A tablet has the sidebar of a desk.
            const has = size === 'desk' || size === 'tablet' ? 'desk' : 'phone';
            if (scene.only !== undefined && scene.only !== has) continue;
            // One test per scene: a failing scene does not stop the others, and `--grep` finds it by its full name.
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
              // For a dialog the visible part is enough; a screen is captured at its full height.
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
}
