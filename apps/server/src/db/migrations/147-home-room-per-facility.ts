/** A child has a home room at each facility where it is known, instead of one for all (decision 048). */
import { type Kysely, sql } from 'kysely';

export const homeRoomPerFacility = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('child_facilities').addColumn('home_room_id', 'text').execute();
    // A room of a facility where the child is not known is nobody's home room, and goes with the column.
    await sql`update child_facilities set home_room_id = (
      select rooms.id from rooms join children on children.home_room_id = rooms.id
      where children.id = child_facilities.child_id and rooms.facility_id = child_facilities.facility_id)`.execute(
      db,
    );
    await db.schema.alterTable('children').dropColumn('home_room_id').execute();
  },
};
