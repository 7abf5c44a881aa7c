/**
 * Seals the rows that an older version wrote, once per installation: nobody's session ends with the update. Later, rows
 * without a seal are not believed.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@haris/runtime/log';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Vault } from '../vault/vault.ts';
import { readMeta, writeMeta } from './meta.ts';
import { type Covered, type SealedTable, sealedColumns, sealedTables, sealOf } from './row-seals.ts';
import type { Database } from './schema.ts';
import { inTransaction } from './transaction.ts';

/** Key in `meta`: a keyed hash, so that nobody without the key can claim that the rows were sealed. */
const SEALED = 'rows_sealed';

/**
 * The mark in the data folder. A mark in the database alone could be deleted there, and the next start would seal rows that
 * somebody has written meanwhile.
 */
export const sealedMarkFile = (dataDir: string): string => join(dataDir, 'rows-sealed');

export interface SealingPlace {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  readonly dataDir: string;
  readonly log: Logger;
}

async function sealTable(trx: Transaction<Database>, vault: Vault, name: SealedTable): Promise<number> {
  const table = sql.table(name);
  const key = sealedColumns[name][0];
  const { rows } = await sql<Covered<SealedTable>>`select * from ${table} where seal is null`.execute(trx);
  for (const row of rows) {
    const cells: Readonly<Record<string, unknown>> = { ...row };
    await sql`update ${table} set seal = ${sealOf(vault, name, row)}
      where ${sql.ref(key)} = ${cells[key]} and seal is null`.execute(trx);
  }
  return rows.length;
}

/** Seals all rows that have none, if that has never been done. In one transaction; may be interrupted and run again. */
export async function sealOldRows({ db, vault, dataDir, log }: SealingPlace): Promise<void> {
  const file = sealedMarkFile(dataDir);
  const mark = vault.mac('rows sealed', '');
  const isMarked = (await readMeta(db, SEALED)) === mark;
  if (!isMarked && !existsSync(file)) {
    const count = await inTransaction(db, async ({ trx }) => {
      let sum = 0;
      for (const table of sealedTables) sum += await sealTable(trx, vault, table);
      await writeMeta(trx, SEALED, mark);
      return sum;
    });
    if (count > 0) log.info({ count }, 'sessions and links of the older version go on');
  }
  if (existsSync(file)) return;
  try {
    writeFileSync(file, '', { mode: 0o600 });
  } catch {
    // A full disk must not prevent a start, and the mark in the database holds until the next one.
    log.warn({ file }, 'the file could not be written: the next start tries again');
  }
}
