/** Finds what a database still holds of a person, table by table, whatever the tables are. */
import type { Kysely } from 'kysely';
import type { Database } from '../db/schema.ts';

/** Bytes count as text too: otherwise they would be a list of numbers, in which no text is found. */
function readable(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const stored = this[key];
  return stored instanceof Uint8Array ? Buffer.from(stored).toString('utf8') : value;
}

/** Names of the tables with a row that holds one of these texts, sorted. */
export async function tablesWith(db: Kysely<Database>, texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await db.introspection.getTables()) {
    const rows = await db
      .selectFrom(name as 'parents')
      .selectAll()
      .execute();
    if (texts.some((text) => JSON.stringify(rows, readable).includes(text))) found.push(name);
  }
  return found.sort();
}
