/** Runs a vision process as the server does, with a session of the live wire, for tests from the outside. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { decodeMessage, encodeMessage } from '@haris/contract/live/video';
import {
  VISION_ASKER_HEADER,
  VISION_SERVER_HEADER,
  type VisionAsker,
  type VisionGallery,
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
import type { Limits } from '../process/limits.ts';
import { loadTestRecognizer } from './engine.ts';

const TOKEN = 'a-token-of-the-tests';
const SERVER = 'the-server-of-the-tests';
const program = join(import.meta.dirname, '../main.ts');
const quickProgram = join(import.meta.dirname, 'program.ts');

export interface ReceivedPicture {
  readonly header: SubscriptionPicture;
  readonly layers: readonly Buffer[];
  /** Milliseconds since 1970. */
  readonly arrivedAt: number;
}

export interface TestVision {
  readonly url: string;
  /** Stderr output of the process and its children. */
  readonly output: () => string;
  readonly notes: readonly VisionNote[];
  readonly pictures: readonly ReceivedPicture[];
  /** Discards received notes and pictures, so that later waits see only new ones. */
  forget(): void;
  command(command: VisionCommand): void;
  /** Replaces the gallery. */
  putGallery(entries: VisionGallery['entries']): Promise<void>;
  /** Sends a device's JPEG in the same form as the server. */
  push(cameraId: string, jpeg: Uint8Array): void;
  /** Waits until `find` returns a result from the notes and pictures; throws on a time-out. */
  wait<T>(what: string, find: () => T | undefined | false, withinMs?: number): Promise<T>;
  /** Waits for a report with this state of a camera. */
  waitFor(cameraId: string, state: CameraReport['state']): Promise<CameraReport>;
  /** The encoding that `enrol` returns for a painted person. */
  enrol(seed: number): Promise<number[]>;
  /** Sends a photo; returns the status and the code of a refusal. */
  sendPhoto(photo: Uint8Array, asker?: VisionAsker): Promise<{ status: number; code?: string }>;
  /** Child processes of the hub: the faces process, camera processes and photo processes. */
  children(): { readonly pid: number; readonly program: 'faces' | 'camera' | 'photo' }[];
  /** Tries to open a wire as another server; returns the socket or the status of the refusal. */
  openAs(server: string, options?: { autoPong?: boolean }): Promise<WebSocket | number>;
  pid(): number;
  /** Ends the session with a farewell. */
  hangUp(): void;
  /** Resolves when the session has ended. */
  readonly closed: Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts the program; `limits` replaces the product's time limits with shorter ones. */
export async function startTestVision(limits?: Partial<Limits>): Promise<TestVision> {
  // Export the networks if they are missing, so that the process finds them.
  await loadTestRecognizer();
  const child = spawn(process.execPath, [limits ? quickProgram : program], {
    env: {
      PATH: process.env.PATH,
      VISION_TOKEN: TOKEN,
      LOG_LEVEL: 'debug',
      ...(limits && { TEST_LIMITS: JSON.stringify(limits) }),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  const [ready] = await once(child, 'message');
  const url = `http://127.0.0.1:${ready.port}`;
  const socket = openSocket(url, SERVER);
  await once(socket, 'open');
  const received = collect(socket);
  let revision = 0;
  const vision: TestVision = {
    closed: once(socket, 'close'),
    url,
    output: () => output,
    ...received,
    command: (command) => socket.send(JSON.stringify(command)),
    push: (cameraId, jpeg) => socket.send(encodeMessage({ cameraId, capturedAt: Date.now() }, [jpeg])),
    async putGallery(entries) {
      const answer = await fetch(url + visionPaths.gallery, {
        method: 'PUT',
        headers: { ...headersOf(SERVER), 'content-type': 'application/json' },
        body: JSON.stringify({ revision: ++revision, entries }),
      });
      if (answer.status !== 204) throw new Error(`the gallery was refused: ${answer.status}`);
    },
    async waitFor(cameraId, state) {
      return vision.wait(`camera ${cameraId} ${state}`, () => {
        for (const note of vision.notes.toReversed())
          if (note.type === 'report' && note.report.cameraId === cameraId && note.report.state === state)
            return note.report;
        return undefined;
      });
    },
    async enrol(seed) {
      const answer = await post(url, visionPaths.enrol, await paintPortrait({ seed }));
      return visionEnrolAnswerSchema.parse(await answer.json()).encoding;
    },
    async sendPhoto(photo, asker = 'public') {
      const answer = await post(url, visionPaths.normalize, photo, { [VISION_ASKER_HEADER]: asker });
      const { code } = (await answer.json()) as { code?: string };
      return { status: answer.status, ...(code !== undefined && { code }) };
    },
    children: () => childrenOf(child.pid),
    async openAs(server, options = {}) {
      const other = openSocket(url, server, options);
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

const headersOf = (server: string): Record<string, string> => ({
  authorization: `Bearer ${TOKEN}`,
  [VISION_SERVER_HEADER]: server,
});

function openSocket(url: string, server: string, options: { autoPong?: boolean } = {}): WebSocket {
  const address = url.replace('http', 'ws') + VISION_LIVE_PATH;
  return new WebSocket(address, { headers: headersOf(server), ...options });
}

function post(
  url: string,
  path: string,
  photo: Uint8Array,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { ...headersOf(SERVER), 'content-type': 'application/octet-stream', ...headers },
    body: new Uint8Array(photo),
  });
}

/** Collects all messages from the socket and lets tests wait for some of them. */
function collect(socket: WebSocket): Pick<TestVision, 'notes' | 'pictures' | 'forget' | 'wait'> {
  const notes: VisionNote[] = [];
  const pictures: ReceivedPicture[] = [];
  const watchers = new Set<() => void>();
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) pictures.push(readPicture(data));
    else notes.push(visionNoteSchema.parse(JSON.parse(data.toString('utf8'))));
    for (const watcher of watchers) watcher();
  });
  return {
    notes,
    pictures,
    forget() {
      notes.length = 0;
      pictures.length = 0;
    },
    wait(what, find, withinMs = 600_000) {
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
  };
}

function readPicture(data: Buffer): ReceivedPicture {
  const { json, rest } = decodeMessage(data);
  const header = subscriptionPictureSchema.parse(json);
  let at = 0;
  const layers = header.layers.map(({ bytes }) => {
    at += bytes;
    return Buffer.from(rest.subarray(at - bytes, at));
  });
  return { header, layers, arrivedAt: Date.now() };
}

function childrenOf(hub: number | undefined): ReturnType<TestVision['children']> {
  const list = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return list.split('\n').flatMap((line) => {
    const [pid, parent, ...args] = line.trim().split(/\s+/);
    if (Number(parent) !== hub) return [];
    const name = /(faces|camera|photo)-main/.exec(args.join(' '))?.[1];
    return name ? [{ pid: Number(pid), program: name as 'faces' | 'camera' | 'photo' }] : [];
  });
}
