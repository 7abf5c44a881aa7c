/** What stands in front of the browser's fake camera: a painted scene, written as the MJPEG file that Chromium plays. */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { paintPortrait, paintScene, type Scene } from '@haris/painter/portrait';
import { chosenSeeds } from '@haris/painter/seeds';

/** A front camera's picture. */
const WIDTH = 1280;
const HEIGHT = 720;
/** Chromium plays the file in a loop; with too few frames it does not see the format. */
const FRAMES = 10;

/** The people of the tests are numbered from 1; the face engine tells them apart. */
export function seedOf(person: number): number {
  const seed = chosenSeeds[person - 1];
  if (seed === undefined) throw new Error(`there are only ${chosenSeeds.length} people`);
  return seed;
}

export interface FakeCamera {
  /** The file for `--use-file-for-fake-video-capture`. */
  readonly file: string;
  /** One of the people, near enough and in the middle. Seen from the next time a page opens the camera. */
  showPerson(person: number): Promise<void>;
  /** A picture held into the middle of an empty scene, PNG at most as high as the scene. */
  showPicture(picture: Buffer): Promise<void>;
  /** Anything else. */
  showScene(scene: Omit<Scene, 'width' | 'height'>): Promise<void>;
}

export function createCamera(folder: string): FakeCamera {
  const file = join(folder, 'camera.mjpeg');
  async function showScene(scene: Omit<Scene, 'width' | 'height'>): Promise<void> {
    await show(
      await paintScene({ width: WIDTH, height: HEIGHT, ...scene })
        .jpeg({ quality: 92 })
        .toBuffer(),
    );
  }
  async function show(frame: Buffer): Promise<void> {
    // Moved into place: a camera that is on keeps the file that it opened.
    await writeFile(`${file}.part`, Buffer.concat(Array<Buffer>(FRAMES).fill(frame)));
    await rename(`${file}.part`, file);
  }
  return {
    file,
    showScene,
    showPicture: async (picture) =>
      show(
        await paintScene({ width: WIDTH, height: HEIGHT, people: [] })
          .composite([{ input: picture, gravity: 'centre' }])
          .jpeg({ quality: 92 })
          .toBuffer(),
      ),
    showPerson: (person) => showScene({ people: [{ seed: seedOf(person), x: 0.5, y: 0.47, head: 0.62 }] }),
  };
}

/** A portrait of one of the people as a photo file, PNG. */
export function portraitFile(person: number): Promise<Buffer> {
  return paintPortrait({ seed: seedOf(person) });
}
