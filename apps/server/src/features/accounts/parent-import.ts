/**
 * Imports parents from a file and invites each by mail. A faulty file is refused as a whole; a correct one is added in
 * portions, so that the desk can work meanwhile.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Language } from '@haris/contract/fields';
import {
  EMAIL_HAS_ACCOUNT,
  EMAIL_TWICE_IN_FILE,
  type ImportProblem,
  importFieldSchema,
  importProblemSchema,
  importRowSchema,
  type RawImportRow,
} from '@haris/contract/http/imports';
import { describeFailure } from '@haris/runtime/log';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { refuseBesideSample } from '../../beside-sample.ts';
import type { Context } from '../../context.ts';
import type { AuditFact } from '../../db/audit.ts';
import {
  askedHere,
  claimKey,
  findUnfinished,
  type KeyClaim,
  keepAnswer,
  UNFINISHED,
} from '../../db/idempotency.ts';
import { findTakenEmails, insertParent } from '../../db/parents.ts';
import type { Database } from '../../db/schema.ts';
import { inTransaction, isUniqueViolation, type Tx } from '../../db/transaction.ts';
import { acrossFacilities } from '../../facility.ts';
import { mailLink } from '../../mail/account-mails.ts';
import { admitImport, countPortion } from './invitations.ts';

/** Pause between two invitations of an import, so that no mail server treats them as spam. Milliseconds. */
const MAIL_PAUSE_MS = 1_000;
/** Invitations sent without a pause: a small import arrives while the parents are still at the desk. */
const MAILS_AT_ONCE = 20;
/** Rows per transaction. The embedded database has one connection, so a check-in may have to wait for one portion. */
const PORTION_ROWS = 25;
/** Attempts per portion. An attempt fails if somebody registers with one of its e-mails at the same moment. */
const PORTION_TRIES = 5;
/** E-mails per query. */
const EMAILS_AT_ONCE = 500;
/** Maximum number of problems in a refusal; a preview lists all. */
const PROBLEMS_IN_REFUSAL = 50;

type ImportRow = z.output<typeof importRowSchema>;

interface Checked {
  /** Complete only if there is no problem. */
  readonly rows: readonly ImportRow[];
  readonly problems: readonly ImportProblem[];
}

/** Checks the rows without the database: the rules of each field, and duplicate e-mails. */
function checkRows(raw: readonly RawImportRow[]): Checked {
  const rows: ImportRow[] = [];
  const problems: ImportProblem[] = [];
  const firstWith = new Map<string, number>();
  for (const [row, cells] of raw.entries()) {
    const parsed = importRowSchema.safeParse(cells);
    const email = importRowSchema.shape.email.safeParse(cells.email);
    if (!parsed.success) {
      const named = new Set<string>();
      for (const issue of parsed.error.issues) {
        const field = importFieldSchema.parse(issue.path[0]);
        if (!named.has(field)) problems.push({ row, field, message: issue.message });
        named.add(field);
      }
    } else rows.push(parsed.data);
    if (!email.success) continue;
    if (firstWith.has(email.data)) problems.push({ row, field: 'email', message: EMAIL_TWICE_IN_FILE });
    else firstWith.set(email.data, row);
  }
  return { rows, problems };
}

/** Problems of rows whose e-mail already has an account. */
async function findTaken(
  db: Kysely<Database> | Transaction<Database>,
  raw: readonly RawImportRow[],
): Promise<ImportProblem[]> {
  const emails = raw.map(({ email }) => importRowSchema.shape.email.safeParse(email).data);
  const known = [...new Set(emails.filter((email) => email !== undefined))];
  const taken = new Set<string>();
  for (let start = 0; start < known.length; start += EMAILS_AT_ONCE) {
    const some = known.slice(start, start + EMAILS_AT_ONCE);
    // An account of another facility has its e-mail too.
    for (const email of await acrossFacilities(() => findTakenEmails(db, some))) taken.add(email);
  }
  return emails.flatMap((email, row) =>
    email !== undefined && taken.has(email)
      ? [{ row, field: 'email' as const, message: EMAIL_HAS_ACCOUNT }]
      : [],
  );
}

/** All problems of the rows, in their order. Changes nothing. */
export async function previewImport(
  context: Context,
  raw: readonly RawImportRow[],
): Promise<readonly ImportProblem[]> {
  const problems = [...checkRows(raw).problems, ...(await findTaken(context.db, raw))];
  return problems.sort((a, b) => a.row - b.row);
}

function fieldsOf(problems: readonly ImportProblem[]): Record<string, string> {
  return Object.fromEntries(
    problems.slice(0, PROBLEMS_IN_REFUSAL).map(({ row, field, message }) => [`${row}.${field}`, message]),
  );
}

/** Progress of an import, stored under its key with each portion. */
const progressSchema = z.object({
  /** Number of processed rows. */
  done: z.number().int(),
  created: z.number().int(),
  leftOut: z.array(importProblemSchema),
});
type Progress = z.infer<typeof progressSchema>;

export interface Imported {
  readonly created: number;
  readonly leftOut: ImportProblem[];
}

interface Import {
  readonly actor: Actor;
  readonly raw: readonly RawImportRow[];
  readonly rows: readonly ImportRow[];
  readonly language: Language;
  readonly claim: KeyClaim;
}

