/** The adults who may take a child, and those who must not, with their sealed data opened (decision 049). */
import { createHash } from 'node:crypto';
import type { DocumentKind } from '@haris/contract/http/collectors';
import {
  type BarredAdult,
  type ComparedAdult,
  canBeSamePerson,
  doubtsAbout,
  isBarred,
  type ListedAdult,
} from '@haris/contract/release';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { findBarred } from '../db/barred-adults.ts';
import { findCollectors } from '../db/collectors.ts';
import { findDataKey, takeDataKey } from '../db/data-keys.ts';
import { findErasedAmong } from '../db/erasures.ts';
import { findEverGuardians, findGuardians } from '../db/guardians/of-child.ts';
import { findParent } from '../db/parents.ts';
import { findPhotosOfAdults } from '../db/photos.ts';
import type { BarredAdultRow, CollectorRow, Database, ParentRow } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import { acrossFacilities } from '../facility.ts';
import type { DataKey } from '../vault/vault.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Data of a collector that are sealed. */
export interface CollectorSecrets {
  readonly name: string;
  readonly relation: string;
  readonly phone: string | null;
  readonly document: { readonly kind: DocumentKind; readonly last: string } | null;
}

/** Data of a barred adult that are sealed. */
export interface BarredSecrets {
  readonly name: string;
  readonly phone: string | null;
  readonly note: string;
}

const collectorSecretsSchema: z.ZodType<CollectorSecrets> = z.object({
  name: z.string(),
  relation: z.string(),
  phone: z.string().nullable(),
  document: z
    .object({ kind: z.enum(['national_id', 'passport', 'driving_licence', 'other']), last: z.string() })
    .nullable(),
});
const barredSecretsSchema: z.ZodType<BarredSecrets> = z.object({
  name: z.string(),
  phone: z.string().nullable(),
  note: z.string(),
});
const weekdaysSchema = z.array(z.int());
const othersSchema = z.array(z.object({ id: z.string(), version: z.int() }));

/** A collector with its data. */
export interface KnownCollector extends CollectorSecrets {
  readonly row: CollectorRow;
  readonly weekdays: readonly number[];
  readonly photoId: string | null;
}

/** A bar with its data. */
export interface KnownBar extends BarredSecrets {
  readonly row: BarredAdultRow;
  readonly others: BarredAdult['others'];
}

/** Seals the data of a collector with the child's key. */
export async function sealCollector(
  { vault }: Context,
  { trx }: Tx,
  { id, childId }: { readonly id: string; readonly childId: string },
  secrets: CollectorSecrets,
): Promise<Buffer> {
  const key = await takeDataKey(trx, vault, 'child', childId);
  return key.seal(`collector ${id}`, Buffer.from(JSON.stringify(secrets)));
}

/** Seals the data of a bar with the child's key. */
export async function sealBar(
  { vault }: Pick<Context, 'vault'>,
  { trx }: Tx,
  { id, childId }: { readonly id: string; readonly childId: string },
  secrets: BarredSecrets,
): Promise<Buffer> {
  const key = await takeDataKey(trx, vault, 'child', childId);
  return key.seal(`barred ${id}`, Buffer.from(JSON.stringify(secrets)));
}

function readText(key: DataKey, place: string, sealed: Uint8Array): unknown {
  return JSON.parse(key.open(place, sealed).toString('utf8'));
}

/** Opens a collector's row. Throws if the child's key is gone: nobody may be handed a child on unreadable data. */
export async function openCollector(
  { vault }: Context,
  db: Reader,
  row: CollectorRow,
): Promise<KnownCollector> {
  const key = await findDataKey(db, vault, 'child', row.child_id);
  if (!key) throw new Error('a collector cannot be read: the key of the child is missing');
  return openWith(key, row, await findPhotosOfAdults(db, row.child_id, 'collector_id'));
}

