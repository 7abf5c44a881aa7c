/**
 * A fake of the engine's live link: it accepts the server's socket like the engine, stores the commands, and sends notes
 * and pictures for a test.
 */
import type { AddressInfo } from 'node:net';
import { decodeMessage, encodeMessage } from '@haris/contract/live/video';
import {
  type CameraReport,
  type CameraTask,
  deviceFrameSchema,
  type SubscriptionPicture,
  VISION_LIVE_PATH,
  type VisionCommand,
  type VisionNote,
  visionCommandSchema,
} from '@haris/contract/vision-live';
import { type WebSocket, WebSocketServer } from 'ws';
import type { VisionAddress } from '../vision/address.ts';
import { tinyJpeg } from './fake-vision.ts';

type Subscribed = Extract<VisionCommand, { type: 'subscribe' }>;
type Recognition = Extract<VisionCommand, { type: 'recognition' }>;

export interface FakePicture {
  /** Appended to the first layer's JPEG, so that a test can find the picture among the bytes of a viewer. */
  readonly mark?: string;
  /** Bytes of the first layer beyond the mark. */
  readonly padding?: number;
  readonly capturedAt?: number;
  /** Ids of the children with a sharp region. */
  readonly regions?: readonly string[];
  readonly faces?: SubscriptionPicture['faces'];
  /** First layer; a tiny JPEG by default. */
  readonly base?: Uint8Array;
}

export interface FakeLive {
  address(): VisionAddress | null;
  cameras: CameraTask[];
  recognition: Recognition | null;
  /** Number of recognition commands received since the start. */
  recognitions: number;
  subscriptions: Map<number, Subscribed>;
  devicePictures: { cameraId: string; capturedAt: number; jpeg: Buffer }[];
  /** Whether live cameras are reported once a second, as by the real engine. */
  repeats: boolean;
  /** Whether zones are confirmed at once, as by the real engine. */
  covers: boolean;
  /** Number of the last command with cameras. */
  revision: number | null;
  /** Number of upgrades refused for a wrong token. */
  refused: number;
  connections(): number;
  report(cameraId: string, report?: Partial<CameraReport>): void;
  seen(note: Partial<Extract<VisionNote, { type: 'seen' }>> & { cameraId: string }): void;
  /** Sends one picture to each matching subscription. */
  show(fits: (one: Subscribed) => boolean, picture?: FakePicture): void;
  /** Sends a raw message. */
  say(data: string | Buffer): void;
  /** Breaks the connection. */
  drop(): void;
  /** While false, connections are refused. */
  up: boolean;
  stop(): Promise<void>;
}

const TOKEN = 'fake-live-token-fake-live-token';

/** Executes a command of the server. */
function obey(fake: FakeLive, command: VisionCommand): void {
  if (command.type === 'cameras') {
    fake.cameras = command.cameras;
    const { revision } = command;
    if (fake.covers && revision !== undefined)
      fake.say(JSON.stringify({ type: 'covered', revision } satisfies VisionNote));
    fake.revision = revision ?? null;
  } else if (command.type === 'recognition') {
    fake.recognition = command;
    fake.recognitions++;
  } else if (command.type === 'subscribe') fake.subscriptions.set(command.subscription, command);
  else fake.subscriptions.delete(command.subscription);
}

/** Report of a live camera. */
function liveReport(cameraId: string): CameraReport {
  return {
    cameraId,
    state: 'live',
    problem: null,
    fps: 15,
    width: 1280,
    height: 720,
    lastFrameAt: Date.now(),
    reconnects: 0,
  };
}

/** A message with a picture for one subscription. */
function encodeFakePicture(subscription: number, seq: number, picture: FakePicture): Buffer {
  const mark = Buffer.from(picture.mark ?? '');
  const base = picture.base ?? Buffer.concat([tinyJpeg, mark, Buffer.alloc(picture.padding ?? 0)]);
  const regions = picture.regions ?? [];
  const header: SubscriptionPicture = {
    subscription,
    seq,
    capturedAt: picture.capturedAt ?? 0,
    width: 1280,
    height: 720,
    layers: [
      { bytes: base.length, box: [0, 0, 1, 1] },
      ...regions.map((childId) => ({
        bytes: tinyJpeg.length,
        box: [0.1, 0.1, 0.2, 0.3] as [number, number, number, number],
        childId,
        feather: 0.1,
      })),
    ],
    ...(picture.faces ? { faces: picture.faces } : {}),
  };
  return Buffer.from(encodeMessage(header, [base, ...regions.map(() => tinyJpeg)]));
}

export async function startFakeLive(): Promise<FakeLive> {
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    path: VISION_LIVE_PATH,
    verifyClient: ({ req }: { req: { headers: Record<string, unknown> } }) => {
      if (fake.up && req.headers.authorization === `Bearer ${TOKEN}`) return true;
      fake.refused++;
      return false;
    },
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  let socket: WebSocket | null = null;
  let pictures = 0;
  const live = new Map<string, CameraReport>();
  const repeating = setInterval(() => {
    for (const [id, report] of live)
      if (fake.repeats && fake.cameras.some((camera) => camera.id === id))
        say(JSON.stringify({ type: 'report', report }));
  }, 1_000);

  server.on('connection', (connected: WebSocket) => {
    socket = connected;
    live.clear();
    fake.cameras = [];
    fake.recognition = null;
    fake.subscriptions.clear();
    connected.on('message', (data, isBinary) => {
      if (isBinary) {
        const { json, rest } = decodeMessage(data as Buffer);
        fake.devicePictures.push({ ...deviceFrameSchema.parse(json), jpeg: Buffer.from(rest) });
        return;
      }
      obey(fake, visionCommandSchema.parse(JSON.parse(String(data))));
    });
  });

  const say = (data: string | Buffer): void => socket?.send(data);
  const fake: FakeLive = {
    address: () => ({ url: `http://127.0.0.1:${port}`, token: TOKEN, server: 'test-server', ca: null }),
    cameras: [],
    recognition: null,
    recognitions: 0,
    subscriptions: new Map(),
    devicePictures: [],
    repeats: true,
    covers: true,
    revision: null,
    refused: 0,
    up: true,
    connections: () => server.clients.size,
    report(cameraId, report = {}) {
      const whole: CameraReport = { ...liveReport(cameraId), ...report };
      if (whole.state === 'live') live.set(cameraId, whole);
      else live.delete(cameraId);
      say(JSON.stringify({ type: 'report', report: whole } satisfies VisionNote));
    },
    seen(note) {
      const whole: VisionNote = {
        type: 'seen',
        trackId: 'track',
        subject: null,
        from: 0,
        to: 0,
        confidence: 0.9,
        ended: false,
        ...note,
      };
      say(JSON.stringify(whole));
    },
    show(fits, picture = {}) {
      for (const one of fake.subscriptions.values()) {
        if (!fits(one)) continue;
        say(encodeFakePicture(one.subscription, pictures++, picture));
      }
    },
    say,
    drop: () => socket?.terminate(),
    async stop() {
      clearInterval(repeating);
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}
