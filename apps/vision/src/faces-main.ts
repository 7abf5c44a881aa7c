/**
 * The faces process: runs all networks, one picture after the other. Photos and live pictures take turns. Started by
 * the hub, with which it ends; it listens nowhere and keeps nothing.
 */
import { createLogger, describeFailure } from '@haris/runtime/log';
import { z } from 'zod';
import { loadNetworks } from './faces/networks.ts';
import { createRecognizer, FaceProblemError } from './faces/recognizer.ts';
import { UnreadablePhotoError } from './picture/photo.ts';
import { endWithHub } from './process/end-with-hub.ts';
import { BEAT_EVERY_MS, type FacesNote, type FacesOrder } from './process/messages.ts';
import { createTurns } from './process/turns.ts';
import { LiveRecognizer } from './recognition/live.ts';

const { LOG_LEVEL, VISION_MODELS_DIR } = z
  .object({ LOG_LEVEL: z.string(), VISION_MODELS_DIR: z.string() })
  .parse(process.env);
const log = createLogger('faces', LOG_LEVEL);
const tell = (note: FacesNote): void => {
  // The hub may be gone at this very moment: there is nobody left to hear of it, and `disconnect` ends this process.
  if (process.connected) process.send?.(note, () => {});
};
endWithHub();

async function start(modelsDir: string): Promise<void> {
  const networks = await loadNetworks(modelsDir);
  const recognizer = createRecognizer(networks);
  const live = new LiveRecognizer(networks, (seen) => tell({ type: 'seen', seen }));
  const turns = createTurns((error) => log.error(describeFailure(error), 'failed'));

  process.on('message', (order: FacesOrder) => {
    switch (order.type) {
      case 'photo':
        turns.addPhoto(() => readPhoto(order));
        break;
      case 'frame':
        turns.addFrame(() => readFrame(order));
        break;
      case 'roster':
        // At once, between two waits of a picture under way: a child that left must not be named one picture longer.
        live.setRoster(order.roster);
        break;
      case 'forget':
        turns.addFrame(async () => live.forget(order.cameraId));
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
  setInterval(() => tell({ type: 'beat' }), BEAT_EVERY_MS);
  tell({ type: 'ready', model: recognizer.model });
}

function failureOf(error: unknown): Extract<FacesNote, { type: 'failure' }>['failure'] {
  if (error instanceof UnreadablePhotoError) return { name: 'UnreadablePhotoError' };
  if (error instanceof FaceProblemError) return { name: 'FaceProblemError', problem: error.problem };
  return null;
}

start(VISION_MODELS_DIR).catch((error: unknown) => {
  // Nothing personal has been read yet, so the message may be shown.
  log.fatal(
    { ...describeFailure(error), reason: error instanceof Error ? error.message : '' },
    'did not start',
  );
  process.exit(1);
});
