/**
 * Starts the face engine: opens its port and supervises its processes. The hub runs no network and decodes nothing, so it
 * keeps responding when one of those processes fails. It exits with its server, whose end closes the IPC channel.
 */
import { stopOnSignals } from '@haris/runtime/lifecycle';
import { createLogger, describeFailure, type Logger } from '@haris/runtime/log';
import type { FastifyInstance } from 'fastify';
import { buildVisionApp } from './app.ts';
import type { VisionConfig } from './config.ts';
import { EnrolledFaces } from './faces/enrolled.ts';
import { Seat } from './live/seat.ts';
import { type LiveWire, openLiveWire } from './live/socket.ts';
import { type FacesProcess, startFacesProcess } from './process/faces-process.ts';
import type { Limits } from './process/limits.ts';
import { openPhotoDesk } from './process/photo-desk.ts';

/** Resolves when the engine listens; exits the process if it cannot start. */
export async function startVision(config: VisionConfig, limits: Limits): Promise<void> {
  const log = createLogger('vision', config.LOG_LEVEL);
  const parts: Parts = {};
  stopOnSignals({
    log,
    withParent: true,
    async stop() {
      // Stop the child processes first, so that none outlives this program.
      parts.live?.close();
      parts.photos?.stop();
      parts.faces?.stop();
      await parts.app?.close();
    },
  });
  try {
    const port = await listen(config, limits, log, parts);
    const scheme = config.tls ? 'https' : 'http';
    process.stdout.write(`vision ready on ${scheme}://${config.VISION_HOST}:${port}\n`);
    reportToParent(port, limits.beatMs);
  } catch (error) {
    // The message may be logged, because nothing personal has been read yet.
    log.fatal(
      { ...describeFailure(error), reason: error instanceof Error ? error.message : '' },
      'did not start',
    );
    process.exit(1);
  }
}

/** Parts opened so far, for `stop`. */
interface Parts {
  app?: FastifyInstance;
  live?: LiveWire;
  faces?: FacesProcess;
  photos?: ReturnType<typeof openPhotoDesk>;
}

/** Starts all parts and returns the port. */
async function listen(
  { LOG_LEVEL: logLevel, VISION_TOKEN: token, ...config }: VisionConfig,
  limits: Limits,
  log: Logger,
  parts: Parts,
): Promise<number> {
  const faces = startFacesProcess(
    { modelsDir: config.VISION_MODELS_DIR, logLevel, log, limits },
    {
      onRunning: (running) => parts.live?.setRecognition(running),
      onNote: (note) => parts.live?.onFacesNote(note),
    },
  );
  parts.faces = faces;
  const photos = openPhotoDesk(faces, log);
  parts.photos = photos;
  const seat = new Seat(limits.graceMs, limits.pingMs);
  const enrolled = new EnrolledFaces();
  const app = buildVisionApp({ recognizer: photos, enrolled, seat, token, log, tls: config.tls });
  parts.app = app;
  parts.live = openLiveWire(app.server, { token, seat, enrolled, faces, log, logLevel, limits });
  await faces.started;
  await app.listen({ host: config.VISION_HOST, port: config.VISION_PORT });
  const address = app.server.address();
  return typeof address === 'object' && address ? address.port : config.VISION_PORT;
}

/** Sends the port and then regular heartbeats to the server that started this program. */
function reportToParent(port: number, beatMs: number): void {
  if (!process.send) return;
  const tell = (note: object): void => {
    if (process.connected) process.send?.(note, () => {});
  };
  tell({ type: 'ready', port });
  setInterval(() => tell({ type: 'beat' }), beatMs);
}
