/**
 * Starts the vision process: settings, port, and the faces process that it looks after. It runs no network and decodes
 * nothing itself, so that it answers whatever happens to those who do. Ends with its server, which it is told by the
 * IPC channel.
 */
import { ConfigError } from '@haris/runtime/config';
import { stopOnSignals } from '@haris/runtime/lifecycle';
import { createLogger, describeFailure } from '@haris/runtime/log';
import type { FastifyInstance } from 'fastify';
import { buildVisionApp } from './app.ts';
import { readConfig, type VisionConfig } from './config.ts';
import { Seat } from './live/seat.ts';
import { type LiveWire, openLiveWire } from './live/socket.ts';
import { type FacesProcess, startFacesProcess } from './process/faces-process.ts';
import { BEAT_EVERY_MS } from './process/messages.ts';
import { openPhotoDesk } from './process/photo-desk.ts';

async function start(config: VisionConfig): Promise<void> {
  const { LOG_LEVEL: logLevel, VISION_TOKEN: token, VISION_MODELS_DIR: modelsDir } = config;
  const log = createLogger('vision', logLevel);
  let app: FastifyInstance | undefined;
  let live: LiveWire | undefined;
  let faces: FacesProcess | undefined;
  let photos: ReturnType<typeof openPhotoDesk> | undefined;
  stopOnSignals({
    log,
    withParent: true,
    async stop() {
      // The processes first, so that none outlives this program.
      live?.close();
      photos?.stop();
      faces?.stop();
      await app?.close();
    },
  });
  try {
    faces = startFacesProcess(
      { modelsDir, logLevel, log },
      {
        onRunning: (running) => live?.setRecognition(running),
        onNote: (note) => live?.onFacesNote(note),
      },
    );
    photos = openPhotoDesk(faces, log);
    const seat = new Seat();
    app = buildVisionApp({ recognizer: photos, seat, token, log, tls: config.tls });
    live = openLiveWire(app.server, { token, seat, faces, log, logLevel });
    await faces.started;
    await app.listen({ host: config.VISION_HOST, port: config.VISION_PORT });
  } catch (error) {
    // Nothing personal has been read yet, so the message may be shown.
    log.fatal(
      { ...describeFailure(error), reason: error instanceof Error ? error.message : '' },
      'did not start',
    );
    process.exit(1);
  }
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.VISION_PORT;
  process.stdout.write(`vision ready on ${config.tls ? 'https' : 'http'}://${config.VISION_HOST}:${port}\n`);
  if (!process.send) return;
  const tell = (note: object): void => {
    if (process.connected) process.send?.(note, () => {});
  };
  tell({ type: 'ready', port });
  setInterval(() => tell({ type: 'beat' }), BEAT_EVERY_MS);
}

try {
  await start(readConfig(process.env));
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
