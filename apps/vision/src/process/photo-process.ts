/**
 * A photo process as the hub sees it: started, given one photo at a time, and replaced when a photo takes too long or
 * takes it along. Whatever a photo does ends with the answer to its own sender.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Logger } from '@haris/runtime/log';
import { startWatchdog } from '@haris/runtime/watchdog';
import { type KeptPhoto, type Photo, UnreadablePhotoError } from '../picture/photo.ts';
import { asBuffer } from './as-buffer.ts';
import { FacesDownError } from './faces-process.ts';
import { type PhotoNote, type PhotoOrder, photoNoteSchema } from './photo-messages.ts';

/**
 * One call at a time. Both throw UnreadablePhotoError, also for a photo that took longer than 8 s, and FacesDownError when the process ended
 * for another reason.
 */
export interface PhotoProcess {
  read(bytes: Uint8Array): Promise<Photo>;
  keep(bytes: Uint8Array): Promise<KeptPhoto>;
  /** Process id while it runs. */
  readonly pid: number | undefined;
  stop(): void;
}

/** The largest photo within the bounds takes a second, several on a small computer. */
const PHOTO_WITHIN_MS = 8_000;
const START_WITHIN_MS = 30_000;

const program = join(import.meta.dirname, '../photo-main.ts');

/** The process is started with its first photo, and after it ended with the next one. */
export function createPhotoProcess({ log }: { readonly log: Logger }): PhotoProcess {
  let child: ChildProcess | null = null;
  let ready = false;
  let stopping = false;

  function start(): ChildProcess {
    const mine = fork(program, {
      serialization: 'advanced',
      env: { PATH: process.env.PATH },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child = mine;
    ready = false;
    mine.once('message', () => {
      if (child === mine) ready = true;
    });
    const forget = (): void => {
      if (child === mine) child = null;
    };
    mine.once('exit', forget);
    mine.once('error', forget);
    return mine;
  }

  function ask(order: PhotoOrder): Promise<PhotoNote> {
    if (stopping) return Promise.reject(new FacesDownError());
    const mine = child ?? start();
    return new Promise((resolve, reject) => {
      const end = (): void => {
        watchdog.stop();
        mine.off('message', onMessage);
        mine.off('exit', onEnd);
        mine.off('error', onEnd);
      };
      const giveUp = (error: Error): void => {
        end();
        if (child === mine) child = null;
        mine.kill('SIGKILL');
        reject(error);
      };
      const onLate = (): void => {
        log.warn({ pid: mine.pid, ready }, 'a photo took too long: its process is replaced');
        giveUp(ready ? new UnreadablePhotoError() : new FacesDownError());
      };
      let watchdog = startWatchdog(ready ? PHOTO_WITHIN_MS : START_WITHIN_MS, onLate);
      const onMessage = (message: unknown): void => {
        const note = photoNoteSchema.safeParse(message);
        if (!note.success) {
          log.error({ pid: mine.pid }, 'a photo process said something else');
          giveUp(new FacesDownError());
        } else if (note.data.type === 'ready') {
          watchdog.stop();
          watchdog = startWatchdog(PHOTO_WITHIN_MS, onLate);
        } else {
          end();
          resolve(note.data);
        }
      };
      const onEnd = (): void => {
        log.warn({ pid: mine.pid }, 'a photo process ended');
        giveUp(new FacesDownError());
      };
      mine.on('message', onMessage);
      mine.once('exit', onEnd);
      mine.once('error', onEnd);
      mine.send(order, () => {});
    });
  }

  return {
    get pid() {
      return child?.pid;
    },
    async read(bytes) {
      const note = await ask({ type: 'read', bytes });
      if (note.type !== 'read') throw new UnreadablePhotoError();
      return note;
    },
    async keep(bytes) {
      const note = await ask({ type: 'keep', bytes });
      if (note.type !== 'kept') throw new UnreadablePhotoError();
      return { jpeg: asBuffer(note.jpeg), width: note.width, height: note.height };
    },
    stop() {
      stopping = true;
      child?.kill('SIGKILL');
    },
  };
}
