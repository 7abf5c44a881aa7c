import { isChild } from '@haris/contract/subject';
import { chosenSeeds } from '@haris/painter/seeds';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGallery, findMatch, once } from '../faces/match.ts';
import { apartClip, crossingClip, makeClip } from '../testing/clips.ts';
import { drawPicture, encodePng } from '../testing/compose.ts';
import { loadTestRecognizer } from '../testing/engine.ts';
import { fileCamera, of, openSession, type Session, shownIn } from '../testing/session.ts';
import { type ReceivedPicture, startTestVision, type TestVision } from '../testing/vision.ts';

const CHILDREN = ['amal', 'badr', 'celia'] as const;
type ChildId = (typeof CHILDREN)[number];
/** As the product matches. Whether less can be told from coarse faces than by chance is `coarse.test.ts`. */
const THRESHOLD = 0.5;
const MARGIN = 0.05;

// These tests measure no times, so the limits are long enough for a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let vision: TestVision;
let session: Session;
let apart: string;
let crossing: string;
const encodings = new Map<ChildId, number[]>();

beforeAll(async () => {
  [apart, crossing, vision] = await Promise.all([
    makeClip(apartClip, 'mp4'),
    makeClip(crossingClip, 'mp4'),
    startTestVision(),
  ]);
  session = openSession(vision);
  for (const [i, id] of CHILDREN.entries()) encodings.set(id, await vision.enrol(chosenSeeds[i] ?? 0));
});
afterAll(() => vision?.stop());
beforeEach(async () => {
  await session.clear();
  await session.setChildren(encodings);
});

const shown = shownIn;

