/** Extends the stay of a child inside, and takes an extension back. The stay keeps its row and its entry slip. */
import { STAY_MAX_MINUTES, UNDO_GRACE_SECONDS, UNDO_WINDOW_SECONDS } from '@haris/contract/constants';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { StayRow } from '../../db/schema.ts';
import {
  extendStayRow,
  findLastExtension,
  findOpenStay,
  undoExtensionRow,
} from '../../db/stay-extensions.ts';
import type { Tx } from '../../db/transaction.ts';
import type { KeyedRequest, StayAnswer } from './idempotency.ts';
import { answerOf, inOneStep } from './one-step.ts';

const MINUTE_MS = 60_000;
const UNDO_WITHIN_MS = (UNDO_WINDOW_SECONDS + UNDO_GRACE_SECONDS) * 1000;

/** The end of a stay, in milliseconds since 1970. */
function endOf({ entry_time, duration }: Pick<StayRow, 'entry_time' | 'duration'>): number {
  return entry_time + duration * MINUTE_MS;
}

export interface Extension {
  readonly childId: string;
  /** ISO 8601: the end of the stay as the person saw it. */
  readonly due: string;
  /** Either minutes or a moment (ISO 8601). */
  readonly minutes?: number | undefined;
  readonly until?: string | undefined;
  readonly key: string | null;
}

/** The new end: a moment, or minutes from the current end. An end that has passed counts as now. */
function newEnd(stay: StayRow, { minutes, until }: Extension, now: number): number {
  if (until !== undefined) return Date.parse(until);
  return Math.max(endOf(stay), now) + (minutes ?? 0) * MINUTE_MS;
}

/**
 * Extends a stay. Two desks that see the same end extend it once. Throws 404, `not_inside`, `stay_changed`,
 * `unsuitable_end`, `idempotency_key_reused`.
 */
export async function extendStay(context: Context, actor: Actor, extension: Extension): Promise<StayAnswer> {
  const { childId, due, minutes, until, key } = extension;
  const asks = `extend ${childId} ${due} ${minutes ?? until}`;
  return inOneStep(context, { actor, key, asks, childId }, async (tx) => {
    const stay = await findOpenStay(tx.trx, childId);
    if (!stay) throw new AppError('not_inside');
    if (endOf(stay) !== Date.parse(due)) throw new AppError('stay_changed');
    const now = context.clock.now();
    const end = newEnd(stay, extension, now);
    // A stay lasts whole minutes from its entry; rounded up, so that it does not end before the wanted time.
    const duration = Math.ceil((end - stay.entry_time) / MINUTE_MS);
    if (end <= now || duration <= stay.duration || duration > STAY_MAX_MINUTES)
      throw new AppError('unsuitable_end');
    await extendStayRow(tx.trx, stay, duration, { by: actor.id, at: now });
    return record(context, tx, actor, childId, {
      type: 'child.stay_extended',
      message: 'Stay extended',
      details: {
        stayId: stay.id,
        minutes: duration - stay.duration,
        until: toMoment(endOf({ ...stay, duration })),
      },
    });
  });
}

/**
 * Takes the last extension back, if it still determines the end. Throws 404, `nothing_to_undo`, `undo_too_late`,
 * `idempotency_key_reused`.
 */
export async function undoExtension(
  context: Context,
  actor: Actor,
  { childId, due, key }: Pick<Extension, 'childId' | 'due' | 'key'>,
): Promise<StayAnswer> {
  const request: KeyedRequest = { actor, key, asks: `undo extend ${childId} ${due}`, childId };
  return inOneStep(context, request, async (tx) => {
    const stay = await findOpenStay(tx.trx, childId);
    const last = stay && (await findLastExtension(tx.trx, stay.id));
    if (!stay || !last || last.duration_after !== stay.duration || endOf(stay) !== Date.parse(due))
      throw new AppError('nothing_to_undo');
    const now = context.clock.now();
    // Notified: the clock may have been set back since.
    if (last.notified_at !== null || now - last.extended_at > UNDO_WITHIN_MS)
      throw new AppError('undo_too_late');
    await undoExtensionRow(tx.trx, last, { by: actor.id, at: now });
    return record(context, tx, actor, childId, {
      type: 'child.stay_extension_undone',
      message: 'Extension undone',
      details: { stayId: stay.id, minutes: last.duration_after - last.duration_before },
    });
  });
}

interface Recorded {
  readonly type: 'child.stay_extended' | 'child.stay_extension_undone';
  readonly message: string;
  readonly details: Record<string, string | number>;
}

/** Writes the audit row and emits the event. */
async function record(
  context: Context,
  tx: Tx,
  actor: Actor,
  childId: string,
  { type, message, details }: Recorded,
): Promise<StayAnswer> {
  const answer = await answerOf(tx, actor, childId, message);
  await context.audit.append(tx, { actor, action: type, subject: { kind: 'child', id: childId }, details });
  await context.events.append(tx, {
    type,
    childId,
    parentId: answer.child.parent._id,
    audience: 'guardians',
  });
  return answer;
}
