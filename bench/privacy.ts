/**
 * Measures whether other people can be recognised in what parents receive: `npm run bench:privacy [FOLDER] [SCENES]`.
 * The vision process, run as by the server, gets rooms with painted children and with the photos of FOLDER
 * (`lfw/<person>/*.jpg` and `pairs/pairs.csv`; by default ../shared/faces). The pictures of all its viewers go to the
 * product's own networks, which attack in three ways: with the known position of each face, by their own search, and
 * on the mean of thirty pictures. Exits with 1 if somebody is recognised above chance.
 */
import { join } from 'node:path';
import { distanceOf } from '@haris/contract/face-distance';
import sharp from 'sharp';
import { type Pixels, Pyramid } from '../apps/vision/src/picture/pixels.ts';
import type { Box } from '../apps/vision/src/picture/region.ts';
import { judge, type Probe } from '../apps/vision/src/testing/chance.ts';
import { drawPicture } from '../apps/vision/src/testing/compose.ts';
import { Overlay, openEye } from '../apps/vision/src/testing/eye.ts';
import { Stage, type Standing } from '../apps/vision/src/testing/heads.ts';
import { of, openSession, shownIn } from '../apps/vision/src/testing/session.ts';
import { type ReceivedPicture, startTestVision } from '../apps/vision/src/testing/vision.ts';
import { type Cast, HEIGHT, makeScene, paintCast, readCast, WIDTH } from './privacy-people.ts';

const [folder = join(import.meta.dirname, '../../shared/faces'), scenes = '20', only] = process.argv.slice(2);
/** Pictures per scene, and number of pictures to average. */
const PICTURES = 30;
/** Consecutive pictures are nearly the same, so only some are examined. */
const LOOK_EVERY = 3;
const SEARCH_EVERY = 9;
/** Above this it is not chance: only one in a thousand random draws is. */
const MOST_Z = 3;
/** Largest luma difference within a face that was made one colour; encoding adds this much. */
const ONE_COLOUR = 20;
/** With fewer people the result means nothing. */
const LEAST_PEOPLE = 5;
const THRESHOLD = 0.5;

const eye = await openEye();
/** Largest difference of green within the middle of a face. */
function spreadIn({ data, width }: Pixels, face: Box): number {
  let [least, most] = [255, 0];
  for (let y = Math.ceil(face.y + face.height * 0.25); y < face.y + face.height * 0.75; y++)
    for (let x = Math.ceil(face.x + face.width * 0.25); x < face.x + face.width * 0.75; x++) {
      const value = data[(y * width + x) * 3 + 1] ?? 0;
      [least, most] = [Math.min(least, value), Math.max(most, value)];
    }
  return most - least;
}

