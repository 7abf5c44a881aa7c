/** The camera of `bench/live.ts`: a painted clip at 720p in real time, as MJPEG over HTTP. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clip, paintClip } from '@haris/painter/clip';
import { chosenSeeds } from '@haris/painter/seeds';
import sharp from 'sharp';

export const clip: Clip = {
  width: 1280,
  height: 720,
  fps: 15,
  frames: 90,
  people: [
    { seed: chosenSeeds[0], x: { middle: 0.2, swing: 0.12 }, y: { middle: 0.4 }, head: 0.22 },
    { seed: chosenSeeds[1], x: { middle: 0.5, swing: 0.1, phase: 0.3 }, y: { middle: 0.42 }, head: 0.24 },
    { seed: chosenSeeds[2], x: { middle: 0.8, swing: 0.12, phase: 0.6 }, y: { middle: 0.4 }, head: 0.22 },
  ],
};

/** Serves the clip as MJPEG over HTTP, at its frame rate, to any client. */
export async function startCamera(): Promise<{ server: Server; url: string }> {
  const { width, height, fps } = clip;
  const pictures: Buffer[] = [];
  for await (const data of paintClip(clip))
    pictures.push(
      await sharp(data, { raw: { width, height, channels: 3 } })
        .jpeg({ quality: 85 })
        .toBuffer(),
    );
  const server = createServer((_request, answer) => {
    answer.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=picture' });
    let at = 0;
    const begun = performance.now();
    const timer = setInterval(() => {
      // Follows the clock: a late timer sends everything due, so that the mean rate is the clip's.
      for (; at < ((performance.now() - begun) / 1_000) * fps; at++) {
        const jpeg = pictures[at % pictures.length] ?? Buffer.alloc(0);
        answer.write(`--picture\r\nContent-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n`);
        answer.write(jpeg);
        answer.write('\r\n');
      }
    }, 1_000 / fps);
    answer.on('close', () => clearInterval(timer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}