/** The name of a collector, with the key of the child. Throws if it cannot be read. */
export function nameOfCollector(
  key: DataKey,
  { id, sealed }: { readonly id: string; readonly sealed: Uint8Array },
): string {
  return collectorSecretsSchema.parse(readText(key, `collector ${id}`, sealed)).name;
}

function openWith(key: DataKey, row: CollectorRow, photos: ReadonlyMap<string, string>): KnownCollector {
  const secrets = collectorSecretsSchema.parse(readText(key, `collector ${row.id}`, row.sealed));
  const weekdays = weekdaysSchema.parse(JSON.parse(row.weekdays));
  return { ...secrets, row, weekdays, photoId: photos.get(row.id) ?? null };
}

/** The collectors of a child that have not ended. */
export async function readCollectors(
  context: Pick<Context, 'vault'>,
  db: Reader,
  childId: string,
): Promise<KnownCollector[]> {
  const rows = await findCollectors(db, childId);
  if (rows.length === 0) return [];
  const key = await findDataKey(db, context.vault, 'child', childId);
  if (!key) throw new Error('collectors cannot be read: the key of the child is missing');
  const photos = await findPhotosOfAdults(db, childId, 'collector_id');
  return rows.map((row) => openWith(key, row, photos));
}

/** Opens a bar's row, also of one that was lifted. Throws if it cannot be read. */
export async function openBar(
  { vault }: Pick<Context, 'vault'>,
  db: Reader,
  row: BarredAdultRow,
): Promise<BarredSecrets> {
  const key = await findDataKey(db, vault, 'child', row.child_id);
  if (!key) throw new Error('a bar cannot be read: the key of the child is missing');
  return openBarWith(key, row);
}

function openBarWith(key: DataKey, row: BarredAdultRow): BarredSecrets {
  return barredSecretsSchema.parse(readText(key, `barred ${row.id}`, row.sealed));
}

/** The adults to whom a child must not be handed now. */
export async function readBars(
  context: Pick<Context, 'vault'>,
  db: Reader,
  childId: string,
): Promise<KnownBar[]> {
  const rows = await findBarred(db, childId);
  if (rows.length === 0) return [];
  const key = await findDataKey(db, context.vault, 'child', childId);
  // Fail closed: without the names, nobody could be told from the barred adult.
  if (!key) throw new Error('bars cannot be read: the key of the child is missing');
  return rows.map((row) => ({
    ...openBarWith(key, row),
    row,
    others: othersSchema.parse(JSON.parse(row.others)),
  }));
}

/** A listed adult with what the desk shows of it. */
export interface KnownAdult extends ListedAdult {
  /** Null for a guardian. */
  readonly relation: string | null;
  /** The account that named a collector; null for a guardian. */
  readonly namedBy: string | null;
  /**
   * The account whose codes and passes count for this adult: a guardian's own. Of a collector, that of the guardian who named it, also of
   * one who has ended or whose account was deleted, and so is trusted no more; that of the first guardian if staff did.
   */
  readonly voucher: string;
  readonly photoId: string | null;
}

/** A number that changes with name, phone and photo of an account, as the version of a collector does. */
function guardianVersion({ name, phone, photo_id }: ParentRow): number {
  return createHash('sha256')
    .update(JSON.stringify([name, phone, photo_id]))
    .digest()
    .readUInt32BE();
}

/**
 * An adult with the text that changes with all that the desk is shown of it. The number is in it: a change that was taken back is
 * one, too.
 */
function withShown(adult: Omit<KnownAdult, 'shown'>): KnownAdult {
  const { id, version, name, relation, phone, photoId } = adult;
  const seen = JSON.stringify([id, version, name, relation, phone, photoId]);
  return { ...adult, shown: createHash('sha256').update(seen).digest('base64url') };
}

/** The guardian as an adult who may take a child; undefined while the account is blocked or disowned. */
async function readGuardian(db: Reader, parentId: string): Promise<KnownAdult | undefined> {
  const parent = await findParent(db, parentId);
  if (!parent || parent.blocked_at !== null || parent.disowned_at !== null) return undefined;
  const { id, name, phone, photo_id: photoId } = parent;
  return withShown({
    ...{ id, kind: 'guardian', name, relation: null, namedBy: null, voucher: id, phone, photoId },
    ...{ from: null, until: null, weekdays: [], isConfirmed: true, version: guardianVersion(parent) },
  });
}

