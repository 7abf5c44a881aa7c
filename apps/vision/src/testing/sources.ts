/** Cameras of the tests: an RTSP server, an HTTP camera, and pictures as a device sends them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setInterval as every } from 'node:timers/promises';
import { type Clip, paintClip } from '@haris/painter/clip';
import sharp from 'sharp';

const script = join(import.meta.dirname, 'rtsp-server.py');

export interface TestServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** A GStreamer RTSP server that plays an `.h264` or `.h265` file; its path is `/live`. `port` 0 takes any free one. */
export async function startRtspServer(
  file: string,
  fps: number,
  login: { user: string; password: string },
  port = 0,
): Promise<TestServer> {
  // Debian's Python, because another Python has no GStreamer.
  const args = [script, file, String(fps), login.user, login.password, String(port)];
  const child: ChildProcess = spawn('/usr/bin/python3', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  const [line] = await Promise.race([once(child.stdout ?? child, 'data'), gone]);
  return {
    port: Number(String(line).trim()),
    async stop() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** A few pictures of a clip as JPEGs. */
export async function paintJpegs(clip: Clip, count: number): Promise<Buffer[]> {
  const jpegs: Buffer[] = [];
  const { width, height } = clip;
  for await (const data of paintClip(clip)) {
    jpegs.push(
      await sharp(data, { raw: { width, height, channels: 3 } })
        .jpeg({ quality: 85 })
        .toBuffer(),
    );
    if (jpegs.length === count) break;
  }
  return jpegs;
}

/** An HTTP camera with a password that sends `multipart/x-mixed-replace`, ten pictures a second. */
export async function startMjpegServer(
  jpegs: readonly Buffer[],
  login: { user: string; password: string },
  port = 0,
): Promise<TestServer & { freeze(): void }> {
  let frozen = false;
  const expected = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
  const server = createServer(async (request, response) => {
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="camera"' }).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=picture' });
    let sent = 0;
    for await (const _ of every(100)) {
      if (response.destroyed) break;
      const jpeg = jpegs[sent++ % jpegs.length];
      if (frozen || !jpeg) continue;
      response.write(`--picture\r\nContent-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n`);
      response.write(jpeg);
      response.write('\r\n');
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      frozen = true;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
