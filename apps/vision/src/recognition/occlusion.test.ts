import { describe, expect, it } from 'vitest';
import type { Detection } from '../faces/detector.ts';
import { type Followed, Occlusions } from './occlusion.ts';
import { Tracker } from './tracker.ts';

interface Person extends Followed {
  readonly bornAt: number;
  lastNamed: string | null;
}

const face = (x: number, width = 60): Detection => ({
  x,
  y: 50,
  width,
  height: width,
  score: 0.9,
  points: [],
});

/** Faces by their left edges, a picture every 200 ms. */
function startRoom() {
  const tracker = new Tracker((bornAt): Person => ({ bornAt, lastNamed: null }));
  const occlusions = new Occlusions<Person>();
  let at = 0;
  const personAt = (x: number): Person => {
    const found = tracker.tracks.find(({ detection }) => detection && Math.abs(detection.x - x) < 15);
    if (!found) throw new Error(`nobody is at ${x}`);
    return found.own;
  };
  return {
    show(seconds: number, placesAt: (part: number) => readonly number[]) {
      const pictures = Math.round(seconds * 5);
      for (let i = 1; i <= pictures; i++) {
        at += 200;
        const faces = placesAt(i / pictures).map((x) => face(x));
        occlusions.update(tracker.tracks, tracker.update(faces, at), at);
      }
    },
    name(x: number, name: string) {
      personAt(x).lastNamed = name;
    },
    mayHide: (x: number) => occlusions.mayHide(personAt(x), at),
  };
}

/** Two children beside one another for long enough that neither is new. */
function startWithTwo() {
  const room = startRoom();
  room.show(6, () => [300, 420]);
  expect([room.mayHide(300), room.mayHide(420)]).toEqual([false, false]);
  return room;
}

describe('a face that is lost beside another', () => {
  it('may be behind it for long after it is followed no longer', () => {
    const room = startWithTwo();
    room.show(3, () => [300]);
    expect(room.mayHide(300)).toBe(true);
    room.show(10, () => [300]);
    expect(room.mayHide(300)).toBe(true);
  });

  it('goes along with whoever hides it', () => {
    const room = startWithTwo();
    room.show(3, () => [300]);
    room.show(5, (part) => [300 + 900 * part]);
    expect(room.mayHide(1_200)).toBe(true);
  });

  it('is no longer there once a face comes out', () => {
    const room = startWithTwo();
    room.show(3, () => [300]);
    room.show(1, () => [200, 300]);
    expect([room.mayHide(200), room.mayHide(300)]).toEqual([false, false]);
  });

  it('is no longer there once a face of its name is found far away, but is for anybody else who comes in', () => {
    const room = startWithTwo();
    room.name(420, 'badr');
    room.show(3, () => [300]);
    room.show(1, () => [300, 1_000]);
    expect(room.mayHide(300)).toBe(true);
    room.name(1_000, 'celia');
    room.show(1, () => [300, 1_000]);
    expect(room.mayHide(300)).toBe(true);
    room.show(1, () => [300, 1_000, 1_400]);
    room.name(1_400, 'badr');
    room.show(1, () => [300, 1_000, 1_400]);
    expect(room.mayHide(300)).toBe(false);
  });

  it('has gone after a while', () => {
    const room = startWithTwo();
    room.show(21, () => [300]);
    expect(room.mayHide(300)).toBe(false);
  });

  it('may be behind whoever hides the one who hid it', () => {
    const room = startRoom();
    room.show(6, () => [180, 300, 420]);
    room.show(3, () => [180, 300]);
    expect([room.mayHide(180), room.mayHide(300)]).toEqual([false, true]);
    room.show(3, () => [180]);
    expect(room.mayHide(180)).toBe(true);
    // The one who hid it comes out, with whoever is behind.
    room.show(1, () => [180, 300]);
    expect([room.mayHide(180), room.mayHide(300)]).toEqual([true, true]);
    room.show(1, () => [180, 300, 420]);
    expect([room.mayHide(180), room.mayHide(300), room.mayHide(420)]).toEqual([false, false, false]);
  });

  it('is none where a face was found twice in one picture', () => {
    const room = startWithTwo();
    room.show(0.2, () => [300, 345, 420]);
    room.show(3, () => [300, 420]);
    expect(room.mayHide(300)).toBe(false);
  });

  it('says nothing of those who are far away', () => {
    const room = startRoom();
    room.show(6, () => [300, 1_000]);
    room.show(3, () => [300]);
    expect(room.mayHide(300)).toBe(false);
  });
});

it('does not trust a face that just came, unless it is one that was lost', () => {
  const room = startRoom();
  room.show(1, () => [300]);
  expect(room.mayHide(300)).toBe(true);
  room.show(5, () => [300]);
  expect(room.mayHide(300)).toBe(false);
  room.show(3, () => []);
  room.show(0.6, () => [310]);
  expect(room.mayHide(310)).toBe(false);
});
