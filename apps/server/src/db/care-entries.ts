/** Rows of care logs, sealed with the child's data key (decision 052). Only queries; callers check permissions. */
import {
  type CareEntryContent,
  type CareSignature,
  careEntrySchema,
  signatureSchema,
} from '@haris/contract/care-log';
import type { Kysely, Transaction } from 'kysely';
import type { DataKey, Vault } from '../vault/vault.ts';
import { findDataKey, takeDataKey } from './data-keys.ts';
import { findRows, newestFirst, type PagePosition, type Rows } from './paging.ts';
import type { Database } from './schema.ts';
import { isOpenStay } from './stays.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Length to which contents are padded, so that it does not say what is in them. Bytes. */
const STEP = 256;

const entryContext = (id: string) => `care entry ${id}`;
const signatureContext = (id: string) => `care signature ${id}`;

function padded(value: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(value));
  return Buffer.concat([text, Buffer.alloc((STEP - (text.length % STEP)) % STEP, ' ')]);
}

/** An entry with its opened content. Times are milliseconds since 1970. */
export interface CareEntryView {
  readonly id: string;
  readonly childId: string;
  readonly facility: string;
  readonly day: string;
  readonly at: number;
  readonly recordedAt: number;
  /** Null after the account's deletion. */
  readonly recordedBy: string | null;
  /** Null: it could not be opened. */
  readonly content: CareEntryContent | null;
  readonly corrects: string | null;
  readonly correctedBy: string | null;
  readonly asksSignature: boolean;
  readonly signed: { readonly at: number; readonly signature: CareSignature | null } | null;
}

export interface NewCareEntry {
  readonly id: string;
  readonly childId: string;
  readonly day: string;
  readonly at: number;
  readonly recordedAt: number;
  readonly recordedBy: string;
  readonly corrects: string | null;
  readonly asksSignature: boolean;
  readonly tellsFamily: boolean;
  readonly content: CareEntryContent;
}

export async function addCareEntry(
  trx: Transaction<Database>,
  vault: Vault,
  entry: NewCareEntry,
): Promise<void> {
  const key = await takeDataKey(trx, vault, 'child', entry.childId);
  await trx
    .insertInto('care_entries')
    .values({
      id: entry.id,
      child_id: entry.childId,
      day: entry.day,
      at: entry.at,
      recorded_at: entry.recordedAt,
      recorded_by: entry.recordedBy,
      corrects: entry.corrects,
      asks_signature: entry.asksSignature ? 1 : 0,
      tells_family: entry.tellsFamily ? 1 : 0,
      sealed: key.seal(entryContext(entry.id), padded(entry.content)),
    })
    .execute();
}

/** One damaged text must not hide the other entries. */
function openAs<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function entriesOf(db: Reader, childId: string) {
  return db.selectFrom('care_entries').where('care_entries.child_id', '=', childId);
}

function selected(query: ReturnType<typeof entriesOf>) {
  return query
    .leftJoin('care_entries as later', 'later.corrects', 'care_entries.id')
    .leftJoin('staff', 'staff.id', 'care_entries.recorded_by')
    .selectAll('care_entries')
    .select(['later.id as corrected_by', 'staff.name as recorder']);
}
type Selected = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function viewOf(row: Selected, key: DataKey | undefined): CareEntryView {
  const { id, sealed, signature } = row;
  const read = (context: string, bytes: Uint8Array): unknown =>
    JSON.parse(key?.open(context, bytes).toString('utf8') ?? '');
  return {
    id,
    childId: row.child_id,
    facility: row.facility_id,
    day: row.day,
    at: Number(row.at),
    recordedAt: Number(row.recorded_at),
    recordedBy: row.recorder,
    content: openAs(() => careEntrySchema.parse(read(entryContext(id), sealed))),
    corrects: row.corrects,
    correctedBy: row.corrected_by,
    asksSignature: row.asks_signature === 1,
    signed:
      row.signed_at === null
        ? null
        : {
            at: Number(row.signed_at),
            signature:
              signature && openAs(() => signatureSchema.parse(read(signatureContext(id), signature))),
          },
  };
}

/** A page of a child's entries, newest first; `day`: only of this local day. Throws 400 for a strange cursor. */
export async function findCareEntries(
  db: Reader,
  vault: Vault,
  childId: string,
  { day, ...page }: PagePosition & { readonly day?: string | undefined },
): Promise<Rows<CareEntryView>> {
  const all = entriesOf(db, childId);
  const wanted = selected(day === undefined ? all : all.where('care_entries.day', '=', day));
  const { rows, nextCursor } = await findRows(wanted, newestFirst('care_entries', 'at'), page);
  const key = await findDataKey(db, vault, 'child', childId);
  return { rows: rows.map((row) => viewOf(row, key)), nextCursor };
}

