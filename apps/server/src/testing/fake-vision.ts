/**
 * A face engine without networks: the photo itself names its faces, see {@link fakePhoto}. Boxes, encodings and the
 * gallery behave as in the real engine, so that the server's rules can be tested quickly.
 */
import { createHash } from 'node:crypto';
import type { ErrorCode } from '@haris/contract/errors';
import { distanceToNearestPhoto, distanceToPerson, namedBelow } from '@haris/contract/face-distance';
import { ENCODING_LENGTH, type PhotoProblem, type VisionGallery } from '@haris/contract/vision';
import { AppError } from '../app-error.ts';
import { GalleryStaleError, type VisionClient } from '../vision/client.ts';

const PNG_MAGIC = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const MARK = 'fake photo ';

/** A real 1 × 1 JPEG: the fake returns it for every photo that it normalizes. */
export const tinyJpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==',
  'base64',
);

interface FakeFace {
  /** Name of the face; photos of one `face` have the same encoding. */
  readonly face?: string;
  /** Distance of this photo's encoding from the `face`'s own. */
  readonly away?: number;
  /** Distance in a direction perpendicular to `away`. */
  readonly aside?: number;
  /** Problem with which the photo is refused. */
  readonly problem?: PhotoProblem;
  /** Several faces, for `identify`. */
  readonly faces?: readonly string[];
}

let photos = 0;

/** Bytes that pass as a PNG and name their faces for the fake; each call makes a different photo. */
export function fakePhoto(seen: FakeFace = {}): Buffer {
  photos++;
  return Buffer.concat([PNG_MAGIC, Buffer.from(`${MARK}${JSON.stringify({ n: photos, ...seen })}`)]);
}

/** The encoding of a face: 128 numbers; two names have distant encodings. */
export function encodingOf(face: string, away = 0, aside = 0): number[] {
  const numbers: number[] = [];
  for (let block = 0; numbers.length < ENCODING_LENGTH; block++)
    for (const byte of createHash('sha512').update(`${face} ${block}`).digest())
      if (numbers.length < ENCODING_LENGTH) numbers.push((byte - 127.5) / 740);
  // One number moved by d moves the encoding by d.
  numbers[0] = (numbers[0] ?? 0) + away;
  numbers[1] = (numbers[1] ?? 0) + aside;
  return numbers;
}

export interface FakeVision extends VisionClient {
  /** Setting it to false simulates a crash: the gallery is lost, and all calls fail until it is true again. */
  up: boolean;
  /** Gallery last sent by the server; null if there is none. */
  readonly gallery: VisionGallery | null;
  /** How often the gallery was sent. */
  galleriesSent: number;
  /** Called before each response to `enrol`, which waits for it. */
  onEnrol: () => Promise<void> | void;
  /** Called before each response to `match`. */
  onMatch: () => Promise<void> | void;
}

function read(photo: Uint8Array): FakeFace & { n: number } {
  const text = Buffer.from(photo).toString('utf8');
  const at = text.indexOf(MARK);
  if (at < 0) return { n: 0, problem: 'unreadable_photo' };
  return JSON.parse(text.slice(at + MARK.length)) as FakeFace & { n: number };
}

/** A fake engine with an empty gallery. */
export function makeFakeVision(): FakeVision {
  let gallery: VisionGallery | null = null;
  const up = (): void => {
    if (!fake.up) {
      gallery = null;
      throw new AppError('face_engine_unavailable');
    }
  };
  const held = (revision: number): VisionGallery => {
    if (gallery?.revision !== revision) throw new GalleryStaleError();
    return gallery;
  };
  const ranked = (entries: VisionGallery['entries'], encoding: readonly number[]) =>
    entries
      .filter(({ subject }) => subject.kind === 'child')
      .map(({ subject, encodings }) => ({
        childId: subject.id,
        distance: distanceToPerson(encodings, encoding),
        nearest: distanceToNearestPhoto(encodings, encoding),
        photos: encodings.length,
      }));
  type Ranked = ReturnType<typeof ranked>[number];
  const answer = ({ childId, distance }: Ranked) => ({ childId, distance });
  const byPhoto = (a: Ranked, b: Ranked): number => a.nearest - b.nearest;
  /** A JPEG that still names its faces for the fake. */
  const normalized = (photo: Uint8Array) => {
    const bytes = Buffer.from(photo);
    return {
      jpeg: Buffer.concat([tinyJpeg, bytes.subarray(bytes.indexOf(MARK))]).toString('base64'),
      width: 1,
      height: 1,
    };
  };

  const fake: FakeVision = {
    up: true,
    get gallery() {
      return gallery;
    },
    galleriesSent: 0,
    onEnrol: () => {},
    onMatch: () => {},
    healthy: async () => fake.up,
    async normalize(photo) {
      up();
      if (read(photo).problem === 'unreadable_photo') throw new AppError('unreadable_photo');
      return normalized(photo);
    },
    async enrol(photo) {
      up();
      const { problem, face, away, aside, n } = read(photo);
      if (problem) throw new AppError(problem satisfies ErrorCode);
      await fake.onEnrol();
      return {
        photo: normalized(photo),
        box: [0, 0, 100, 120],
        encoding: encodingOf(face ?? `nobody else ${n}`, away, aside),
        model: 'fake',
        quality: 0.9,
      };
    },
    async guide(photo) {
      up();
      const { problem } = read(photo);
      if (problem === 'unreadable_photo') throw new AppError(problem);
      return { advice: problem ?? 'ready', box: problem ? null : [0, 0, 100, 120], width: 640, height: 480 };
    },
    async putGallery(sent) {
      up();
      fake.galleriesSent++;
      gallery = structuredClone(sent);
    },
    async match({ revision, encoding, maxDistance, exclude }) {
      up();
      const { entries } = held(revision);
      const nearest = ranked(entries, encoding)
        .filter((near) => near.distance < maxDistance && !exclude.includes(near.childId))
        .sort(byPhoto);
      await fake.onMatch();
      return { nearest: nearest.map(answer) };
    },
    async identify(photo, { revision, threshold, margin, questionDistance }) {
      up();
      const { problem, faces, face, away, aside } = read(photo);
      if (problem === 'unreadable_photo') throw new AppError(problem);
      const { entries } = held(revision);
      const seen = faces ?? (problem === 'no_face' || !face ? [] : [face]);
      return {
        faces: seen.map((name, index) => {
          const all = ranked(entries, encodingOf(name, away, aside));
          const [first, second] = [...all].sort((a, b) => a.distance - b.distance);
          const named =
            first &&
            first.distance < namedBelow(first.photos, threshold) &&
            (!second || second.distance - first.distance >= margin);
          const near = all.filter(({ distance }) => !named && distance < questionDistance).sort(byPhoto);
          return {
            box: [index * 100, 0, 90, 110],
            match: named ? answer(first) : null,
            near: near.slice(0, 3).map(answer),
          };
        }),
      };
    },
  };
  return fake;
}
