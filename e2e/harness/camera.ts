/** The scene in front of the browser's fake camera: painted, and written as the MJPEG file that Chromium plays. */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { paintPortrait, paintScene, type Scene } from '@haris/painter/portrait';
import { chosenSeeds } from '@haris/painter/seeds';
import { encodeQR } from 'qr';
import readImage from 'sharp';

/** Picture size of a front camera. */
const WIDTH = 1280;
const HEIGHT = 720;
/** Chromium plays the file in a loop; with too few frames it does not detect the format. */
const FRAMES = 10;

/** The camera's start, its pictures and face recognition can take this long on a busy machine. */
export const FROM_CAMERA_MS = 60_000;

/** Seed of a test person. People are numbered from 1, and the face engine distinguishes them. */
export function seedOf(person: number): number {
  const seed = chosenSeeds[person - 1];
  if (seed === undefined) throw new Error(`there are only ${chosenSeeds.length} people`);
  return seed;
}

export interface FakeCamera {
  /** The file for `--use-file-for-fake-video-capture`. */
  readonly file: string;
  /** Shows one of the people, close and in the middle. Takes effect the next time a page opens the camera. */
  showPerson(person: number): Promise<void>;
  /** Shows a PNG in the middle of an empty scene; it must not be higher than the scene. */
  showPicture(picture: Buffer): Promise<void>;
  /** Shows a QR code of this text. */
  showCode(text: string): Promise<void>;
  /** Shows any other scene. */
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
    // Renamed into place: an open camera keeps the file that it opened.
    await writeFile(`${file}.part`, Buffer.concat(Array<Buffer>(FRAMES).fill(frame)));
    await rename(`${file}.part`, file);
  }
  async function showPicture(picture: Buffer): Promise<void> {
    await show(
      await paintScene({ width: WIDTH, height: HEIGHT, people: [] })
        .composite([{ input: picture, gravity: 'centre' }])
        .jpeg({ quality: 92 })
        .toBuffer(),
    );
  }
  return {
    file,
    showScene,
    showPicture,
    async showCode(text) {
      const drawn = Buffer.from(encodeQR(text, 'svg', { border: 4 }));
      await showPicture(await readImage(drawn, { density: 300 }).resize(400).png().toBuffer());
    },
    showPerson: (person) => showScene({ people: [{ seed: seedOf(person), x: 0.5, y: 0.47, head: 0.62 }] }),
  };
}

/** A portrait of a test person as a PNG file. */
export function portraitFile(person: number): Promise<Buffer> {
  return paintPortrait({ seed: seedOf(person) });
}