/** One entry of a child. */
export async function findCareEntry(
  db: Reader,
  vault: Vault,
  childId: string,
  id: string,
): Promise<CareEntryView | undefined> {
  const row = await selected(entriesOf(db, childId).where('care_entries.id', '=', id)).executeTakeFirst();
  return row && viewOf(row, await findDataKey(db, vault, 'child', childId));
}

/** The entries of a child from a moment on that nobody has corrected, in the order in which they were made. */
export async function findValidEntriesSince(
  db: Reader,
  vault: Vault,
  childId: string,
  since: number,
): Promise<CareEntryView[]> {
  const rows = await selected(entriesOf(db, childId).where('care_entries.at', '>=', since))
    .where('later.id', 'is', null)
    .orderBy('care_entries.recorded_at')
    .orderBy('care_entries.id')
    .execute();
  const key = await findDataKey(db, vault, 'child', childId);
  return rows.map((row) => viewOf(row, key));
}

export interface NewSignature {
  readonly id: string;
  readonly childId: string;
  readonly by: string;
  readonly at: number;
  readonly signature: CareSignature;
}

/** Signs an entry; false if it is signed already. */
export async function signCareEntry(
  trx: Transaction<Database>,
  vault: Vault,
  { id, childId, by, at, signature }: NewSignature,
): Promise<boolean> {
  const key = await takeDataKey(trx, vault, 'child', childId);
  const { numUpdatedRows } = await trx
    .updateTable('care_entries')
    .set({ signed_at: at, signed_by: by, signature: key.seal(signatureContext(id), padded(signature)) })
    .where('id', '=', id)
    .where('signed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Entries that wait for a signature: those that ask for one, have none, and were not corrected. */
function unsigned(db: Reader) {
  return db
    .selectFrom('care_entries')
    .leftJoin('care_entries as later', 'later.corrects', 'care_entries.id')
    .where('later.id', 'is', null)
    .where('care_entries.asks_signature', '=', 1)
    .where('care_entries.signed_at', 'is', null);
}

/** How many entries of some children wait for a signature, by child; children without any are not in it. */
export async function countUnsigned(db: Reader, childIds: readonly string[]): Promise<Map<string, number>> {
  if (childIds.length === 0) return new Map();
  const rows = await unsigned(db)
    .where('care_entries.child_id', 'in', childIds)
    .select(['care_entries.child_id', (eb) => eb.fn.countAll<number>().as('waiting')])
    .groupBy('care_entries.child_id')
    .execute();
  return new Map(rows.map(({ child_id, waiting }) => [child_id, Number(waiting)]));
}

/** Entries since a moment of which the family is notified until it signs; `id`: only this one. */
export async function findUnsignedToTell(
  db: Reader,
  since: number,
  id?: string,
): Promise<{ readonly id: string; readonly child_id: string }[]> {
  const rows = unsigned(db)
    .where('care_entries.tells_family', '=', 1)
    .where('care_entries.recorded_at', '>=', since);
  return (id === undefined ? rows : rows.where('care_entries.id', '=', id))
    .select(['care_entries.id', 'care_entries.child_id'])
    .orderBy('care_entries.id')
    .execute();
}

/** Records when the next check of a sleeping child is due (milliseconds since 1970); null: it is awake. */
export async function setSleepDue(
  trx: Transaction<Database>,
  stayId: string,
  dueAt: number | null,
): Promise<void> {
  await trx.updateTable('stays').set({ sleep_due_at: dueAt }).where('id', '=', stayId).execute();
}

/** Open stays whose next check of the sleeping child is due before a moment. */
export async function findOverdueSleep(
  db: Reader,
  before: number,
): Promise<{ readonly id: string; readonly child_id: string; readonly sleep_due_at: number | null }[]> {
  return db
    .selectFrom('stays')
    .select(['stays.id', 'stays.child_id', 'stays.sleep_due_at'])
    .where(isOpenStay)
    .where('stays.sleep_due_at', '<', before)
    .orderBy('stays.id')
    .execute();
}

/** Deletes the care log of a child. */
export async function deleteCareEntries(trx: Transaction<Database>, childId: string): Promise<void> {
  await trx.deleteFrom('care_entries').where('child_id', '=', childId).execute();
}
