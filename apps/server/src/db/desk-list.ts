/** The children of a facility as its desk tablets keep them (decision 055). Only queries, no rules. */
import type { Kysely, Transaction } from 'kysely';
import { hasCareCard } from './care-cards.ts';
import { isBarred } from './children.ts';
import { guardianOf } from './guardians/conditions.ts';
import { homeRoomHere } from './home-rooms.ts';
import type { Database } from './schema.ts';
import { isOpenStay } from './stays.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** A child of the facility with its open stay there, if any; times in milliseconds since 1970, `duration` in minutes. */
export interface ListedChild {
  readonly id: string;
  readonly name: string;
  readonly photo_confirmed_at: number | null;
  readonly name_confirmed_at: number | null;
  /** The first guardian. */
  readonly parent_id: string;
  readonly parent_name: string;
  readonly phone: string | null;
  /** At this facility; null: the default room. */
  readonly home_room_id: string | null;
  /** 1: there is a bar now, or somebody has saved a care card; else 0. */
  readonly is_barred: number;
  readonly has_card: number;
  /** Null: the child is outside, and so are the next two. */
  readonly entry_time: number | null;
  readonly duration: number | null;
  readonly room_name: string | null;
}

/**
 * The children of the facility, by name. A child outside is left out if the owner of its family's address has said that the
 * registration is not theirs.
 */
export async function findChildrenForDesk(db: Reader): Promise<ListedChild[]> {
  return db
    .selectFrom('children')
    .innerJoin('parents', (join) => join.on('parents.id', '=', guardianOf()))
    .leftJoin('stays', (join) => join.onRef('stays.child_id', '=', 'children.id').on(isOpenStay))
    .leftJoin('rooms', 'rooms.id', 'stays.room_id')
    .select([
      'children.id',
      'children.name',
      'children.photo_confirmed_at',
      'children.name_confirmed_at',
      'parents.id as parent_id',
      'parents.name as parent_name',
      'parents.phone',
      'stays.entry_time',
      'stays.duration',
      'rooms.name as room_name',
      homeRoomHere,
      isBarred,
      hasCareCard,
    ])
    .where((eb) => eb.or([eb('parents.disowned_at', 'is', null), eb('stays.id', 'is not', null)]))
    .orderBy('children.sort_name')
    .orderBy('children.id')
    .execute();
}
