/** Sample data without the slow painter: portraits for the fake engine, and a room without a video. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SamplePainter } from '../sample-data.ts';
import { mediaFolder } from '../vision/media.ts';
import { fakePhoto } from './fake-vision.ts';

export const fakePainter: SamplePainter = {
  paintChild: async (place) => fakePhoto({ face: `sample ${place}` }),
  async paintRoom(dataDir, name) {
    mkdirSync(mediaFolder(dataDir), { recursive: true });
    writeFileSync(join(mediaFolder(dataDir), name), 'a room');
  },
};
