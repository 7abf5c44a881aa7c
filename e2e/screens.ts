/** Takes a picture of every screen and dialog: `screens/<size>-<language>-<scheme>/<name>.png`. */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeWorld, type Scene, scenes, settle, visitorOf, type World } from './catalogue.ts';
import { sizes, test, type Visitor } from './fixtures.ts';
import { wordsOf } from './harness/words.ts';

const folder = fileURLToPath(new URL('../screens/', import.meta.url));

let world: World | null = null;

for (const size of ['phone', 'desk'] as const) {
  for (const language of ['en', 'ar'] as const) {
    for (const scheme of ['light', 'dark'] as const) {
      test(`${sizes[size].width} px, ${language}, ${scheme}`, async ({
        api,
        server,
        camera,
        mailTo,
        visit,
      }) => {
        test.setTimeout(300_000);
        const set = `${folder}${sizes[size].width}-${language}-${scheme}/`;
        rmSync(set, { recursive: true, force: true });
        world ??= await makeWorld({ api, server, camera, mailTo });
        const here = world;
        const t = wordsOf(language);
        const visitors = new Map<string, Visitor>();

        async function visitorFor(scene: Scene): Promise<Visitor> {
          const key = `${scene.as} ${scene.withoutCamera}`;
          const options = { size, language, colorScheme: scheme, reducedMotion: 'reduce' } as const;
          const visitor = visitors.get(key) ?? (await visit({ ...visitorOf(scene, here), ...options }));
          visitors.set(key, visitor);
          return visitor;
        }

        for (const scene of scenes) {
          if (scene.only !== undefined && scene.only !== size) continue;
          await test.step(scene.name, async () => {
            const { page, trap } = await visitorFor(scene);
            const stage = { page, trap, t, language, world: here };
            await scene.open(stage);
            await settle(page);
            // A dialog lies over the part that is seen; a screen is taken whole.
            const fullPage = (await page.getByRole('dialog').count()) === 0;
            await page.screenshot({ path: `${set}${scene.name}.png`, fullPage });
            await scene.close?.(stage);
          });
        }
      });
    }
  }
}
