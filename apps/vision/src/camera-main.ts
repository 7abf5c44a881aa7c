/**
 * A camera process: holds one connection to one camera, decodes its frames and encodes pictures. When the camera fails,
 * the process reports the reason and exits, and the hub starts a new one. It exits with the hub and opens no port.
 */
import type { CameraTask } from '@haris/contract/vision-live';
import { createLogger, describeFailure } from '@haris/runtime/log';
import { type Frame, Log } from 'node-av';
import { AV_LOG_QUIET } from 'node-av/constants';
import { z } from 'zod';
import { Pipeline } from './camera/pipeline.ts';
import { endWithHub } from './process/end-with-hub.ts';
import type { CameraNote, CameraOrder, CameraProblem } from './process/messages.ts';
import { openSource, type Source } from './sources/source.ts';
import { SourceError } from './sources/source-error.ts';

const { LOG_LEVEL, BEAT_MS } = z
  .object({ LOG_LEVEL: z.string(), BEAT_MS: z.coerce.number() })
  .parse(process.env);
const log = createLogger('camera', LOG_LEVEL);
// The library's log messages contain camera addresses with passwords.
Log.setLevel(AV_LOG_QUIET);

/** Without a frame for this long, the camera counts as failed. Milliseconds. */
const FROZEN_MS = 5_000;
const FIRST_PICTURE_MS = 15_000;

const tell = (note: CameraNote): void => {
  // If the hub has just ended, `disconnect` ends this process.
  if (process.connected) process.send?.(note, () => {});
};
endWithHub();

tell({ type: 'beat' });
setInterval(() => tell({ type: 'beat' }), BEAT_MS);

const pipeline = new Pipeline(tell);
const openedAt = Date.now();
let task: CameraTask | null = null;
let source: Source | null = null;
let last = { at: 0, width: 0, height: 0 };
let counted = { frames: 0, since: openedAt };

function fail(problem: CameraProblem): void {
  if (!process.connected) process.exit(0);
  // The message must be sent before the channel closes.
  process.send?.({ type: 'problem', problem } satisfies CameraNote, () => process.exit(0));
}

function tellStatus(): void {
  const now = Date.now();
  const fps = Math.round((counted.frames / (now - counted.since)) * 10_000) / 10;
  counted = { frames: 0, since: now };
  tell({ type: 'status', fps, width: last.width, height: last.height, lastFrameAt: last.at });
}

function take(frame: Frame, at = Date.now()): void {
  const isFirst = last.at === 0;
  last = { at, width: frame.width, height: frame.height };
  counted.frames++;
  if (isFirst) {
    counted.since = at - 1_000 / 15;
    tellStatus();
  }
  pipeline.add(frame, at);
}

function open(next: CameraTask): void {
  task = next;
  pipeline.setZones(next.zones);
  source = openSource(next, (frame) => take(frame));
  source.ended.then(
    // A camera's stream must not end, so an end without an error is a failure too.
    () => fail('unreachable'),
    (error: unknown) => {
      if (error instanceof SourceError) return fail(error.problem);
      log.error(describeFailure(error), 'failed');
      process.exit(1);
    },
  );
  setInterval(() => {
    const now = Date.now();
    if (now - last.at < 1_500) tellStatus();
    // A browser device initiates the connection, so restarting this process would not help.
    if (next.kind === 'browser') return;
    if (last.at === 0 ? now - openedAt > FIRST_PICTURE_MS : now - last.at > FROZEN_MS)
      fail(last.at === 0 ? 'no_picture' : 'frozen');
  }, 1_000);
}

process.on('message', (order: CameraOrder) => {
  switch (order.type) {
    case 'task':
      if (!task) open(order.task);
      break;
    case 'zones':
      pipeline.order(order);
      tell({ type: 'zonesSet' });
      break;
    case 'jpeg':
      source?.push(order.jpeg);
      tell({ type: 'jpegTaken' });
      break;
    default:
      pipeline.order(order);
  }
});
