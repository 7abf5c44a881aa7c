import { Frame } from 'node-av';
import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { afterAll, expect, it } from 'vitest';
import type { Analysis } from '../recognition/live.ts';
import { cutSharpRegions, makeCoarse } from './privacy.ts';
import { StillMaker } from './still.ts';
import { createZoneFiller } from './zones.ts';

const [width, height] = [640, 360];
/** Pixels: x and y from, to. A child's face lies across its left edge. */
const hidden = { left: 256, right: 384, top: 72, bottom: 200 };
const zone: [number, number][] = [
  [hidden.left / width, hidden.top / height],
  [hidden.right / width, hidden.top / height],
  [hidden.right / width, hidden.bottom / height],
  [hidden.left / width, hidden.bottom / height],
];
const analysis: Analysis = {
  faces: [
    {
      box: { x: 220, y: 110, width: 60, height: 60 },
      subject: { kind: 'child', id: 'amal' },
      showable: true,
      crowded: false,
    },
  ],
  expected: [],
};

const stills = new StillMaker();
afterAll(() => stills.close());

/** Everything that leaves a camera's process, made from a frame with noise that `seed` decides behind the zone only. */
function outputs(seed: number, zones: [number, number][][]) {
  const data = Buffer.alloc((width * height * 3) / 2, 128);
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 0x7fffffff;
    return state & 0xff;
  };
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data[y * width + x] = random();
  state = seed;
  for (let y = hidden.top; y < hidden.bottom; y++)
    for (let x = hidden.left; x < hidden.right; x++) data[y * width + x] = random();
  const timeBase = { num: 1, den: 1000 };
  const frame = Frame.fromVideoBuffer(data, { width, height, format: AV_PIX_FMT_YUV420P, timeBase });
  try {
    const fillZones = createZoneFiller(zones);
    const still = stills.make(frame, 0, fillZones);
    const coarse = makeCoarse(still, analysis, fillZones);
    const regions = cutSharpRegions(still, coarse, analysis, ['amal']);
    expect(regions).toHaveLength(1);
    return {
      staff: still.toJpeg(90),
      faces: Buffer.from(still.toPixels().data),
      room: stills.encode(coarse, 90),
      enlarged: stills.enlarge(coarse, width, height).data,
      sharp: regions.map(({ planes }) => stills.encode(planes, 90)),
    };
  } finally {
    frame.free();
  }
}

it('carries nothing from behind a zone into any output: not a byte depends on it', () => {
  expect(outputs(2, [zone])).toEqual(outputs(3, [zone]));
});

it('differs in every output without the zone', () => {
  const [one, other] = [outputs(2, []), outputs(3, [])];
  for (const name of Object.keys(one) as (keyof typeof one)[])
    expect(one[name], name).not.toEqual(other[name]);
});
