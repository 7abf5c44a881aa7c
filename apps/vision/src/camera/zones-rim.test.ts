/** What lies in a privacy zone does not reach out of it where a picture is made smaller before its zones are filled. */
import { Frame } from 'node-av';
import { AV_PIX_FMT_YUV420P, AVCOL_RANGE_JPEG } from 'node-av/constants';
import { expect, it } from 'vitest';
import { makeCoarse } from './privacy.ts';
import { StillMaker } from './still.ts';
import { createZoneFiller } from './zones.ts';

const zone: [number, number][] = [
  [0.38, 0.2],
  [0.62, 0.2],
  [0.62, 0.55],
  [0.38, 0.55],
];

/** A grey frame whose zone has this value in luma and colour, as a still and as the coarse room. */
function picturesOf(width: number, height: number, value: number) {
  const data = Buffer.alloc((width * height * 3) / 2, 128);
  const paint = (at: number, w: number, h: number): void => {
    for (let y = Math.round(0.2 * h); y < Math.round(0.55 * h); y++)
      data.fill(value, at + y * w + Math.round(0.38 * w), at + y * w + Math.round(0.62 * w));
  };
  paint(0, width, height);
  for (const plane of [4, 5]) paint((width * height * plane) / 4, width / 2, height / 2);
  const timeBase = { num: 1, den: 1000 };
  const frame = Frame.fromVideoBuffer(data, { width, height, format: AV_PIX_FMT_YUV420P, timeBase });
  frame.colorRange = AVCOL_RANGE_JPEG;
  const stills = new StillMaker();
  try {
    const fillZones = createZoneFiller([zone]);
    const still = stills.make(frame, 1, fillZones);
    return { still: still.planes, coarse: makeCoarse(still, { faces: [], expected: [] }, fillZones) };
  } finally {
    frame.free();
    stills.close();
  }
}

it.each([
  [640, 360],
  [1920, 1080],
  [2560, 1440],
  [3840, 2160],
])('black or white in the zone of a camera of %i × %i: the same bytes', (width, height) => {
  const [black, white] = [picturesOf(width, height, 0), picturesOf(width, height, 255)];
  for (const kind of ['still', 'coarse'] as const) {
    const [a, b] = [black[kind].data, white[kind].data];
    let most = 0;
    for (let at = 0; at < a.length; at++) most = Math.max(most, Math.abs((a[at] ?? 0) - (b[at] ?? 0)));
    expect(most, kind).toBe(0);
  }
});
