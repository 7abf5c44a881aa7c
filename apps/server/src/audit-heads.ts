/**
 * Heads of the audit log kept outside the database: a file below the data folder to which signed lines are only appended.
 * Whoever cuts the log back to an older head cannot take back the lines that name the rows after it (decision 025).
 */
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { toMoment } from './clock.ts';
import type { Context } from './context.ts';
import { type AuditHead, findAuditHead } from './db/audit.ts';
import { inTransaction } from './db/transaction.ts';
import { composeAuditHeadMail } from './mail/templates.ts';
import type { Vault } from './vault/vault.ts';

const FILE = 'audit-heads.log';
/** The day (UTC) whose head was mailed last. */
const MAILED_META_KEY = 'audit_head_mailed';

/**
 * `head`: the log ended with this row then. `restored`: a backup whose log ends with this row took the place of what was
 * there; of the heads before it only those up to this row count.
 */
const keptHeadSchema = z.object({
  at: z.string(),
  kind: z.enum(['head', 'restored']),
  seq: z.number().int().positive(),
  hash: z.string(),
  /** Keyed hash of all of the above. */
  mac: z.string(),
});
export type KeptHead = z.infer<typeof keptHeadSchema>;

export function auditHeadsFile(dataDir: string): string {
  return join(dataDir, FILE);
}

function macOf(vault: Vault, { at, kind, seq, hash }: Omit<KeptHead, 'mac'>): string {
  return vault.mac('audit kept head', JSON.stringify([at, kind, seq, hash]));
}

/** Appends a head to the file and waits until it is on disk. Answers it as it was written. */
export async function keepAuditHead(
  dataDir: string,
  vault: Vault,
  { seq, hash }: AuditHead,
  kind: KeptHead['kind'],
  now: number,
): Promise<KeptHead> {
  const unsigned = { at: toMoment(now), kind, seq, hash };
  const kept = { ...unsigned, mac: macOf(vault, unsigned) };
  const file = await open(auditHeadsFile(dataDir), 'a+', 0o600);
  try {
    const { size } = await file.stat();
    const last = size === 0 ? '\n' : (await file.read(Buffer.alloc(1), 0, 1, size - 1)).buffer.toString();
    // A line that a power cut left half-written stays alone. One write: several servers may share the folder.
    await file.write(`${last === '\n' ? '' : '\n'}${JSON.stringify(kept)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return kept;
}

/**
 * The heads in a text of lines (the file, the program's log, mails), in their order. `forged` counts those that no Haris
 * with this master key has written; what is no head is passed over.
 */
export function parseAuditHeads(text: string, vault: Vault): { heads: KeptHead[]; forged: number } {
  const heads: KeptHead[] = [];
  let forged = 0;
  for (const line of text.split('\n')) {
    const json = line.slice(Math.max(0, line.indexOf('{')));
    let parsed: ReturnType<typeof keptHeadSchema.safeParse>;
    try {
      parsed = keptHeadSchema.safeParse(JSON.parse(json));
    } catch {
      continue;
    }
    if (!parsed.success) continue;
    if (macOf(vault, parsed.data) === parsed.data.mac) heads.push(parsed.data);
    else forged++;
  }
  return { heads, forged };
}

/** As {@link parseAuditHeads}, of the data folder's file; none where there is no file yet. */
export async function readAuditHeads(
  dataDir: string,
  vault: Vault,
): Promise<{ heads: KeptHead[]; forged: number }> {
  const text = await readFile(auditHeadsFile(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return parseAuditHeads(text, vault);
}

export interface AuditHeadKeeper {
  /** Keeps the head if the log has grown since the last one. Rejects when the file or the database cannot be used. */
  keep(): Promise<void>;
}

/** Keeps heads while the server runs: in the file, in the program's log and, where it is set, once a day in a mail. */
export function openAuditHeadKeeper(context: Context): AuditHeadKeeper {
  const { config, vault, log, db, clock } = context;
  let last: AuditHead | null = null;
  let isRead = false;

  return {
    async keep() {
      if (!isRead) {
        last = (await readAuditHeads(config.dataDir, vault)).heads.at(-1) ?? null;
        isRead = true;
      }
      const head = await findAuditHead(db, vault);
      if (head === null || (head.seq === last?.seq && head.hash === last.hash)) return;
      if (last !== null && head.seq < last.seq)
        log.error(
          { seq: head.seq, kept: last.seq },
          'the audit log ends before a head that was kept: run npm run audit:verify',
        );
      const kept = await keepAuditHead(config.dataDir, vault, head, 'head', clock.now());
      last = head;
      log.info(kept, 'audit head');
      await mailDaily(context, kept);
    },
  };
}

/** Mails the first head of a day; of several servers one does. */
async function mailDaily({ config, db, mails }: Context, kept: KeptHead): Promise<void> {
  const to = config.auditMailTo;
  if (to === null) return;
  const value = kept.at.slice(0, 10);
  const isSent = await inTransaction(db, async (tx) => {
    const taken = await tx.trx
      .insertInto('meta')
      .values({ key: MAILED_META_KEY, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }).where('meta.value', '<', value))
      .returning('key')
      .executeTakeFirst();
    if (!taken) return false;
    await mails.enqueue(tx, { to, ...composeAuditHeadMail(kept.seq, kept.at, JSON.stringify(kept)) });
    return true;
  });
  if (isSent) await mails.settled();
}
