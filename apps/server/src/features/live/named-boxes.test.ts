import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawNames } from './named-boxes.ts';

const WIDTH = 640;
const HEIGHT = 360;
const GROUND = { r: 90, g: 90, b: 90 };
const FACE = [0.4, 0.4, 0.2, 0.3] as const;

let grey: Buffer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haris-names-'));
  grey = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: GROUND } })
    .jpeg()
    .toBuffer();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Drawn {
  readonly at: (x: number, y: number) => [number, number, number];
  /** Columns of pixels within some rows that differ from the background. */
  columns(from: number, to: number): number[];
}

async function read(jpeg: Buffer): Promise<Drawn> {
  const { data, info } = await sharp(jpeg).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([WIDTH, HEIGHT]);
  const at = (x: number, y: number): [number, number, number] => {
    const from = (y * WIDTH + x) * 3;
    return [data[from] ?? 0, data[from + 1] ?? 0, data[from + 2] ?? 0];
  };
  return {
    at,
    columns(from, to) {
      const found: number[] = [];
      for (let x = 0; x < WIDTH; x++)
        for (let y = from; y < to; y++)
          if (at(x, y).some((value) => Math.abs(value - 90) > 30)) {
            found.push(x);
            break;
          }
      return found;
    },
  };
}

const draw = async (name: string | null, box: readonly [number, number, number, number] = FACE) =>
  read(await drawNames(grey, [{ box, name, kind: name === null ? 'unknown' : 'child' }]));
/** Width of the painted name in pixels. */
const widthOf = async (name: string) => (await draw(name)).columns(124, 138).length;

describe('a face', () => {
  test('has a box around it, and its name above', async () => {
    const drawn = await draw('Lina Hassan');
    const [left, top, right, bottom] = [256, 144, 384, 252];
    for (const [x, y] of [
      [left, 200],
      [right - 2, 200],
      [320, top],
      [320, bottom - 2],
    ] as const) {
      const [red, green] = drawn.at(x, y);
      expect(green - red, `${x} ${y}`).toBeGreaterThan(40);
    }
    // The face itself is unchanged.
    expect(drawn.at(320, 200).every((value) => Math.abs(value - 90) < 12)).toBe(true);
    const label = drawn.columns(124, 138);
    expect(label.length).toBeGreaterThan(60);
    expect(Math.abs(((label[0] ?? 0) + (label.at(-1) ?? 0)) / 2 - 320)).toBeLessThan(6);
  });

  test('of nobody known has a dashed box and no words', async () => {
    const drawn = await draw(null);
    expect(drawn.columns(100, 142)).toEqual([]);
    const edge = Array.from({ length: 100 }, (_, i) => drawn.at(256, 150 + i)[0] > 130);
    expect(edge).toContain(true);
    expect(edge).toContain(false);
  });

  test.each([
    ['at the top', [0.4, 0, 0.2, 0.3]],
    ['at the left', [-0.05, 0.5, 0.1, 0.2]],
    ['at the right', [0.95, 0.5, 0.1, 0.2]],
    ['at the bottom', [0.4, 0.9, 0.2, 0.2]],
    ['over everything', [-0.5, -0.5, 2, 2]],
    ['beyond the picture', [3, 3, 0.2, 0.2]],
    ['without a size', [0.4, 0.4, 0, 0]],
  ] as const)('%s is drawn within the picture', async (_where, box) => {
    await draw('A name that is not short', box);
  });
});

describe('a name', () => {
  test('in Arabic is written in joined letters', async () => {
    const apart = '\u200c';
    const isolated = await widthOf([...'ممممم'].join(apart));
    expect(Math.abs((await widthOf('ممممم')) - isolated)).toBeGreaterThan(6);
  });

  test('is written as it stands, not as markup, and not longer than fits', async () => {
    expect(await widthOf('<b>&amp; O’Neil')).toBeGreaterThan(await widthOf('O’Neil'));
    expect(await widthOf('x'.repeat(200))).toBe(await widthOf(`${'x'.repeat(23)}…`));
    await draw('\u0000\n\t');
  });

  test('looks the same on a machine without any font', async () => {
    const program = join(folder, 'draw.ts');
    const config = join(folder, 'fonts.conf');
    await writeFile(config, '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig/>');
    await writeFile(
      program,
      `import { drawNames } from ${JSON.stringify(join(import.meta.dirname, 'named-boxes.ts'))};
       const jpeg = Buffer.from(process.argv[2] ?? '', 'base64');
       const faces = [{ box: ${JSON.stringify(FACE)}, name: 'مريم Mariam', kind: 'child' }] as const;
       process.stdout.write((await drawNames(jpeg, faces)).toString('base64'));`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [program, grey.toString('base64')], {
      env: { PATH: process.env.PATH, FONTCONFIG_FILE: config },
      maxBuffer: 1e7,
    });
    const there = (await read(Buffer.from(stdout, 'base64'))).columns(124, 138).length;
    // The edges of the letters fall on the pixels slightly differently.
    expect(Math.abs(there - (await widthOf('مريم Mariam')))).toBeLessThanOrEqual(2);
    expect(there).toBeGreaterThan(await widthOf('مريم'));
  });
});
