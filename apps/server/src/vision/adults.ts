/** Finds adults who chose recognition: their names, and those who resemble a face. */
import type { AdultCandidate } from '@haris/contract/errors';
import { distanceToPerson } from '@haris/contract/face-distance';
import { subjectKey } from '@haris/contract/subject';
import type { Kysely } from 'kysely';
import { type AdultAccount, findRecognisedAdults } from '../db/adult-faces.ts';
import type { Database } from '../db/schema.ts';
import type { Gallery } from './gallery.ts';
import { subjectOf } from './subject.ts';

/** Kind of an adult on the screens. */
export type AdultKind = AdultCandidate['kind'];

const kindOf = { parent: 'guardian', admin: 'staff' } as const satisfies Record<
  AdultAccount['kind'],
  AdultKind
>;

/** Names of the adults whom the cameras recognise, by {@link subjectKey}. */
export async function findAdultNames(
  db: Kysely<Database>,
): Promise<Map<string, { readonly name: string; readonly kind: AdultKind }>> {
  const adults = await findRecognisedAdults(db);
  return new Map(
    adults.map((adult) => [subjectKey(subjectOf(adult)), { name: adult.name, kind: kindOf[adult.kind] }]),
  );
}

export interface NearAdult {
  readonly kind: AdultKind;
  readonly name: string;
  /** Photo of a parent's account; null for staff. */
  readonly photoId: string | null;
  /** Euclidean distance; smaller is nearer. */
  readonly distance: number;
}

/** Adults recognised by the cameras whose face is nearer than `maxDistance`, nearest first, without `except`. */
export async function findAdultsNear(
  { db, gallery }: { readonly db: Kysely<Database>; readonly gallery: Pick<Gallery, 'read'> },
  encoding: readonly number[],
  maxDistance: number,
  except: AdultAccount | null,
): Promise<NearAdult[]> {
  const { entries } = await gallery.read();
  const enrolled = new Map(entries.map(({ subject, encodings }) => [subjectKey(subject), encodings]));
  const near: NearAdult[] = [];
  for (const { kind, id, name, photoId } of await findRecognisedAdults(db)) {
    const encodings = enrolled.get(subjectKey(subjectOf({ kind, id })));
    if (!encodings || (except?.kind === kind && except.id === id)) continue;
    const distance = distanceToPerson(encodings, encoding);
    if (distance < maxDistance) near.push({ kind: kindOf[kind], name, photoId, distance });
  }
  return near.sort((a, b) => a.distance - b.distance);
}
