/** A child who comes to a family is barred from the same adults as the family's other children (decision 049). */
import { randomUUID } from 'node:crypto';
import { isSameName, phoneTail } from '@haris/contract/release';
import type { Actor } from '../actor.ts';
import { recordAboutChild } from '../child-facts.ts';
import type { Context } from '../context.ts';
import { insertBar } from '../db/barred-adults.ts';
import { findCollector } from '../db/collectors.ts';
import { lockChildrenOf } from '../db/guardians/children-of.ts';
import { copyPhoto, hasPhoto } from '../db/photos.ts';
import type { Tx } from '../db/transaction.ts';
import { acrossFacilities } from '../facility.ts';
import { type BarredSecrets, type KnownBar, openCollector, readBars, sealBar } from './adults.ts';

/** Locks the children of a family at all facilities, so that no bar is entered for them meanwhile; returns their ids. */
export async function lockFamily({ trx }: Tx, parentId: string): Promise<string[]> {
  return acrossFacilities(async () => (await lockChildrenOf(trx, parentId)).sort());
}

/** A child of a family. */
interface FamilyChild {
  readonly id: string;
  readonly parentId: string;
}

/** A bar that was copied from another child of the family. */
export interface CopiedBar {
  readonly barId: string;
  readonly from: string;
  readonly adultId: string | null;
}

/**
 * Copies the bars in force of the family's other children, at whatever facility, to a child who is being added, and records it:
 * otherwise the owner of the account would add the same child again, without its bars. Call it after the child's row is written,
 * in the same transaction.
 */
export async function inheritBars(context: Context, tx: Tx, actor: Actor, child: FamilyChild): Promise<void> {
  await recordCopied(context, tx, actor, child.id, await copyBars(context, tx, child));
}

/** Copies the bars of the family's other children to this one, unless it has them. Lock the child first. */
export async function copyBars(
  context: Context,
  tx: Tx,
  { id: childId, parentId }: FamilyChild,
): Promise<CopiedBar[]> {
  const others = (await lockFamily(tx, parentId)).filter((id) => id !== childId);
  return acrossFacilities(async () => {
    const known = new Set<string>();
    for (const { name, phone, note, row } of await readBars(context, tx.trx, childId)) {
      const { document_date: documentDate, adult_id: adultId } = row;
      known.add(JSON.stringify({ name, phone, note, documentDate, adultId } satisfies BarContent));
    }
    const copied: CopiedBar[] = [];
    /** Ids of the copies by what they say. */
    const copies = new Map<string, string>();
    for (const other of others)
      for (const bar of await readBars(context, tx.trx, other))
        for (const content of await contentsOf(context, tx, bar)) {
          const what = JSON.stringify(content);
          if (known.has(what)) continue;
          let barId = copies.get(what);
          if (barId === undefined) {
            // The member of staff who entered it answers for the copy, also if a parent adds the child.
            barId = await writeBar(context, tx, childId, content, bar.row.created_by);
            copies.set(what, barId);
            copied.push({ barId, from: other, adultId: content.adultId });
          }
          // The same bar of several siblings has a photo where the facility that set it knows them, so perhaps not of the first one.
          const [from, to] = [photoOfBar(other, bar.row.id), photoOfBar(childId, barId)];
          if (!(await hasPhoto(tx.trx, to))) await copyPhoto(context, tx, from, to, context.clock.now());
        }
    return copied;
  });
}

/** Records bars that were copied to a child. */
export async function recordCopied(
  context: Pick<Context, 'audit'>,
  tx: Tx,
  actor: Actor | null,
  childId: string,
  copied: readonly CopiedBar[],
): Promise<void> {
  for (const { barId, from } of copied)
    await recordAboutChild(context, tx, childId, {
      actor,
      action: 'barred.copied',
      details: { barId, from },
    });
}

/** The photo of a barred adult among those of the child. */
export const photoOfBar = (childId: string, barId: string) =>
  ({ kind: 'child', id: childId, barId }) as const;

/** What a copied bar says; two bars that say the same are one. */
export interface BarContent extends BarredSecrets {
  readonly documentDate: string | null;
  readonly adultId: string | null;
}

/**
 * What the bars of the family's other children say that are copies of this one. An account is the same adult for all children, also that of
 * a further guardian or of one who has ended, but a collector is one child's, so a bar on a collector is copied by the collector's name
 * and phone, beside the name under which it was entered.
 */
export async function contentsOf(
  context: Context,
  { trx }: Tx,
  { name, phone, note, row }: KnownBar,
): Promise<BarContent[]> {
  const { document_date: documentDate, adult_id: adultId } = row;
  const entered = { name, phone, note, documentDate, adultId: null };
  if (adultId === null) return [entered];
  const collector = await acrossFacilities(async () => {
    const found = await findCollector(trx, adultId);
    return found && openCollector(context, trx, found);
  });
  if (!collector) return [{ ...entered, adultId }];
  if (isSameName(collector.name, name) && (phone === null || phoneTail(phone) === phoneTail(collector.phone)))
    return [{ ...entered, phone: phone ?? collector.phone }];
  return [entered, { ...entered, name: collector.name, phone: collector.phone }];
}

/** Writes a bar, for which `createdBy` answers; one that is put back keeps id and time (milliseconds since 1970). Returns its id. */
export async function writeBar(
  context: Pick<Context, 'vault' | 'clock'>,
  tx: Tx,
  childId: string,
  { name, phone, note, documentDate, adultId }: BarContent,
  createdBy: string,
  { id, at } = { id: randomUUID() as string, at: context.clock.now() },
): Promise<string> {
  await insertBar(tx.trx, {
    id,
    child_id: childId,
    sealed: await sealBar(context, tx, { id, childId }, { name, phone, note }),
    adult_id: adultId,
    // Nobody has said of this child's adults that they are somebody else.
    others: '[]',
    document_date: documentDate,
    created_by: createdBy,
    created_at: at,
    lifted_by: null,
    lifted_at: null,
  });
  return id;
}
