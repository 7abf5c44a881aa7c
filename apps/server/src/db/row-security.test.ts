/** PostgreSQL itself keeps facilities apart: queries that are not limited to a facility get only its rows. */
import { createLogger } from '@haris/runtime/log';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acrossFacilities, inFacility, inScopeOf } from '../facility.ts';
import { superuserUrl, testDialect } from '../testing/database.ts';
import { startTestApp, type TestApp } from '../testing/harness.ts';
import type { OpenDatabase } from './dialect.ts';
import { ofGuardian } from './guardians.ts';
import { connectPostgres } from './postgres.ts';
import { PROTECTED } from './row-security.ts';
import type { Database } from './schema.ts';
import { inTransaction } from './transaction.ts';

/** Tables with a facility, a person or a thing of one, which policies leave alone, each with the reason. */
const OPEN: Readonly<Record<string, string>> = {
  audit_log: 'one chain of all facilities; its lists are limited by the reader’s rights',
  child_facilities: 'says what the policies ask, also of other facilities',
  data_keys: 'a key that a policy hid would not be destroyed with its person; what it opens has policies',
  desk_codes: 'a secret of an account, found by the parent, who has a policy',
  erasures: 'ids of who is erased, repeated at every start',
  events: 'one order for all facilities; its streams are limited by the reader’s rights',
  held_changes: 'kinds of changes, mailed to the parent by work of the organisation',
  kiosk_codes: 'a secret of an account, found by itself; the parent has a policy',
  kiosk_pins: 'a secret of an account, read with the parent, who has a policy',
  memberships: 'says what the policies ask, also of other facilities',
  notification_deliveries: 'of a person, who may work at several facilities',
  presence_conditions: 'cameras of any facility see a child that another one knows',
  settings: 'those of the organisation and of a facility are read together',
  tickets: 'read before the facility is known',
};

const HERE = 'main';
const THERE = 'there';

