/**
 * Heads of the audit log kept outside the database: signed lines, appended to a file in the data folder. An attacker who
 * cuts the log back to an older head cannot remove the lines that prove later rows (decision 025).
 */
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { toMoment } from './clock.ts';
import type { Context } from './context.ts';
import { type AuditHead, findAuditHead } from './db/audit.ts';
import { raiseMeta } from './db/meta.ts';
import { inTransaction } from './db/transaction.ts';
import { MAIN_FACILITY } from './facility.ts';
import { findNameOf } from './mail/facility-words.ts';
import { composeAuditHeadMail } from './mail/templates.ts';
import type { Vault } from './vault/vault.ts';

const FILE = 'audit-heads.log';
/** The last day (UTC) whose head was mailed. */
const MAILED_META_KEY = 'audit_head_mailed';

/**
 * `head`: the log ended with this row at that time.
 * `restored`: a backup whose log ends with this row was restored; only earlier heads up to this row still count.
 */
const keptHeadSchema = z.object({
  at: z.string(),
  kind: z.enum(['head', 'restored']),
  seq: z.number().int().positive(),
  hash: z.string(),
  /** Keyed hash of all fields above. */
  mac: z.string(),
});
export type KeptHead = z.infer<typeof keptHeadSchema>;

export function auditHeadsFile(dataDir: string): string {
  return join(dataDir, FILE);
}

function macOf(vault: Vault, { at, kind, seq, hash }: Omit<KeptHead, 'mac'>): string {
  return vault.mac('audit kept head', JSON.stringify([at, kind, seq, hash]));
}

/** Appends a head to the file and syncs it to disk. Returns the line's content. */
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
    // Starts with a line break, in case a power cut left a partial line. A single write, because several servers may
    // share the folder.
    await file.write(`${last === '\n' ? '' : '\n'}${JSON.stringify(kept)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return kept;
}

/**
 * Parses the heads in lines of text (the file, the program's log, mails), in order. `forged` counts heads that were not
 * written with this master key; other lines are skipped.
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

/** Like {@link parseAuditHeads}, for the file in the data folder; empty if the file does not exist yet. */
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
  /** Stores the head if the log has grown since the last one. Rejects if the file or the database cannot be used. */
  keep(): Promise<void>;
}

/** Stores heads while the server runs: in the file, in the program's log and, if configured, in a daily mail. */
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

/** Mails the first head of a day; only one of several servers does so. */
async function mailDaily({ config, db, mails }: Context, kept: KeptHead): Promise<void> {
  const to = config.auditMailTo;
  if (to === null) return;
  const value = kept.at.slice(0, 10);
  const isSent = await inTransaction(db, async (tx) => {
    if (!(await raiseMeta(tx.trx, MAILED_META_KEY, value))) return false;
    const facility = await findNameOf(tx.trx, MAIN_FACILITY);
    await mails.enqueue(tx, { to, ...composeAuditHeadMail(kept, JSON.stringify(kept), facility) });
    return true;
  });
  if (isSent) await mails.settled();
}
