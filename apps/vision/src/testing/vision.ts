/** A vision process as the server runs it, with a session of the live wire: for tests, from the outside. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { decodeMessage, encodeMessage } from '@haris/contract/live/video';
import {
  VISION_ASKER_HEADER,
  VISION_SERVER_HEADER,
  type VisionAsker,
  visionEnrolAnswerSchema,
  visionPaths,
} from '@haris/contract/vision';
import {
  type CameraReport,
  type SubscriptionPicture,
  subscriptionPictureSchema,
  VISION_LIVE_PATH,
  type VisionCommand,
  type VisionNote,
  visionNoteSchema,
} from '@haris/contract/vision-live';
import { paintPortrait } from '@haris/painter/portrait';
import { WebSocket } from 'ws';
import { loadTestRecognizer } from './engine.ts';

const TOKEN = 'a-token-of-the-tests';
const program = join(import.meta.dirname, '../main.ts');

export interface ReceivedPicture {
  readonly header: SubscriptionPicture;
  readonly layers: readonly Buffer[];
  /** Milliseconds since 1970. */
  readonly arrivedAt: number;
}

export interface TestVision {
  readonly url: string;
  /** What the process and its children wrote to stderr. */
  readonly output: () => string;
  readonly notes: readonly VisionNote[];
  readonly pictures: readonly ReceivedPicture[];
  /** Forgets notes and pictures, so that what is waited for is new. */
  forget(): void;
  command(command: VisionCommand): void;
  /** Sends a JPEG as the server passes it on from a device. */
  push(cameraId: string, jpeg: Uint8Array): void;
  /** Waits for what `find` finds among notes and pictures; throws when it does not come. */
  wait<T>(what: string, find: () => T | undefined | false, withinMs?: number): Promise<T>;
  /** Waits for a report with this state of a camera. */
  waitFor(cameraId: string, state: CameraReport['state']): Promise<CameraReport>;
  /** The encoding of a painted person, as it is enrolled. */
  enrol(seed: number): Promise<number[]>;
  /** Sends a photo, and answers the status and the code of a refusal. */
  sendPhoto(photo: Uint8Array, asker?: VisionAsker): Promise<{ status: number; code?: string }>;
  /** Processes below the hub: the faces process, the cameras, and those that decode photos. */
  children(): { readonly pid: number; readonly program: 'faces' | 'camera' | 'photo' }[];
  /** Tries to open a wire as another server would; answers the socket, or the status of the refusal. */
  openAs(server: string, options?: { autoPong?: boolean }): Promise<WebSocket | number>;
  pid(): number;
  /** Ends the session with a farewell. */
  hangUp(): void;
  /** Resolves when the session has ended. */
  readonly closed: Promise<unknown>;
  stop(): Promise<void>;
}

export async function startTestVision(): Promise<TestVision> {
  // Makes the networks if need be, so that the process finds them.
  await loadTestRecognizer();
  const child: ChildProcess = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, VISION_TOKEN: TOKEN, LOG_LEVEL: 'debug' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  const [ready] = await once(child, 'message');
  const url = `http://127.0.0.1:${ready.port}`;
  const headers = { authorization: `Bearer ${TOKEN}`, [VISION_SERVER_HEADER]: 'the-server-of-the-tests' };
  const socket = new WebSocket(url.replace('http', 'ws') + VISION_LIVE_PATH, { headers });
  await once(socket, 'open');
  const notes: VisionNote[] = [];
  const pictures: ReceivedPicture[] = [];
  const watchers = new Set<() => void>();
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      const { json, rest } = decodeMessage(data);
      const header = subscriptionPictureSchema.parse(json);
      let at = 0;
      const layers = header.layers.map(({ bytes }) => {
        at += bytes;
        return Buffer.from(rest.subarray(at - bytes, at));
      });
      pictures.push({ header, layers, arrivedAt: Date.now() });
    } else notes.push(visionNoteSchema.parse(JSON.parse(data.toString('utf8'))));
    for (const watcher of watchers) watcher();
  });

  const closed = once(socket, 'close');
  const vision: TestVision = {
    closed,
    url,
    output: () => output,
    notes,
    pictures,
    forget() {
      notes.length = 0;
      pictures.length = 0;
    },
    command: (command) => socket.send(JSON.stringify(command)),
    push: (cameraId, jpeg) => socket.send(encodeMessage({ cameraId, capturedAt: Date.now() }, [jpeg])),
    wait(what, find, withinMs = 120_000) {
      return new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer);
          watchers.delete(look);
        };
        const timer = setTimeout(() => {
          end();
          reject(new Error(`${what} did not come`));
        }, withinMs);
        const look = (): void => {
          const found = find();
          if (found === undefined || found === false) return;
          end();
          resolve(found);
        };
        watchers.add(look);
        look();
      });
    },
    async waitFor(cameraId, state) {
      return vision.wait(`camera ${cameraId} ${state}`, () => {
        for (const note of notes.toReversed())
          if (note.type === 'report' && note.report.cameraId === cameraId && note.report.state === state)
            return note.report;
        return undefined;
      });
    },
    async enrol(seed) {
      const answer = await fetch(url + visionPaths.enrol, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: new Uint8Array(await paintPortrait({ seed })),
      });
      return visionEnrolAnswerSchema.parse(await answer.json()).encoding;
    },
    async sendPhoto(photo, asker = 'public') {
      const answer = await fetch(url + visionPaths.normalize, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/octet-stream', [VISION_ASKER_HEADER]: asker },
        body: new Uint8Array(photo),
      });
      const { code } = (await answer.json()) as { code?: string };
      return { status: answer.status, ...(code !== undefined && { code }) };
    },
    children() {
      const list = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' });
      return list.split('\n').flatMap((line) => {
        const [pid, parent, ...args] = line.trim().split(/\s+/);
        if (Number(parent) !== child.pid) return [];
        const name = /(faces|camera|photo)-main/.exec(args.join(' '))?.[1];
        return name ? [{ pid: Number(pid), program: name as 'faces' | 'camera' | 'photo' }] : [];
      });
    },
    async openAs(server, options = {}) {
      const other = new WebSocket(url.replace('http', 'ws') + VISION_LIVE_PATH, {
        headers: { ...headers, [VISION_SERVER_HEADER]: server },
        ...options,
      });
      other.on('error', () => {});
      return new Promise((resolve) => {
        other.on('open', () => resolve(other));
        other.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode ?? 0));
      });
    },
    pid: () => child.pid ?? 0,
    hangUp: () => socket.close(1000),
    async stop() {
      socket.terminate();
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
  return vision;
}