describe.runIf(testDialect === 'postgres')('row-level security', () => {
  let app: TestApp;
  /** One connection, so that each statement follows another of a different facility. */
  let single: OpenDatabase;
  let db: Kysely<Database>;

  beforeAll(async () => {
    app = await startTestApp({ isLimited: true });
    ({ db } = app.context);
    single = connectPostgres(String(app.env.DATABASE_URL), 1, createLogger('single', 'fatal'));
    for (const facility of [HERE, THERE]) {
      await insertVisitor(db, facility, `${facility}-1`);
      await sql`insert into cameras (id, facility_id, name, area, kind, zones, enabled, sort_name, search_text, created_at)
        values (${facility}, ${facility}, 'Door', 'Hall', 'browser', '[]', 1, 'door', 'door', 0)`.execute(db);
      await sql`insert into camera_pairings (camera_id, code_mac, expires_at) values (${facility}, ${facility}, 0)`.execute(
        db,
      );
    }
  });
  afterAll(async () => {
    await single?.close();
    await app?.close();
  });

  const names = async (rows: Promise<{ rows: { name: string }[] }>) =>
    (await rows).rows.map(({ name }) => name);
  const visitors = (on: Kysely<Database> = db) =>
    names(sql<{ name: string }>`select name from visitors order by name`.execute(on));
  const pairings = () =>
    names(sql<{ name: string }>`select camera_id as name from camera_pairings order by 1`.execute(db));
  const outsider = <T>(work: () => T): T => inScopeOf({ scope: 'none' }, work);

  function insertVisitor(on: Kysely<Database>, facility: string, name: string) {
    return sql`insert into visitors (id, facility_id, kind, name, search_text, signed_in_at, signed_in_by)
      values (${name}, ${facility}, 'visitor', ${name}, '', 0, '')`.execute(on);
  }

  test('covers every table of a facility, of its things and of its people', async () => {
    const { rows } = await sql<{ name: string }>`select relname as name from pg_class
      where relrowsecurity and relforcerowsecurity`.execute(db);
    expect(rows.map(({ name }) => name).toSorted()).toEqual(PROTECTED.toSorted());
    const concerned = await sql<{
      name: string;
    }>`select distinct table_name as name from information_schema.columns
      where table_schema = current_schema()
      and column_name in ('facility_id', 'room_id', 'stay_id', 'camera_id', 'kiosk_id', 'sensor_id', 'incident_id',
        'child_id', 'parent_id', 'owner_id', 'subject_id', 'photo_id', 'collector_id')`.execute(db);
    const missing = concerned.rows
      .map(({ name }) => name)
      .filter((name) => !rows.some((row) => row.name === name));
    expect(missing.toSorted()).toEqual(Object.keys(OPEN));
  });

  test('a query that forgets the facility reads only its rows', async () => {
    expect(await inFacility(HERE, visitors)).toEqual(['main-1']);
    expect(await inFacility(THERE, visitors)).toEqual(['there-1']);
    expect(await inFacility(HERE, pairings)).toEqual(['main']);
    expect(await inFacility('elsewhere', visitors)).toEqual([]);
  });

  test('before the sender is known it reads nothing', async () => {
    expect(await outsider(visitors)).toEqual([]);
    expect(await outsider(pairings)).toEqual([]);
  });

  test('work for all facilities reads all', async () => {
    expect(await acrossFacilities(visitors)).toEqual(['main-1', 'there-1']);
    expect(await inFacility(HERE, () => acrossFacilities(pairings))).toEqual(['main', 'there']);
  });

  test('a query that forgets the facility changes and deletes only its rows', async () => {
    await inFacility(HERE, async () => {
      await sql`update visitors set phone = '1'`.execute(db);
      await sql`delete from camera_pairings where camera_id = 'there'`.execute(db);
      await sql`delete from visitors where name = 'there-1'`.execute(db);
    });
    const { rows } = await sql`select name, phone from visitors order by name`.execute(db);
    expect(rows).toEqual([
      { name: 'main-1', phone: '1' },
      { name: 'there-1', phone: null },
    ]);
    expect(await pairings()).toEqual(['main', 'there']);
  });

  test('no row is inserted for another facility, nor moved to one', async () => {
    const refused = { code: '42501' };
    await inFacility(HERE, async () => {
      await expect(insertVisitor(db, THERE, 'x')).rejects.toMatchObject(refused);
      await expect(sql`update visitors set facility_id = ${THERE}`.execute(db)).rejects.toMatchObject(
        refused,
      );
      await expect(
        sql`insert into camera_devices (camera_id, token_hash, paired_at) values (${THERE}, 'x', 0)`.execute(
          db,
        ),
      ).rejects.toMatchObject(refused);
    });
    expect(await visitors()).toEqual(['main-1', 'there-1']);
  });

  test('a connection of the pool never keeps the facility of other work', async () => {
    const rounds = Array.from({ length: 300 }, (_, index) => index % 4);
    const read = await Promise.all(
      rounds.map((round) => {
        if (round === 0) return inFacility(HERE, visitors);
        if (round === 1) return inFacility(THERE, visitors);
        return round === 2 ? outsider(visitors) : acrossFacilities(visitors);
      }),
    );
    const wanted = [['main-1'], ['there-1'], [], ['main-1', 'there-1']];
    expect(read).toEqual(rounds.map((round) => wanted[round]));
  });

  test('a transaction keeps its facility while others work, and leaves it when asked', async () => {
    await inFacility(HERE, () =>
      inTransaction(db, async ({ trx }) => {
        expect(await visitors(trx)).toEqual(['main-1']);
        await Promise.all([inFacility(THERE, visitors), inFacility(THERE, visitors)]);
        expect(await visitors(trx)).toEqual(['main-1']);
        expect(await acrossFacilities(() => visitors(trx))).toEqual(['main-1', 'there-1']);
        const both = [visitors(trx), inFacility(THERE, () => visitors(trx)), visitors(trx)];
        expect(await Promise.all(both)).toEqual([['main-1'], ['there-1'], ['main-1']]);
      }),
    );
  });

  test('a rollback takes the facility back, and the next query sets its own', async () => {
    const one = single.db;
    await inFacility(HERE, () => visitors(one));
    const gaveUp = inFacility(THERE, () =>
      inTransaction(one, async ({ trx }) => {
        expect(await visitors(trx)).toEqual(['there-1']);
        throw new Error('given up');
      }),
    );
    await expect(gaveUp).rejects.toThrow('given up');
    expect(await inFacility(THERE, () => visitors(one))).toEqual(['there-1']);
    await expect(inFacility(HERE, () => sql`select 1 / 0 from visitors`.execute(one))).rejects.toThrow();
    expect(await inFacility(THERE, () => visitors(one))).toEqual(['there-1']);
    expect(await outsider(() => visitors(one))).toEqual([]);
  });

  test('families and staff of another facility are not there, and those of none are', async () => {
    const [known, unknown] = [await app.makeFamily(), await app.makeFamily()];
    const child = (await app.makeChild(known))._id;
    await app.makeChild(unknown);
    const colleague = await app.makeEmployee();
    await sql`update child_facilities set facility_id = ${THERE} where child_id <> ${child}`.execute(db);
    await sql`update memberships set facility_id = ${THERE} where staff_id = ${colleague.id}`.execute(db);
    const fresh = await app.makeFamily();
    const ids = (table: string) =>
      names(
        sql<{ name: string }>`select id as name from ${sql.table(table)} order by created_at`.execute(db),
      );
    expect(await inFacility(HERE, () => ids('children'))).toEqual([child]);
    expect((await inFacility(HERE, () => ids('parents'))).toSorted()).toEqual(
      [known.id, fresh.id].toSorted(),
    );
    expect(await inFacility(HERE, () => ids('staff'))).not.toContain(colleague.id);
    expect(await inFacility(THERE, () => ids('staff'))).toContain(colleague.id);
    expect(await outsider(() => ids('children'))).toEqual([]);
    // A query that is limited says the same: a family of another facility does not look like one without children.
    const limited = inFacility(HERE, () => db.selectFrom('parents').select('id').execute());
    expect((await limited).map(({ id }) => id).toSorted()).toEqual([known.id, fresh.id].toSorted());
  });

  describe('what belongs to people', () => {
    const TABLES = {
      photos: 'owner_id',
      face_encodings: 'child_id',
      proposals: 'subject_id',
      detail_changes: 'subject_id',
    };
    /** Name in this test → id. `shared` and its parent `both` are known at both facilities, `fresh` and `new` at none. */
    const ids = new Map<string, string>();
    const idOf = (name: string) => String(ids.get(name));
    const children = ['own', 'their', 'shared'];
    const parents = ['mine', 'theirs', 'both', 'fresh'];

    beforeAll(async () => {
      for (const name of parents) ids.set(name, (await app.makeFamily()).id);
      for (const [index, name] of children.entries()) {
        const parent = { id: idOf(String(parents[index])) };
        const columns = { name, photo_id: null, sort_name: name, created_at: 0, version: 1 };
        ids.set(name, `${name}-child`);
        await db
          .insertInto('children')
          .values({ ...columns, ...ofGuardian(parent.id), id: idOf(name) })
          .execute();
      }
      const known = { own: [HERE], their: [THERE], shared: [HERE, THERE] };
      for (const [name, facilities] of Object.entries(known))
        for (const facility of facilities)
          await sql`insert into child_facilities (child_id, facility_id, created_at)
            values (${idOf(name)}, ${facility}, 0)`.execute(db);
      const colleague = await app.makeEmployee();
      ids.set('colleague', colleague.id);
      await sql`update memberships set facility_id = ${THERE} where staff_id = ${colleague.id}`.execute(db);
      ids.set('new', 'not inserted yet');
      for (const name of [...children, 'new']) await insertOf(name, 'child');
      for (const name of parents) await insertOf(name, 'parent');
      await insertPhoto('colleague', 'admin');
    });

    const bytes = Buffer.from('x');
    async function insertPhoto(name: string, kind: string) {
      const id = `photo of ${name}`;
      await sql`insert into photos (id, owner_kind, owner_id, created_at)
        values (${id}, ${kind}, ${idOf(name)}, 0)`.execute(db);
      await sql`insert into photo_bodies (photo_id, sealed) values (${id}, ${bytes})`.execute(db);
    }
    const insertFace = (name: string) =>
      sql`insert into face_encodings (id, child_id, sealed, model, quality, created_at)
        values (${`face of ${name}`}, ${idOf(name)}, ${bytes}, 'm', 1, 0)`.execute(db);
    const insertProposal = (name: string, kind: string) =>
      sql`insert into proposals (id, subject_kind, subject_id, field, slot, value, by_id, created_at)
        values (${`proposal of ${name}`}, ${kind}, ${idOf(name)}, 'name', '', 'x', 'x', 0)`.execute(db);
    const insertChange = (name: string, kind: string) =>
      sql`insert into detail_changes (subject_id, subject_kind, field, at)
        values (${idOf(name)}, ${kind}, 'name', 0)`.execute(db);

    /** One row for this person in each table. */
    async function insertOf(name: string, kind: 'child' | 'parent') {
      await insertPhoto(name, kind);
      await insertProposal(name, kind);
      await insertChange(name, kind);
      // A face has a foreign key, so it is never older than its child.
      if (children.includes(name)) await insertFace(name);
    }

    /** The people of whom the table shows a row, by name. */
    async function shownIn(table: string, column: string): Promise<string[]> {
      const shown = await names(
        sql<{ name: string }>`select ${sql.ref(column)} as name from ${sql.table(table)}`.execute(db),
      );
      return [...ids].flatMap(([name, id]) => (shown.includes(id) ? [name] : [])).toSorted();
    }
    const bodies = async () =>
      (
        await names(
          sql<{ name: string }>`select photo_id as name from photo_bodies where photo_id like 'photo of %'
            order by 1`.execute(db),
        )
      ).map((name) => name.replace('photo of ', ''));

    const atHere = ['both', 'fresh', 'mine', 'new', 'own', 'shared'];
    const atThere = ['both', 'colleague', 'fresh', 'new', 'shared', 'their', 'theirs'];
    const limited = (people: string[], table: string) => {
      if (table === 'photos') return people;
      const withoutStaff = people.filter((name) => name !== 'colleague');
      return table === 'face_encodings'
        ? withoutStaff.filter((name) => children.includes(name))
        : withoutStaff;
    };

    test.each(Object.entries(TABLES))(
      '%s: a query that forgets the facility reads only its people’s',
      async (table, column) => {
        const shown = () => shownIn(table, column);
        expect(await inFacility(HERE, shown)).toEqual(limited(atHere, table));
        expect(await inFacility(THERE, shown)).toEqual(limited(atThere, table));
        expect(await outsider(shown)).toEqual(limited(['fresh', 'new'], table));
        expect(await acrossFacilities(shown)).toEqual(limited([...ids.keys()].toSorted(), table));
      },
    );

    test('the bytes of a photo are where the photo is', async () => {
      expect(await inFacility(HERE, bodies)).toEqual(atHere);
      expect(await inFacility(THERE, bodies)).toEqual(atThere);
      expect(await outsider(bodies)).toEqual(['fresh', 'new']);
    });

    test('nothing is inserted, changed or deleted for people of another facility', async () => {
      const refused = { code: '42501' };
      const all = () => Promise.all(Object.entries(TABLES).map(([table, column]) => shownIn(table, column)));
      const before = await all();
      await inFacility(HERE, async () => {
        for (const [table, column] of Object.entries(TABLES)) {
          const [rows, person] = [sql.table(table), sql.ref(column)];
          await sql`delete from ${rows} where ${person} in (${idOf('their')}, ${idOf('theirs')})`.execute(db);
          const moved = sql`update ${rows} set ${person} = ${idOf('their')} where ${person} = ${idOf('own')}`;
          await expect(moved.execute(db)).rejects.toMatchObject(refused);
        }
        ids.set('their again', idOf('their'));
        await expect(insertPhoto('their again', 'child')).rejects.toMatchObject(refused);
        await expect(insertFace('their again')).rejects.toMatchObject(refused);
        ids.delete('their again');
        const body = sql`update photo_bodies set sealed = ${Buffer.from('y')} where photo_id = 'photo of their'`;
        await body.execute(db);
        await sql`delete from photo_bodies where photo_id = 'photo of theirs'`.execute(db);
      });
      expect(await all()).toEqual(before);
      const { rows } = await sql<{ sealed: Buffer }>`select sealed from photo_bodies
        where photo_id in ('photo of their', 'photo of theirs')`.execute(db);
      expect(rows.map(({ sealed }) => sealed.toString())).toEqual(['x', 'x']);
    });
  });
});

describe.runIf(testDialect === 'postgres')('a role that skips row-level security', () => {
  const warning = 'skips row-level security';

  test('is warned of at the start, and another is not', async () => {
    const app = await startTestApp({ isLimited: true });
    expect(app.logLines.join('\n')).not.toContain(warning);
    const url = superuserUrl(String(app.env.DATABASE_URL));
    const beside = await startTestApp({ beside: app, config: { DATABASE_URL: url } });
    expect(beside.logLines.filter((line) => line.includes(warning))).toHaveLength(1);
    await beside.close();
    await app.close();
  });
});
