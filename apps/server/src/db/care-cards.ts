/** Care cards: rows sealed with the child's data key (decision 050). Callers check permissions. */
import {
  type CareCard,
  careCardSchema,
  type SignedAllergy,
  signedAllergiesOf,
  signedAllergiesSchema,
} from '@haris/contract/care-card';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { DataKey, Vault } from '../vault/vault.ts';
import { findDataKey, takeDataKey } from './data-keys.ts';
import { whereIdIn } from './paging.ts';
import type { CareCardRow, Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Lengths to which the sealed texts are padded, so that they do not say how much is in them. Bytes. */
const CARD_STEP = 1024;
const SIGN_STEP = 512;

const cardContext = (childId: string) => `care card ${childId}`;
const signContext = (childId: string) => `care sign ${childId}`;

function padded(value: unknown, step: number): Buffer {
  const text = Buffer.from(JSON.stringify(value));
  return Buffer.concat([text, Buffer.alloc((step - (text.length % step)) % step, ' ')]);
}

function openCard(key: DataKey, childId: string, sealed: Uint8Array): CareCard {
  return careCardSchema.parse(JSON.parse(key.open(cardContext(childId), sealed).toString('utf8')));
}

/** A card with the state of its row. */
export interface OpenCareCard extends Pick<CareCardRow, 'version' | 'updated_at' | 'updated_by'> {
  readonly card: CareCard;
}

/** The card of a child; undefined if nobody has saved one. Throws if it cannot be opened: it must never look empty. */
export async function findCareCard(
  db: Reader,
  vault: Vault,
  childId: string,
): Promise<OpenCareCard | undefined> {
  const row = await db
    .selectFrom('care_cards')
    .selectAll()
    .where('child_id', '=', childId)
    .executeTakeFirst();
  if (!row) return undefined;
  const key = await findDataKey(db, vault, 'child', childId);
  if (!key) throw new Error('the key of a care card is missing');
  const { version, updated_at, updated_by } = row;
  return { version, updated_at: Number(updated_at), updated_by, card: openCard(key, childId, row.sealed) };
}

/** Version of the stored card; 0 without one. Lock the child first. */
export async function findCareVersion(trx: Transaction<Database>, childId: string): Promise<number> {
  const row = await trx
    .selectFrom('care_cards')
    .select('version')
    .where('child_id', '=', childId)
    .executeTakeFirst();
  return row?.version ?? 0;
}

export interface CareCardSave {
  readonly childId: string;
  readonly version: number;
  readonly by: CareCardRow['updated_by'];
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly card: CareCard;
}

/** Stores the card, replacing the one before. */
export async function saveCareCard(
  trx: Transaction<Database>,
  vault: Vault,
  { childId, version, by, at, card }: CareCardSave,
): Promise<void> {
  const key = await takeDataKey(trx, vault, 'child', childId);
  const row = {
    version,
    sealed: key.seal(cardContext(childId), padded(card, CARD_STEP)),
    sign: key.seal(signContext(childId), padded(signedAllergiesOf(card), SIGN_STEP)),
    updated_at: at,
    updated_by: by,
  };
  const parentVersion = by === 'parent' ? { parent_version: version } : {};
  await trx
    .insertInto('care_cards')
    .values({ child_id: childId, parent_version: 0, ...row, ...parentVersion })
    .onConflict((conflict) => conflict.column('child_id').doUpdateSet({ ...row, ...parentVersion }))
    .execute();
}

/**
 * Notes that staff of a facility have seen the card up to a version. True if the family had changed it since they last
 * saw it.
 */
export async function noteCareSeen(
  trx: Transaction<Database>,
  childId: string,
  facility: string,
  version: number,
): Promise<boolean> {
  const before = await trx
    .selectFrom('child_facilities')
    .innerJoin('care_cards', 'care_cards.child_id', 'child_facilities.child_id')
    .select(['care_seen', 'parent_version'])
    .where('child_facilities.child_id', '=', childId)
    .where('facility_id', '=', facility)
    .executeTakeFirst();
  if (!before || before.care_seen >= version) return false;
  await trx
    .updateTable('child_facilities')
    .set({ care_seen: version })
    .where('child_id', '=', childId)
    .where('facility_id', '=', facility)
    .where('care_seen', '<', version)
    .execute();
  return before.parent_version > before.care_seen;
}

export interface CareSignRow {
  readonly childId: string;
  /** Worst first; null if the sealed text could not be opened. */
  readonly allergies: readonly SignedAllergy[] | null;
  readonly isUnseen: boolean;
}

/** Column of a query on `children`: 1 if somebody has saved a care card, whatever is in it, else 0. */
export const hasCareCard = sql<number>`case when exists (
    select 1 from care_cards where care_cards.child_id = children.id
  ) then 1 else 0 end`.as('has_card');

/** The signs of the children with a card at a facility, also those without allergies. */
export async function findCareSigns(db: Reader, vault: Vault, facility: string): Promise<CareSignRow[]> {
  const rows = await db
    .selectFrom('care_cards')
    .innerJoin('children', 'children.id', 'care_cards.child_id')
    .innerJoin('child_facilities', 'child_facilities.child_id', 'care_cards.child_id')
    .leftJoin('data_keys', (join) =>
      join.onRef('data_keys.owner_id', '=', 'care_cards.child_id').on('data_keys.owner_kind', '=', 'child'),
    )
    .select(['care_cards.child_id', 'sign', 'parent_version', 'care_seen', 'wrapped'])
    .where('child_facilities.facility_id', '=', facility)
    .orderBy('care_cards.child_id')
    .execute();
  return rows.map(({ child_id, sign, parent_version, care_seen, wrapped }) => ({
    childId: child_id,
    allergies: openSign(vault, child_id, wrapped, sign),
    isUnseen: parent_version > care_seen,
  }));
}

/** One damaged row must not hide the allergies of all the others. */
function openSign(
  vault: Vault,
  childId: string,
  wrapped: Uint8Array | null,
  sign: Uint8Array,
): SignedAllergy[] | null {
  try {
    if (wrapped === null) return null;
    const text = vault.openDataKey(`child ${childId}`, wrapped).open(signContext(childId), sign);
    return signedAllergiesSchema.parse(JSON.parse(text.toString('utf8')));
  } catch {
    return null;
  }
}

/** The saved cards of some children, by id; those that cannot be opened are left out. */
export async function findCareCards(
  db: Reader,
  vault: Vault,
  childIds: readonly string[],
): Promise<Map<string, CareCard>> {
  const cards = new Map<string, CareCard>();
  if (childIds.length === 0) return cards;
  const all = db
    .selectFrom('care_cards')
    .innerJoin('data_keys', (join) =>
      join.onRef('data_keys.owner_id', '=', 'care_cards.child_id').on('data_keys.owner_kind', '=', 'child'),
    )
    .select(['child_id', 'sealed', 'wrapped']);
  for (const { child_id, sealed, wrapped } of await whereIdIn(all, 'child_id', childIds).execute())
    try {
      cards.set(child_id, openCard(vault.openDataKey(`child ${child_id}`, wrapped), child_id, sealed));
    } catch {
      // The caller knows who has a card.
    }
  return cards;
}

/** Deletes the card of a child. */
export async function deleteCareCard(trx: Transaction<Database>, childId: string): Promise<void> {
  await trx.deleteFrom('care_cards').where('child_id', '=', childId).execute();
}