async function run(cast: Cast): Promise<boolean> {
  const vision = await startTestVision();
  const session = openSession(vision);
  await session.setChildren(new Map(cast.people.map(({ id, known }) => [id, [...known]])));
  session.setCameras({ id: 'hall', kind: 'browser', url: null, zones: [], enabled: true });
  await vision.waitFor('hall', 'connecting');
  const stage = await Stage.build(WIDTH, HEIGHT);
  const indexOf = new Map(cast.people.map(({ id }, i) => [id, i]));
  const probes = new Map<string, (Probe & { readonly strangers: readonly number[] })[]>();
  const addProbe = (way: string, id: string, encoding: Float32Array): void => {
    const probe = {
      person: indexOf.get(id) ?? -1,
      distances: cast.people.map(({ known }) => distanceOf(known, encoding)),
      strangers: cast.strangers.map((known) => distanceOf(known, encoding)),
    };
    probes.set(way, [...(probes.get(way) ?? []), probe]);
  };
  let [delivered, looked, withSharp, found, noFace] = [0, 0, 0, 0, 0];
  const heights = new Map<number, number>();

  for (let scene = 0; scene < Number(scenes); scene++) {
    const placesAt = makeScene(cast, scene);
    const ids = placesAt(0).map(({ head }) => head.id);
    const absent = cast.people.find(({ id }) => !ids.includes(id))?.id ?? '';
    // A family with one child or two, and a family whose child is in another room.
    const family = ids.slice(0, 1 + (scene % 2));
    const viewers = [
      { children: family, format: 'layers' as const },
      { children: family, format: 'jpeg' as const },
      { children: [absent], format: 'layers' as const },
    ];
    for (const [i, { children, format }] of viewers.entries()) session.watch(i, children, { format });
    const overlays = new Map<string, { overlay: Overlay; last: Standing }>();
    for (let picture = 0; picture < PICTURES; picture++) {
      const { jpeg, people } = await stage.show(placesAt(picture));
      const pushed = Date.now();
      const push = (): void => vision.push('hall', jpeg);
      push();
      // Repeats the picture, because a consumer that is still busy with the previous one drops it.
      const again = setInterval(push, 1_000);
      const answers = await vision.wait('the pictures of all viewers', () => {
        const mine = viewers.map((_, i) =>
          vision.pictures.find((p) => of(i)(p) && p.header.capturedAt >= pushed),
        );
        return mine.every((one) => one !== undefined) && (mine as ReceivedPicture[]);
      });
      clearInterval(again);
      vision.forget();
      delivered += answers.length;
      for (const answer of answers) if (shownIn(answer).length > 0) withSharp++;
      const visible = people.filter(({ hidden }) => !hidden);
      // Alternates between the family's two formats, and adds a picture without a child of the family.
      for (const index of [picture % 2, 2]) {
        const answer = answers[index] as ReceivedPicture;
        const own = viewers[index]?.children ?? [];
        const isBare = index === 2;
        if (isBare) {
          const { height } = await sharp(answer.layers[0]).metadata();
          heights.set(height, (heights.get(height) ?? 0) + 1);
        } else if (picture % LOOK_EVERY !== 0) continue;
        const others = visible.filter(({ head }) => !own.includes(head.id));
        const drawn: Pixels = await drawPicture(answer);
        if (isBare) {
          const pyramid = new Pyramid(drawn);
          for (const other of others) {
            const known = overlays.get(other.head.id) ?? { overlay: new Overlay(), last: other };
            known.overlay.add(pyramid, other.landmarks);
            overlays.set(other.head.id, { ...known, last: other });
          }
        }
        if (picture % LOOK_EVERY !== 0) continue;
        const encodings = await eye.lookAt(
          drawn,
          others.map(({ landmarks }) => landmarks),
        );
        looked++;
        for (const [i, { head, face }] of others.entries()) {
          const encoding = encodings[i];
          if (!encoding) continue;
          addProbe(
            isBare ? 'told where, picture without an own child' : 'told where, picture of a family',
            head.id,
            encoding,
          );
          if (isBare && spreadIn(drawn, face) > ONE_COLOUR)
            addProbe('told where, face that was not made one colour', head.id, encoding);
          addProbe(
            `told where, face of ${Math.round((face.width / HEIGHT) * 100)} % of the height`,
            head.id,
            encoding,
          );
        }
        if (picture % SEARCH_EVERY !== 0) continue;
        const factor = [0.5, 1, 2][Math.floor(picture / SEARCH_EVERY) % 3] ?? 1;
        const raw = { width: WIDTH, height: HEIGHT, channels: 3 } as const;
        const { data, info } = await sharp(drawn.data, { raw })
          .resize(WIDTH * factor, HEIGHT * factor, { kernel: isBare ? 'lanczos3' : 'cubic' })
          .raw()
          .toBuffer({ resolveWithObject: true });
        for (const { face, encoding } of await eye.search({ data, width: info.width, height: info.height })) {
          const [x, y] = [(face.x + face.width / 2) / factor, (face.y + face.height / 2) / factor];
          const who = people.find(
            (one) =>
              x > one.face.x &&
              x < one.face.x + one.face.width &&
              y > one.face.y &&
              y < one.face.y + one.face.height,
          );
          if (who && own.includes(who.head.id)) continue;
          found++;
          if (who && !who.hidden) addProbe('found by searching', who.head.id, encoding);
          else noFace++;
        }
      }
    }
    for (const [id, { overlay, last }] of overlays) {
      if (overlay.count < PICTURES / 2) continue;
      const { picture, landmarks } = overlay.mean(last.landmarks);
      const [encoding] = await eye.lookAt(picture, [landmarks]);
      if (encoding) addProbe(`mean of up to ${PICTURES} pictures`, id, encoding);
    }
    process.stderr.write(`scene ${scene + 1} of ${scenes}\r`);
  }
  await vision.stop();

  console.log(
    `${cast.title}, ${cast.strangers.length} strangers who are in no picture; ${scenes} scenes of ${PICTURES} pictures`,
  );
  console.log(
    `${delivered} pictures delivered (${withSharp} with somebody sharp), ${looked} looked at; searching found ${found} faces that are not the own child's, ${noFace} of them where nobody's face is`,
  );
  console.log(
    `heights of the coarse layer: ${[...heights].map(([height, count]) => `${height} px ${count} times`).join(', ')}\n`,
  );
  const rows = [...probes].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
  let isSafe = true;
  const table: Record<string, object> = {};
  for (const [way, list] of rows) {
    if (new Set(list.map(({ person }) => person)).size < LEAST_PEOPLE) continue;
    const { people, rankOne, rankOneInterval, chance, auc, aucInterval, pairs, z } = judge(list);
    const nearer = list.flatMap(({ person, distances, strangers }) =>
      strangers.map((distance) => (distance > (distances[person] ?? 0) ? 1 : 0)),
    );
    const matched = list.filter(({ person, distances }) => {
      const right = distances[person] ?? 9;
      return right < THRESHOLD && distances.every((distance, i) => i === person || distance > right);
    });
    const wrong = list.filter(({ person, distances }) => {
      const least = Math.min(...distances);
      return least < THRESHOLD && distances[person] !== least;
    });
    const show = (value: number): string => value.toFixed(3);
    table[way] = {
      faces: list.length,
      people,
      'right one nearest': `${show(rankOne)} (${rankOneInterval.map(show).join('–')})`,
      chance: show(chance),
      'nearer than another': `${show(auc)} (${aucInterval.map(show).join('–')})`,
      'nearer than a stranger': show(nearer.reduce((sum: number, one) => sum + one, 0) / nearer.length),
      'of two told': show(pairs),
      z: z.toFixed(1),
      'matched right / wrong': `${matched.length} / ${wrong.length}`,
    };
    if (z > MOST_Z) isSafe = false;
  }
  console.table(table);
  return isSafe;
}

let isSafe = true;
const casts = [
  only === 'photos' ? null : await paintCast(eye),
  only === 'painted' ? null : await readCast(eye, folder),
];
if (only !== 'painted' && casts[1] === null)
  console.log(`No photos at ${folder}: measured with painted children alone.\n`);
for (const cast of casts) if (cast) isSafe = (await run(cast)) && isSafe;
console.log(
  isSafe ? 'Nobody was recognised above chance.' : `Somebody was recognised above chance (z over ${MOST_Z}).`,
);
process.exit(isSafe ? 0 : 1);
