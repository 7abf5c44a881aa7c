/**
 * Measures how much of another child's face is sharp beside the face of the parent's own child: `npm run bench:beside`.
 * Painted children pass one another, stand behind one another and come in together; their true positions are known.
 * Exits with 1 if more than a tenth of another child's face is sharp in any picture.
 */
import type { Clip } from '@haris/painter/clip';
import { chosenSeeds } from '@haris/painter/seeds';
import { ROOM_CLIP } from '../apps/server/src/demo.ts';
import { ensureModels } from '../apps/vision/src/faces/models/export.ts';
import { defaultModelsDir } from '../apps/vision/src/faces/models/model-files.ts';
import { loadNetworks } from '../apps/vision/src/faces/networks.ts';
import { lurkingClip, watchClip } from '../apps/vision/src/testing/beside.ts';
import { crossingClip } from '../apps/vision/src/testing/clips.ts';
import { clip as fiveChildren } from './vision-shows.ts';

const MOST = 0.1;
const [first, second] = chosenSeeds;
const clips: readonly (readonly [string, Clip])[] = [
  ['one stands behind another', lurkingClip([first, second])],
  ['three pass one another', crossingClip],
  ['three of the demo, two of them together at the start', ROOM_CLIP],
  ['five, two of them pass one another', fiveChildren],
];

await ensureModels(defaultModelsDir);
const networks = await loadNetworks(defaultModelsDir);
let isSafe = true;
for (const [title, clip] of clips) {
  console.log(title);
  const families = await watchClip(networks, clip, 2);
  console.table(
    families.map(({ pictures, sharp, faceAlone, most, overTenth }) => ({
      pictures,
      'own child sharp': sharp,
      'its face alone': faceAlone,
      'most of another face that is sharp': `${(100 * most).toFixed(1)} %`,
      'pictures with more than a tenth of one': overTenth,
    })),
  );
  isSafe &&= families.every(({ most }) => most <= MOST);
}
process.exit(isSafe ? 0 : 1);