/**
 * Those of the accounts that have named collectors of a child which are a family's. The others are staff: also of somebody whose account
 * was deleted, whose entries stay the facility's, and so the first guardian's to vouch for and to read.
 */
async function findHouseholds(
  db: Reader,
  childId: string,
  namedBy: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(namedBy)];
  return acrossFacilities(
    async () =>
      new Set([
        ...(await findEverGuardians(db, childId, ids)),
        ...(await findErasedAmong(db, 'parent', ids)),
      ]),
  );
}

/** The account that vouches for a collector; see {@link KnownAdult.voucher}. */
export async function voucherOf(
  db: Reader,
  child: { readonly id: string; readonly parent_id: string },
  namedBy: string,
): Promise<string> {
  return (await findHouseholds(db, child.id, [namedBy])).has(namedBy) ? namedBy : child.parent_id;
}

/**
 * The adults who may take a child: its guardians with that right, the first one first, unless the account is blocked or disowned or
 * has not accepted, and its collectors.
 */
export async function readAdults(
  context: Context,
  db: Reader,
  child: { readonly id: string; readonly parent_id: string },
): Promise<KnownAdult[]> {
  const rows = (await findGuardians(db, [child])).get(child.id) ?? [];
  const guardians: KnownAdult[] = [];
  for (const { parentId, mayTake } of rows) {
    const guardian = mayTake ? await readGuardian(db, parentId) : undefined;
    if (guardian) guardians.push(guardian);
  }
  const collectors = await readCollectors(context, db, child.id);
  const households = await findHouseholds(
    db,
    child.id,
    collectors.map(({ row }) => row.named_by),
  );
  return [
    ...guardians,
    ...collectors.map(({ row, name, relation, phone, weekdays, photoId }) =>
      withShown({
        id: row.id,
        kind: 'collector',
        name,
        relation,
        namedBy: row.named_by,
        voucher: households.has(row.named_by) ? row.named_by : child.parent_id,
        phone,
        photoId,
        from: row.valid_from,
        until: row.valid_until,
        weekdays,
        isConfirmed: row.confirmed_at !== null,
        version: row.version,
      }),
    ),
  ];
}

/** A guardian who may not take the child, whom staff may know as its parent. */
type NotTaking = Pick<ParentRow, 'id' | 'name' | 'phone' | 'photo_id'>;

/** The guardians in force without the right to take a child, the first one first. */
async function readNotTaking(
  db: Reader,
  child: { readonly id: string; readonly parent_id: string },
): Promise<NotTaking[]> {
  const found: NotTaking[] = [];
  for (const { parentId, mayTake } of (await findGuardians(db, [child])).get(child.id) ?? []) {
    // Wherever the account is known: nobody must be missing here.
    const parent = mayTake ? undefined : await acrossFacilities(() => findParent(db, parentId));
    if (parent) found.push(parent);
  }
  return found;
}

/** Who may take a child, and who must not, as the decision about a hand-over compares them. */
export interface KnownAdults {
  /**
   * The listed adults, without the unconfirmed collectors whom a guardian has named who is not trusted, and without collectors who can be
   * a guardian who may not take the child.
   */
  readonly adults: readonly KnownAdult[];
  readonly barred: readonly BarredAdult[];
  readonly notTaking: readonly NotTaking[];
  /**
   * The guardians whose codes, passes and new collectors count, and who may learn who took the child. Nobody does who may not
   * take it, whose account is blocked or disowned, or who is barred or sounds like it: otherwise such a person could send a friend.
   */
  readonly trusted: ReadonlySet<string>;
}

