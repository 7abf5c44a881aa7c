/**
 * A room with a camera that plays a painted clip, a camera that refuses the connection, and sensors with a day of
 * history.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Camera } from '@haris/contract/http/cameras';
import type { SensorSecrets } from '@haris/contract/http/sensors';
import { type Clip, writeClip } from '@haris/painter/clip';
import type { Api } from './api.ts';
import { seedOf } from './camera.ts';
import type { HarisServer } from './server.ts';

const CLIP_FILE = 'room.mp4';
const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;

/**
 * The two children of `people`, near enough to be recognised. The clip is short because it is written for each
 * server.
 */
function clipOf(people: readonly [number, number]): Clip {
  const [left, right] = people.map(seedOf) as [number, number];
  return {
    width: 640,
    height: 360,
    fps: 10,
    frames: 20,
    people: [
      { seed: left, x: { middle: 0.3, swing: 0.01 }, y: { middle: 0.42 }, head: 0.36 },
      { seed: right, x: { middle: 0.7, swing: 0.01 }, y: { middle: 0.42 }, head: 0.36 },
    ],
  };
}

export interface FurnishedRoom {
  readonly camera: Camera;
  readonly broken: Camera;
  /** A device that is not paired yet. */
  readonly tablet: Camera;
  /** Ids of the sensors created, for {@link clearRoom}. */
  readonly sensorIds: readonly string[];
}

/** Creates the room; the server must have neither cameras nor sensors. */
export async function furnishRoom(
  api: Api,
  server: HarisServer,
  people: readonly [number, number],
): Promise<FurnishedRoom> {
  const { token } = await api.administrator();
  const media = join(server.dataDir, 'media');
  mkdirSync(media, { recursive: true });
  if (!existsSync(join(media, CLIP_FILE))) await writeClip(clipOf(people), join(media, CLIP_FILE));
  const post = <T>(path: string, json: object) => api.call<T>(path, { method: 'POST', token, json });
  const addCamera = async (json: object) => (await post<{ camera: Camera }>('/api/cameras', json)).camera;
  const camera = await addCamera({ name: 'By the door', area: 'Playroom', kind: 'file', url: CLIP_FILE });
  // Nobody listens on the discard port.
  const broken = await addCamera({
    name: 'Garden',
    area: 'Outside',
    kind: 'mjpeg',
    url: 'http://127.0.0.1:9/video.mjpg',
  });
  const tablet = await addCamera({ name: 'Old tablet', area: 'Nap room', kind: 'browser' });
  const zone = [
    [0.02, 0.05],
    [0.14, 0.05],
    [0.14, 0.5],
    [0.02, 0.5],
  ];
  await api.call(`/api/cameras/${camera._id}`, { method: 'PUT', token, json: { zones: [zone] } });

  const addSensor = (json: object) => post<SensorSecrets>('/api/sensors', { kind: 'haris', ...json });
  const window = await addSensor({ name: 'By the window', area: 'Playroom', period: 600 });
  const bed = await addSensor({ name: 'Above the beds', area: 'غرفة النوم', period: 1 });
  const silent = await addSensor({ name: 'In the hall', area: 'Hall' });
  await Promise.all([
    send(server, window, { temperature: 22.5, humidity: 44, mq2: 150 }),
    send(server, bed, { temperature: 24.1, humidity: 51 }),
  ]);
  writeDay(server.dataDir, window.sensor._id);
  return { camera, broken, tablet, sensorIds: [window, bed, silent].map(({ sensor }) => sensor._id) };
}

/** Removes the room. */
export async function clearRoom(api: Api, room: FurnishedRoom): Promise<void> {
  const { token } = await api.administrator();
  const paths = [
    ...[room.camera, room.broken, room.tablet].map(({ _id }) => `/api/cameras/${_id}`),
    ...room.sensorIds.map((id) => `/api/sensors/${id}`),
  ];
  for (const path of paths) await api.call(path, { method: 'DELETE', token });
}

/** Sends a reading like a device without MQTT. */
async function send(
  server: HarisServer,
  { sensor, deviceKey }: SensorSecrets,
  reading: object,
): Promise<void> {
  const answer = await fetch(`${server.url()}/api/sensors/${sensor._id}/readings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-device-key': deviceKey },
    body: JSON.stringify(reading),
  });
  if (answer.status !== 202)
    throw new Error(`a reading was answered ${answer.status}: ${await answer.text()}`);
}

/** Writes a day of minute means to the database of the running server, since a test cannot wait a day. */
function writeDay(dataDir: string, sensorId: string): void {
  const db = new DatabaseSync(join(dataDir, 'haris.db'));
  try {
    db.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
    const insert = db.prepare(
      `INSERT INTO sensor_means (sensor_id, step, at,
         temperature_count, temperature_mean, temperature_min, temperature_max,
         humidity_count, humidity_mean, humidity_min, humidity_max, mq2_count, mq2_mean, mq2_min, mq2_max)
       VALUES (?, 'minute', ?, 6, ?, ?, ?, 6, ?, ?, ?, 6, ?, ?, ?)`,
    );
    const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    // Every fifth minute is enough for a line.
    for (let minute = 5; minute < DAY_MINUTES; minute += 5) {
      const wave = Math.sin((2 * Math.PI * minute) / DAY_MINUTES);
      const around = (mean: number, spread: number) => [mean, mean - spread, mean + spread];
      insert.run(
        sensorId,
        now - minute * MINUTE_MS,
        ...around(22.5 + wave, 0.3),
        ...around(44 + 4 * wave, 1),
        ...around(150 - 20 * wave, 6),
      );
    }
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}
