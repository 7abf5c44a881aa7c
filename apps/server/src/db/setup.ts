/** State of the first run's checklist, and the facts from the database that it needs. */
import { SETUP_ITEMS } from '@haris/contract/http/setup';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { readMeta, writeMeta } from './meta.ts';
import type { Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

const CHOICES = 'setup';
const REACH_CODE = 'reach_code';
const REACH_SEEN = 'reach_seen';
const FIRST_PASSWORD = 'first_password';

async function readJson<S extends z.ZodType>(
  db: Reader,
  key: string,
  schema: S,
): Promise<z.output<S> | null> {
  const text = await readMeta(db, key);
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    // Written by another version: ignored.
    return null;
  }
}

const choicesSchema = z.object({ skipped: z.array(z.enum(SETUP_ITEMS)), dismissed: z.boolean() });
export type SetupChoices = z.infer<typeof choicesSchema>;

export async function readSetupChoices(db: Reader): Promise<SetupChoices> {
  return (await readJson(db, CHOICES, choicesSchema)) ?? { skipped: [], dismissed: false };
}

export async function writeSetupChoices(trx: Transaction<Database>, choices: SetupChoices): Promise<void> {
  await writeMeta(trx, CHOICES, JSON.stringify(choices));
}

const codeSchema = z.object({ hash: z.string(), expiresAt: z.number() });

/** Replaces the code that a phone opens. `expiresAt`: milliseconds since 1970. */
export async function writeReachCode(
  trx: Transaction<Database>,
  code: z.infer<typeof codeSchema> | null,
): Promise<void> {
  await writeMeta(trx, REACH_CODE, JSON.stringify(code));
}

export async function readReachCode(db: Reader): Promise<z.infer<typeof codeSchema> | null> {
  return readJson(db, REACH_CODE, codeSchema);
}

const seenSchema = z.object({ url: z.string(), at: z.number() });

/** The last address through which a phone confirmed its code. */
export async function readReachSeen(db: Reader): Promise<z.infer<typeof seenSchema> | null> {
  return readJson(db, REACH_SEEN, seenSchema);
}

export async function writeReachSeen(
  trx: Transaction<Database>,
  seen: z.infer<typeof seenSchema>,
): Promise<void> {
  await writeMeta(trx, REACH_SEEN, JSON.stringify(seen));
}

const firstPasswordSchema = z.object({ id: z.string(), hash: z.string() });

/** Notes the hash of a stored password that was printed at the first start. */
export async function noteFirstPassword(trx: Transaction<Database>, id: string, hash: string): Promise<void> {
  await writeMeta(trx, FIRST_PASSWORD, JSON.stringify({ id, hash }));
}

export async function readFirstPassword(db: Reader): Promise<z.infer<typeof firstPasswordSchema> | null> {
  return readJson(db, FIRST_PASSWORD, firstPasswordSchema);
}

/** Whether any account has the made-up address of the first start. */
export async function hasMadeUpAddress(db: Reader): Promise<boolean> {
  const row = await db
    .selectFrom('staff')
    .select('id')
    .where('email', 'like', '%@localhost')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