/** Reads the adults of a child for a decision. */
export async function readKnownAdults(
  context: Context,
  db: Reader,
  child: { readonly id: string; readonly parent_id: string },
): Promise<KnownAdults> {
  const barred = await readBarred(context, db, child.id);
  const known = await readAdults(context, db, child);
  // Nor while its owner only sounds like somebody who is barred, also by a given name alone, until the owner of the facility has
  // noted a namesake: the desk asks about the adult who comes, and nobody would ask about the one who sent a friend.
  const trusted = new Set(
    known
      .filter((adult) => adult.kind === 'guardian' && !isOrSoundsBarred(adult, barred))
      .map(({ id }) => id),
  );
  const notTaking = await readNotTaking(db, child);
  // The same person may be listed twice: until guardians were adults of a hand-over, the desk entered them as collectors.
  const isLimited = (adult: KnownAdult) =>
    adult.kind === 'collector' && notTaking.some((guardian) => canBeSamePerson(guardian, adult));
  const adults = known.filter(
    (adult) =>
      !isLimited(adult) &&
      (adult.isConfirmed || adult.namedBy !== adult.voucher || trusted.has(adult.voucher)),
  );
  return { adults, barred, notTaking, trusted };
}

/**
 * The guardians who may learn that this adult took the child, of those who are trusted: of a guardian all of them; of a collector who
 * has named it, because whom one household sends is not the other's, and the first one if staff entered it for the family.
 */
export function readersOf(
  { kind, voucher }: Pick<KnownAdult, 'kind' | 'voucher'>,
  trusted: ReadonlySet<string>,
): ReadonlySet<string> {
  if (kind === 'guardian') return trusted;
  return new Set(trusted.has(voucher) ? [voucher] : []);
}

/** The adults to whom a child must not be handed now, as the decision about a hand-over compares them. */
export async function readBarred(
  context: Pick<Context, 'vault'>,
  db: Reader,
  childId: string,
): Promise<BarredAdult[]> {
  const bars = await readBars(context, db, childId);
  return bars.map(({ row: { id, adult_id }, name, phone, others }) => {
    return { id, name, phone, adultId: adult_id, others };
  });
}

/** Whether an adult is a barred one, or has a name that sounds like one's. */
function isOrSoundsBarred(adult: ComparedAdult, barred: readonly BarredAdult[]): boolean {
  return isBarred(adult, barred) || doubtsAbout(adult, barred).length > 0;
}

/**
 * Whether the owner of an account is barred from a child, or has the name or phone of somebody who is, or a name that sounds like it.
 * Also if there is no such account. Throws if the bars cannot be read.
 */
export async function isAccountBarred(
  context: Pick<Context, 'vault'>,
  db: Reader,
  childId: string,
  parentId: string,
): Promise<boolean> {
  const barred = await readBarred(context, db, childId);
  const parent = await findParent(db, parentId);
  if (!parent) return true;
  const { id, name, phone } = parent;
  return isOrSoundsBarred({ id, name, phone, version: guardianVersion(parent) }, barred);
}

/**
 * Returns whether somebody of whom only name and phone are known is barred from a child, or has a name that sounds like one of those. Throws
 * if the bars cannot be read.
 */
export async function barTestOf(
  context: Pick<Context, 'vault'>,
  db: Reader,
  childId: string,
): Promise<(person: { readonly name: string; readonly phone: string | null }) => boolean> {
  const barred = await readBarred(context, db, childId);
  // Nobody is noted as a namesake by a name alone.
  return ({ name, phone }) => isOrSoundsBarred({ id: '', name, phone, version: 0 }, barred);
}

/** {@link isAccountBarred} with the keys of this installation. */
export function barsBy(vault: Context['vault']) {
  return (db: Reader, childId: string, parentId: string) => isAccountBarred({ vault }, db, childId, parentId);
}

/** Whether a collector is a barred adult, or has a name that sounds like one's. */
export function resemblesBarred(
  { row, name, phone }: KnownCollector,
  barred: readonly BarredAdult[],
): boolean {
  return isOrSoundsBarred({ id: row.id, name, phone, version: row.version }, barred);
}