describe('who is shown', () => {
  it('gives staff the whole picture with its names, and each family the own child alone, sharp', async () => {
    session.setCameras(fileCamera('hall', apart));
    session.watchWhole(1);
    session.watch(2, ['amal']);
    session.watch(3, ['badr', 'celia']);
    const named = await vision.wait('everybody named', () =>
      vision.pictures
        .filter(of(1))
        .find(({ header }) => header.faces?.filter(({ subject }) => subject !== null).length === 3),
    );
    expect(named.header.layers).toHaveLength(1);
    const byPlace = [...(named.header.faces ?? [])].sort((a, b) => a.box[0] - b.box[0]);
    expect(byPlace.map(({ subject }) => subject?.id)).toEqual(CHILDREN);
    for (const [i, { box }] of byPlace.entries()) {
      const walker = apartClip.people[i];
      expect(Math.abs(box[0] + box[2] / 2 - (walker?.x.middle ?? 0))).toBeLessThan(0.09);
    }

    const mine = await vision.wait('the own child', () =>
      vision.pictures.filter(of(2)).find((picture) => shown(picture).length === 1),
    );
    const [x, , width] = mine.header.layers[1]?.box ?? [0, 0, 0, 0];
    expect(shown(mine)).toEqual(['amal']);
    expect(Math.abs(x + width / 2 - 0.17)).toBeLessThan(0.09);
    const both = await vision.wait('both children of a family', () =>
      vision.pictures.filter(of(3)).find((picture) => shown(picture).length === 2),
    );
    expect(shown(both).sort()).toEqual(['badr', 'celia']);
    for (const picture of vision.pictures.filter(of(2))) expect(picture.header.faces).toBeUndefined();

    const seen = await vision.wait('sightings', () => {
      const notes = vision.notes.filter((note) => note.type === 'seen');
      return new Set(notes.map(({ subject }) => subject?.id)).size === 3 && notes;
    });
    for (const note of seen) {
      expect(CHILDREN).toContain(note.subject?.id);
      expect(note.confidence).toBeGreaterThan(0.1);
      expect(note.to).toBeGreaterThanOrEqual(note.from);
    }
  });

  it('from no picture for a family can another child be recognised, while they walk past one another', async () => {
    session.setCameras(fileCamera('hall', crossing));
    for (const [i, id] of CHILDREN.entries()) {
      session.watch(i, [id]);
      session.watch(10 + i, [id], { format: 'jpeg' });
    }
    session.watchWhole(9);
    // A whole round of the clip, with every child sharp now and then.
    await vision.wait('a round', () => {
      const times = vision.pictures.map(({ header }) => header.capturedAt);
      const sharp = new Set(vision.pictures.flatMap(shown));
      return Math.max(...times) - Math.min(...times) > 13_000 && sharp.size === 3;
    });
    session.setCameras();

    const recognizer = await loadTestRecognizer();
    // Children who are not there too: a coarse face is near to some child or other, and seldom to one of these two.
    const absent: [string, number[]][] = [];
    for (const seed of chosenSeeds.slice(CHILDREN.length)) absent.push([`${seed}`, await vision.enrol(seed)]);
    const gallery = createGallery(
      [...encodings, ...absent].map(([id, encoding]) => ({
        subject: { kind: 'child', id },
        encodings: [encoding],
      })),
    );
    const isPresent = (name: string): boolean => CHILDREN.some((id) => id === name);
    const recognise = async (picture: ReceivedPicture): Promise<string[]> => {
      const drawn = await drawPicture(picture);
      const names: string[] = [];
      // Run one after the other: concurrent calls would overwrite each other's pixels.
      for (const scale of [1, 2])
        for (const { encoding } of await recognizer.findFaces(await encodePng(drawn, scale))) {
          const match = encoding && findMatch(gallery, once(encoding), THRESHOLD, MARGIN);
          if (match) names.push(match.subject.id);
        }
      return [...new Set(names)];
    };
    const every = <T>(list: readonly T[], most: number): T[] =>
      list.filter(
        (_, i) => Math.floor((i * most) / list.length) !== Math.floor(((i - 1) * most) / list.length),
      );

    // Control: the same attacker recognises all three children in the pictures for staff.
    const whole = new Set<string>();
    for (const picture of every(vision.pictures.filter(of(9)), 6))
      for (const name of await recognise(picture)) whole.add(name);
    expect([...whole].filter(isPresent).sort()).toEqual(CHILDREN);

    let looked = 0;
    let ownSeen = 0;
    for (const [i, id] of CHILDREN.entries())
      for (const subscription of [i, 10 + i]) {
        const all = vision.pictures.filter(of(subscription));
        const sharp = all.filter((picture) => shown(picture).length > 0);
        for (const picture of new Set([...every(sharp, 6), ...every(all, 2)])) {
          expect(shown(picture).every((childId) => childId === id)).toBe(true);
          const names = await recognise(picture);
          expect(names.filter((name) => isPresent(name) && name !== id)).toEqual([]);
          looked++;
          if (names.includes(id)) ownSeen++;
        }
      }
    expect(looked).toBeGreaterThan(20);
    expect(ownSeen).toBeGreaterThan(5);
  });

  it('never shows a child that is not inside, nor names it, but reports it', async () => {
    await session.setChildren(encodings, ['amal']);
    session.setCameras(fileCamera('hall', apart));
    session.watch(1, ['amal', 'badr']);
    session.watchWhole(2);
    await vision.wait('the child reported', () =>
      vision.notes.some((note) => note.type === 'seen' && isChild(note.subject, 'amal')),
    );
    await vision.wait('the sister sharp', () =>
      vision.pictures.filter(of(1)).some((p) => shown(p).includes('badr')),
    );
    for (const picture of vision.pictures) {
      expect(shown(picture)).not.toContain('amal');
      for (const { subject } of picture.header.faces ?? []) expect(isChild(subject, 'amal')).toBe(false);
    }
  });

  it('takes a child away that goes out, or whose face is no longer known, from the next picture on', async () => {
    session.setCameras(fileCamera('hall', apart));
    session.watch(1, CHILDREN);
    const sharp = (id: ChildId) => (): boolean =>
      vision.pictures.some((picture) => shown(picture).includes(id));
    for (const id of CHILDREN) await vision.wait(`${id} sharp`, sharp(id));

    await session.setChildren(encodings, ['amal']);
    // After the reply to a later command, all earlier messages have arrived.
    session.watchWhole(2);
    await vision.wait('a later picture', () => vision.pictures.some(of(2)));
    vision.forget();
    await vision.wait('badr sharp again', sharp('badr'));
    await vision.wait('celia sharp again', sharp('celia'));
    expect(sharp('amal')()).toBe(false);

    const stranger = await vision.enrol(chosenSeeds[5] ?? 0);
    await session.setChildren(new Map([...encodings, ['badr', stranger]]));
    session.watchWhole(3);
    await vision.wait('a later picture', () => vision.pictures.some(of(3)));
    vision.forget();
    await vision.wait('amal sharp again', sharp('amal'));
    await vision.wait('celia sharp again', sharp('celia'));
    expect(sharp('badr')()).toBe(false);
  });
});
