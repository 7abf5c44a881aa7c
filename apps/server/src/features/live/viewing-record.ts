/** Writes an audit row when a viewer starts to watch a child or camera, and one when the viewer ends. */
import { describeFailure } from '@haris/runtime/log';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { PictureFormat } from './picture-encoder.ts';
import type { Subject } from './rights.ts';
import type { EndReason } from './sink.ts';

export interface ViewingRecord {
  /** Rejects if the row cannot be written; the caller must then not show pictures. */
  started(actor: Actor, subject: Subject, format: PictureFormat): Promise<void>;
  /** `startedAt`: milliseconds since 1970. */
  ended(
    viewing: { readonly actor: Actor; readonly subject: Subject; readonly startedAt: number },
    reason: EndReason | 'left',
  ): void;
  /** Resolves when all rows are written or have failed. */
  settled(): Promise<void>;
}

export function openViewingRecord({
  db,
  audit,
  clock,
  log,
}: Pick<Context, 'db' | 'audit' | 'clock' | 'log'>): ViewingRecord {
  let writing: Promise<unknown> = Promise.resolve();

  return {
    started: (actor, subject, format) =>
      inTransaction(db, (tx) =>
        audit.append(tx, { actor, action: 'video.started', subject, details: { format } }),
      ),
    ended({ actor, subject, startedAt }, reason) {
      const seconds = Math.round((clock.now() - startedAt) / 1_000);
      const written = inTransaction(db, (tx) =>
        audit.append(tx, { actor, action: 'video.ended', subject, details: { reason, seconds } }),
      ).catch((error: unknown) => log.error(describeFailure(error), 'the end of a viewer was not recorded'));
      writing = Promise.all([writing, written]);
    },
    async settled() {
      await writing;
    },
  };
}
