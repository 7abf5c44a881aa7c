/** Takes a picture of every screen and dialog: `screens/<size>-<language>-<scheme>/<name>.png`. */
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { settle, visitorOf } from './catalogue/stage.ts';
import { makeWorld, type World } from './catalogue/world.ts';
import { scenes } from './catalogue.ts';
import { sizes, test } from './fixtures.ts';
import { wordsOf } from './harness/words.ts';

const folder = fileURLToPath(new URL('../screens/', import.meta.url));

let world: World | null = null;

for (const size of ['phone', 'desk'] as const) {
  for (const language of ['en', 'ar'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test.describe(`${sizes[size].width} px, ${language}, ${colorScheme}`, () => {
        const t = wordsOf(language);
        const set = `${folder}${sizes[size].width}-${language}-${colorScheme}/`;

        for (const scene of scenes) {
          if (scene.only !== undefined && scene.only !== size) continue;
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
            const fullPage = (await page.getByRole('dialog').count()) === 0;
            await page.screenshot({ path, fullPage });
            await scene.close?.(stage);
          });
        }
      });
    }
  }
}