/**
 * Adds the parents of all rows, in portions. Refuses the whole file if a row breaks a rule or has the e-mail of an account.
 * If a row's e-mail gets an account during the import, that row is left out and listed in the result. A second call with
 * the same key continues after the last portion, and returns the same result.
 * Throws 400 with `<row>.<field>` if a row breaks a rule, `too_many_attempts`, `import_refused` if an account existed before,
 * `import_unfinished` if the database failed half-way, `idempotency_key_reused`.
 */
export async function importParents(
  context: Context,
  actor: Actor,
  raw: readonly RawImportRow[],
  { language, key }: { language: Language; key: string },
): Promise<Imported> {
  const { rows, problems } = checkRows(raw);
  const [first] = problems;
  if (first) throw new AppError('invalid_request', { message: first.message, fields: fieldsOf(problems) });
  const claim: KeyClaim = {
    actorId: actor.id,
    key,
    // Keyed, because a plain hash of few rows would reveal the e-mails.
    fingerprint: context.vault.mac(
      'idempotency',
      askedHere(JSON.stringify(['import parents', rows, language])),
    ),
  };
  let progress: Progress = { done: 0, created: 0, leftOut: [] };
  while (progress.done < rows.length) {
    const began = performance.now();
    try {
      progress = await importPortion(context, { actor, raw, rows, language, claim });
    } catch (error) {
      // With a new proof the same call goes on from here.
      const wantsProof = error instanceof AppError && error.code === 'proof_required';
      if (progress.done === 0 || wantsProof) throw error;
      context.log.error(describeFailure(error), 'an import stopped half-way');
      throw new AppError('import_unfinished', {
        message: `The import stopped after ${progress.done} of ${rows.length} rows. Send it again: nobody is added twice.`,
      });
    }
    // Pause for as long as the portion took: a check-in needs several queries to get through.
    if (progress.done < rows.length) await sleep(performance.now() - began);
  }
  await context.mails.settled();
  return { created: progress.created, leftOut: progress.leftOut };
}

/** How many rows of the actor's import with this key are processed; null if none is under way. */
export async function findImportProgress(
  { db, vault }: Context,
  actor: Actor,
  key: string,
): Promise<number | null> {
  const progress = await findUnfinished(db, vault, { actorId: actor.id, key });
  return progress === null ? null : progressSchema.parse(progress).done;
}

/** Writes the next portion. If two calls with the same key run at once, one waits here for the other. */
async function importPortion(context: Context, whole: Import): Promise<Progress> {
  for (let attempt = 1; ; attempt++)
    try {
      return await inTransaction(context.db, (tx) => portionIn(context, tx, whole));
    } catch (error) {
      // Somebody has just registered with one of the e-mails; the next attempt finds the account.
      if (!isUniqueViolation(error) || attempt >= PORTION_TRIES) throw error;
    }
}

async function portionIn(context: Context, tx: Tx, whole: Import): Promise<Progress> {
  const { actor, raw, rows, language, claim } = whole;
  const claimed = await claimKey(tx.trx, context.vault, claim, context.clock.now());
  if (claimed.state === 'reused') throw new AppError('idempotency_key_reused');
  const isFirst = claimed.state === 'first';
  const before = isFirst ? { done: 0, created: 0, leftOut: [] } : progressSchema.parse(claimed.answer);
  if (before.done >= rows.length) return before;
  await refuseBesideSample(tx);
  const end = Math.min(before.done + PORTION_ROWS, rows.length);
  if (isFirst) await admitImport(context, tx, actor, { rows: rows.length, portion: PORTION_ROWS });
  await countPortion(context, tx, actor, PORTION_ROWS);
  // The first portion checks the whole file, which is refused before anything is written.
  const taken = await findTaken(tx.trx, isFirst ? raw : raw.slice(before.done, end));
  if (isFirst && taken.length > 0) throw new AppError('import_refused', { fields: fieldsOf(taken) });
  const leftOut = taken.map((problem) => ({ ...problem, row: problem.row + before.done }));
  const isLeftOut = new Set(leftOut.map(({ row }) => row));
  const ids: string[] = [];
  for (const [offset, { name, email, phone }] of rows.slice(before.done, end).entries()) {
    const index = before.done + offset;
    if (isLeftOut.has(index)) continue;
    const id = randomUUID();
    await insertParent(tx.trx, {
      id,
      name,
      email,
      phone: phone ?? null,
      passwordHash: null,
      language,
      madeFrom: null,
      createdAt: context.clock.now(),
    });
    ids.push(id);
    const account = { kind: 'parent', accountId: id, name, email, language } as const;
    const delayMs = Math.max(0, index - MAILS_AT_ONCE + 1) * MAIL_PAUSE_MS;
    await mailLink(context, tx, 'invitation', account, { delayMs });
  }
  const after: Progress = {
    done: end,
    created: before.created + ids.length,
    leftOut: [...before.leftOut, ...leftOut],
  };
  const isDone = end === rows.length;
  await keepAnswer(tx.trx, context.vault, claim, isDone ? 201 : UNFINISHED, after);
  // Append all audit rows together at the end: every other writer waits for the audit log until this transaction ends.
  await context.audit.appendAll(tx, [
    ...(isFirst ? [{ actor, action: 'parents.imported', details: { rows: rows.length } } as const] : []),
    ...ids.map(
      (id): AuditFact => ({
        actor,
        action: 'parent.created',
        subject: { kind: 'parent', id },
        details: { invited: true, imported: true },
      }),
    ),
  ]);
  // Emit one event for all rows, because every desk reloads its list at each event.
  if (isDone) await context.events.append(tx, { type: 'parent.created' });
  return after;
}
