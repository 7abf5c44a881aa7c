/** Present names and photos of people and things that other rows refer to by kind and id. */
import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

/** A kind is one of those of the audit log. The name of an alert is its room, if it has one. */
export interface SubjectReference {
  readonly kind: string | null;
  readonly id: string | null;
}

export interface SubjectName {
  readonly name: string;
  readonly photoId: string | null;
}

const WITH_PHOTO = [
  ['child', 'children'],
  ['parent', 'parents'],
  ['admin', 'staff'],
] as const;
const WITHOUT_PHOTO = [
  ['camera', 'cameras'],
  ['sensor', 'sensors'],
  ['home_assistant', 'home_assistant_accounts'],
  ['kiosk', 'kiosks'],
  ['role', 'roles'],
  ['room', 'rooms'],
  // A desk tablet that has acted without a signed-in person.
  ['desk', 'kiosks'],
  ['visitor', 'visitors'],
] as const;

/** The found names, by kind and id. */
export interface SubjectNames {
  /** Undefined if the subject has been deleted or never existed. */
  of(reference: SubjectReference): SubjectName | undefined;
}

const keyOf = ({ kind, id }: SubjectReference): string => `${kind} ${id}`;

/** Looks the names up, with one query per kind. */
export async function findNames(
  db: Kysely<Database> | Transaction<Database>,
  references: readonly SubjectReference[],
): Promise<SubjectNames> {
  const names = new Map<string, SubjectName>();
  const idsOf = (kind: string) => [
    ...new Set(references.flatMap((one) => (one.kind === kind && one.id !== null ? [one.id] : []))),
  ];
  for (const [kind, table] of WITH_PHOTO) {
    const ids = idsOf(kind);
    if (ids.length === 0) continue;
    const rows = await db
      .selectFrom(table)
      .select(['id', 'name', 'photo_id'])
      .where('id', 'in', ids)
      .execute();
    for (const { id, name, photo_id: photoId } of rows) names.set(keyOf({ kind, id }), { name, photoId });
  }
  for (const [kind, table] of WITHOUT_PHOTO) {
    const ids = idsOf(kind);
    if (ids.length === 0) continue;
    const rows = await db.selectFrom(table).select(['id', 'name']).where('id', 'in', ids).execute();
    for (const { id, name } of rows) names.set(keyOf({ kind, id }), { name, photoId: null });
  }
  const alerts = idsOf('incident');
  if (alerts.length > 0) {
    const rows = await db.selectFrom('incidents').select(['id', 'area']).where('id', 'in', alerts).execute();
    for (const { id, area } of rows)
      if (area !== null) names.set(keyOf({ kind: 'incident', id }), { name: area, photoId: null });
  }
  return { of: (reference) => names.get(keyOf(reference)) };
}
