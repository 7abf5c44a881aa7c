/** Parents from a file: all of its rows at once or none, each invited by mail. */
import { setImmediate } from 'node:timers/promises';
import type { Language } from '@haris/contract/fields';
import {
  EMAIL_HAS_ACCOUNT,
  EMAIL_TWICE_IN_FILE,
  type ImportProblem,
  importFieldSchema,
  importRowSchema,
  type RawImportRow,
} from '@haris/contract/http/imports';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AuditFact } from '../../db/audit.ts';
import { claimKey, type KeyClaim, keepAnswer } from '../../db/idempotency.ts';
import type { Database } from '../../db/schema.ts';
import { inTransaction, isUniqueViolation } from '../../db/transaction.ts';
import { mailLink } from '../../mail/account-mails.ts';
import { insertParent } from './parents.ts';

/** Pause between two invitations of one import, so that no mail server takes them for a flood. Milliseconds. */
const MAIL_PAUSE_MS = 1_000;
/** So many go out at once: a small import arrives while the parents still stand at the desk. */
const MAILS_AT_ONCE = 20;
/** Rows written before others get a turn. */
const ROWS_IN_A_TURN = 50;
/** E-mails looked for in one question to the database. */
const EMAILS_AT_ONCE = 500;
/** Problems that a refusal names; a preview names them all. */
const PROBLEMS_IN_REFUSAL = 50;

type ImportRow = z.output<typeof importRowSchema>;

interface Checked {
  /** Only complete where there is no problem. */
  readonly rows: readonly ImportRow[];
  readonly problems: readonly ImportProblem[];
}

/** What can be seen from the rows alone: the rules of each field, and e-mails that stand there twice. */
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

/** Which of these rows have the e-mail of an account. */
async function findTaken(
  db: Kysely<Database> | Transaction<Database>,
  raw: readonly RawImportRow[],
): Promise<ImportProblem[]> {
  const emails = raw.map(({ email }) => importRowSchema.shape.email.safeParse(email).data);
  const known = [...new Set(emails.filter((email) => email !== undefined))];
  const taken = new Set<string>();
  for (let start = 0; start < known.length; start += EMAILS_AT_ONCE) {
    const rows = await db
      .selectFrom('parents')
      .select('email')
      .where('email', 'in', known.slice(start, start + EMAILS_AT_ONCE))
      .execute();
    for (const { email } of rows) taken.add(email);
  }
  return emails.flatMap((email, row) =>
    email !== undefined && taken.has(email)
      ? [{ row, field: 'email' as const, message: EMAIL_HAS_ACCOUNT }]
      : [],
  );
}

/** All that is wrong with the rows now, in their order; nothing is changed. */
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

const answerSchema = z.object({ created: z.number() });

/**
 * Adds all parents of the rows, or none. A second call with the same key answers the same and does nothing.
 * Throws 400 with `<row>.<field>` where a row breaks a rule, `import_refused` where an account was there already,
 * `idempotency_key_reused`.
 */
export async function importParents(
  context: Context,
  actor: Actor,
  raw: readonly RawImportRow[],
  { language, key }: { language: Language; key: string },
): Promise<{ created: number }> {
  const { rows, problems } = checkRows(raw);
  const [first] = problems;
  if (first) throw new AppError('invalid_request', { message: first.message, fields: fieldsOf(problems) });
  const claim: KeyClaim = {
    actorId: actor.id,
    key,
    // Keyed: a plain hash of few rows would tell whose e-mails they were.
    fingerprint: context.vault.mac('idempotency', JSON.stringify(['import parents', rows, language])),
  };
  let created: number;
  try {
    created = await inTransaction(context.db, async (tx) => {
      const now = context.clock.now();
      const claimed = await claimKey(tx.trx, context.vault, claim, now);
      if (claimed.state === 'reused') throw new AppError('idempotency_key_reused');
      if (claimed.state === 'kept') return answerSchema.parse(claimed.answer).created;
      const taken = await findTaken(tx.trx, raw);
      if (taken.length > 0) throw new AppError('import_refused', { fields: fieldsOf(taken) });
      const ids: string[] = [];
      for (const [index, { name, email, phone }] of rows.entries()) {
        const id = await insertParent(context, tx, {
          name,
          email,
          phone: phone ?? null,
          passwordHash: null,
          language,
        });
        ids.push(id);
        await mailLink(
          context,
          tx,
          'invitation',
          { kind: 'parent', accountId: id, name, email, language },
          { delayMs: Math.max(0, index - MAILS_AT_ONCE + 1) * MAIL_PAUSE_MS },
        );
        if (index % ROWS_IN_A_TURN === ROWS_IN_A_TURN - 1) await setImmediate();
      }
      await keepAnswer(tx.trx, context.vault, claim, 201, { created: ids.length });
      // The log is taken last, and in one go: whoever else acts waits for it.
      await context.audit.appendAll(tx, [
        { actor, action: 'parents.imported', details: { rows: ids.length } },
        ...ids.map(
          (id): AuditFact => ({
            actor,
            action: 'parent.created',
            subject: { kind: 'parent', id },
            details: { invited: true, imported: true },
          }),
        ),
      ]);
      // One for all: every desk reads its list anew at each.
      await context.events.append(tx, { type: 'parent.created' });
      return ids.length;
    });
  } catch (error) {
    // Somebody registered with one of the e-mails in this very moment.
    if (isUniqueViolation(error)) throw new AppError('import_refused');
    throw error;
  }
  await context.mails.settled();
  return { created };
}
