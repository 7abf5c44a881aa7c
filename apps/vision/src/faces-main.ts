/**
 * The faces process: runs all networks, on one photo or frame at a time. It exits with the hub, opens no port and stores
 * nothing.
 */
import { setImmediate as settle } from 'node:timers/promises';
import { createLimiter } from '@haris/runtime/limiter';
import { createLogger, describeFailure } from '@haris/runtime/log';
import { z } from 'zod';
import { loadNetworks } from './faces/networks.ts';
import { createRecognizer, FaceProblemError } from './faces/recognizer.ts';
import { UnreadablePhotoError } from './picture/photo.ts';
import { endWithHub } from './process/end-with-hub.ts';
import type { FacesNote, FacesOrder } from './process/messages.ts';
import { LiveRecognizer } from './recognition/live.ts';

const { LOG_LEVEL, VISION_MODELS_DIR, BEAT_MS } = z
  .object({ LOG_LEVEL: z.string(), VISION_MODELS_DIR: z.string(), BEAT_MS: z.coerce.number() })
  .parse(process.env);
const log = createLogger('faces', LOG_LEVEL);
const tell = (note: FacesNote): void => {
  // If the hub has just ended, `disconnect` ends this process.
  if (process.connected) process.send?.(note, () => {});
};
endWithHub();

async function start(modelsDir: string): Promise<void> {
  const loaded = await loadNetworks(modelsDir);
  const recognizer = createRecognizer(loaded);
  const live = new LiveRecognizer(loaded, (seen) => tell({ type: 'seen', seen }));
  const networks = createLimiter(1);

  /** Opens a queue for one kind of job. Each lane has at most one job in the networks' queue, so the lanes alternate. */
  function openLane(): (job: () => Promise<void>) => void {
    const lane = createLimiter(1);
    const runJob = async (job: () => Promise<void>): Promise<void> => {
      await job().catch((error: unknown) => log.error(describeFailure(error), 'failed'));
      // Handle messages that arrived in the meantime (above all a new gallery) before the next job.
      await settle();
    };
    return (job) => void lane.run(() => networks.run(() => runJob(job)));
  }
  const addPhoto = openLane();
  const addFrame = openLane();

  process.on('message', (order: FacesOrder) => {
    switch (order.type) {
      case 'photo':
        addPhoto(() => readPhoto(order));
        break;
      case 'frame':
        addFrame(() => readFrame(order));
        break;
      // Applied at once instead of queued, so that even the frame in progress does not name a child who has left.
      case 'gallery':
        live.setGallery(order.entries);
        break;
      case 'rules':
        live.setRules(order.rules);
        break;
      case 'forget':
        addFrame(async () => live.forget(order.cameraId));
        break;
    }
  });

  async function readPhoto({ id, call, photo }: Extract<FacesOrder, { type: 'photo' }>): Promise<void> {
    try {
      tell({ type: 'answer', id, value: await recognizer[call](photo) });
    } catch (error) {
      tell({ type: 'failure', id, failure: failureOf(error) });
      if (!failureOf(error)) log.error({ call, ...describeFailure(error) }, 'a photo failed');
    }
  }

  async function readFrame(order: Extract<FacesOrder, { type: 'frame' }>): Promise<void> {
    const { cameraId, seq, capturedAt: at, width, height, pixels: data } = order;
    const input = { cameraId, at, pixels: { data, width, height }, watched: new Set(order.watched) };
    try {
      await live.analyse(input, (analysis) => tell({ type: 'analysed', cameraId, seq, analysis }));
    } finally {
      tell({ type: 'done', cameraId, seq });
    }
  }
  setInterval(() => tell({ type: 'beat' }), BEAT_MS);
  tell({ type: 'ready', model: recognizer.model });
}

function failureOf(error: unknown): Extract<FacesNote, { type: 'failure' }>['failure'] {
  if (error instanceof UnreadablePhotoError) return { name: 'UnreadablePhotoError' };
  if (error instanceof FaceProblemError) return { name: 'FaceProblemError', problem: error.problem };
  return null;
}

start(VISION_MODELS_DIR).catch((error: unknown) => {
  // The message may be logged, because nothing personal has been read yet.
  log.fatal(
    { ...describeFailure(error), reason: error instanceof Error ? error.message : '' },
    'did not start',
  );
  process.exit(1);
});
