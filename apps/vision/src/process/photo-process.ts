/**
 * The hub's side of a photo process: starts it, gives it one photo at a time, and replaces it when a photo takes too long
 * or crashes it. A harmful photo affects only its own sender.
 */
import { join } from 'node:path';
import { type Child, startChild } from '@haris/runtime/child';
import type { Logger } from '@haris/runtime/log';
import { startWatchdog } from '@haris/runtime/watchdog';
import { type KeptPhoto, LatePhotoError, type Photo, UnreadablePhotoError } from '../picture/photo.ts';
import { asBuffer } from './as-buffer.ts';
import { FacesDownError } from './faces-process.ts';
import { type PhotoNote, type PhotoOrder, photoNoteSchema } from './photo-messages.ts';

/**
 * Allows one call at a time. `read` and `keep` throw UnreadablePhotoError, LatePhotoError for a photo that took longer than 8 s,
 * and FacesDownError when the process ended for another reason.
 */
export interface PhotoProcess {
  read(bytes: Uint8Array): Promise<Photo>;
  keep(bytes: Uint8Array): Promise<KeptPhoto>;
  /** Process id while it runs. */
  readonly pid: number | undefined;
  stop(): void;
}

/** The largest photo within the bounds takes a second, or several on a small computer. Milliseconds. */
const PHOTO_WITHIN_MS = 8_000;
const START_WITHIN_MS = 30_000;

const program = join(import.meta.dirname, '../photo-main.ts');

/** The photo that the process is working on. */
interface Work {
  onNote(note: PhotoNote): void;
  /** The process must no longer be used; `problem` is the reason. */
  onFailure(problem: 'late' | 'nonsense' | 'ended'): void;
}

/** Starts the process with the first photo, and restarts an ended process with the next photo. */
export function createPhotoProcess({ log }: { readonly log: Logger }): PhotoProcess {
  let running: { readonly child: Child; ready: boolean } | null = null;
  let work: Work | null = null;
  let isStopped = false;

  function start(): NonNullable<typeof running> {
    const child = startChild(
      { program, serialization: 'advanced' },
      {
        onMessage(message) {
          if (running !== mine) return;
          const note = photoNoteSchema.safeParse(message);
          if (!note.success) {
            log.error({ pid: child.pid }, 'a photo process sent an unknown message');
            work?.onFailure('nonsense');
            return;
          }
          if (note.data.type === 'ready') mine.ready = true;
          work?.onNote(note.data);
        },
        onEnd() {
          if (running !== mine) return;
          log.warn({ pid: child.pid }, 'a photo process ended');
          running = null;
          work?.onFailure('ended');
        },
      },
    );
    const mine = { child, ready: false };
    running = mine;
    return mine;
  }

  function ask(order: PhotoOrder): Promise<PhotoNote> {
    if (isStopped) return Promise.reject(new FacesDownError());
    const mine = running ?? start();
    return new Promise((resolve, reject) => {
      const onLate = (): void => {
        log.warn(
          { pid: mine.child.pid, ready: mine.ready },
          'a photo took too long: its process is replaced',
        );
        work?.onFailure('late');
      };
      let watchdog = startWatchdog(mine.ready ? PHOTO_WITHIN_MS : START_WITHIN_MS, onLate);
      work = {
        onNote(note) {
          watchdog.stop();
          if (note.type === 'ready') {
            watchdog = startWatchdog(PHOTO_WITHIN_MS, onLate);
            return;
          }
          work = null;
          resolve(note);
        },
        onFailure(problem) {
          watchdog.stop();
          work = null;
          if (running === mine) running = null;
          void mine.child.stop();
          reject(problem === 'late' && mine.ready ? new LatePhotoError() : new FacesDownError());
        },
      };
      mine.child.send(order);
    });
  }

  return {
    get pid() {
      return running?.child.pid;
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
      isStopped = true;
      if (work) work.onFailure('ended');
      else void running?.child.stop();
    },
  };
}
