/** PostgreSQL itself keeps facilities apart: queries that are not limited to a facility get only its rows. */
import { createLogger } from '@haris/runtime/log';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acrossFacilities, inFacility, inScopeOf } from '../facility.ts';
import { superuserUrl, testDialect } from '../testing/database.ts';
import { addGuardian, changeGuardian } from '../testing/guardians.ts';
import { startTestApp, type TestApp } from '../testing/harness.ts';
import type { OpenDatabase } from './dialect.ts';
import { connectPostgres } from './postgres.ts';
import { PROTECTED } from './row-security.ts';
import type { Database } from './schema.ts';
import { inTransaction } from './transaction.ts';

/**
 * Every table that policies leave alone, and why. A table of the schema that is in neither list does not compile. Rows
 * that hang on a person are read by the id of a person whom the reader has found behind that person's policy.
 */
const OPEN = {
  // What says who belongs where: policies and sign-ins read it before the facility is known.
  facilities: 'the list of facilities itself',
  memberships: 'decides at which facilities a staff member works, so it is read before one is chosen',
  child_facilities: 'decides at which facilities a child is known: the policies of people read it',
  roles: 'the organisation’s roles, the same at every facility',
  settings: 'the organisation’s rows stand beside those of facilities; each is read by its key',
  // Of a person, who may be known at several facilities.
  data_keys: 'one key of a child or an adult for all facilities; its erasure must reach every row',
  photos: 'of a person; read by the id in the row of that person',
  photo_bodies: 'sealed with the person’s key; read by the id of a photo',
  face_encodings: 'sealed with the child’s key; all of them make one gallery of the organisation',
  adult_faces: 'sealed with the adult’s key; all of them make one gallery of the organisation',
  gallery: 'the revision of the gallery, one row',
  proposals: 'of a child or a parent, whose policy comes first',
  detail_changes: 'of a child or a parent, whose policy comes first',
  held_changes: 'of a parent; only the mailer reads it, for all',
  presence_conditions: 'of a child, whose policy comes first',
  kiosk_pins: 'of a parent, the same at every kiosk',
  kiosk_codes: 'of a parent’s session, whose kiosk is not known until it is scanned',
  staff_pins: 'of a staff member, the same at every shared desk',
  desk_tickets: 'read by the tablet, also by a token’s hash; those of a person end at every facility at once',
  desk_codes: 'of a parent, whose policy comes first',
  notification_preferences: 'of an account, for all its facilities',
  notification_deliveries: 'of an account, who may work at several facilities; the queue works for all',
  push_subscriptions: 'of a session',
  // Signing in, which comes before any facility is known.
  sessions: 'read by the hash of a token, to learn who asks',
  tickets: 'read by the hash of a ticket, which names the facility',
  one_time_tokens: 'read by the hash of a mailed token',
  second_factors: 'of an account that is signing in',
  recovery_codes: 'of an account that is signing in',
  factor_challenges: 'of an account that is signing in',
  oidc_links: 'of an account that is signing in',
  oidc_attempts: 'of somebody who is not signed in yet',
  known_devices: 'of an account that is signing in',
  known_networks: 'of an account that is signing in',
  throttle_hits: 'keyed hashes; limits count over the whole organisation',
  idempotency_keys: 'sealed, and read by the actor and the key; the fingerprint names the facility',
  // One chain and one order for all facilities. Lists and streams are limited by the reader’s rights.
  audit_log: 'one chain for all facilities; lists are limited to the reader’s',
  audit_head: 'the end of that chain, one row',
  events: 'one order for all facilities; streams are limited to the reader’s',
  // The installation’s own.
  meta: 'facts of the installation',
  erasures: 'keys that must be destroyed in backups too; of the installation',
  leases: 'which server does which work',
  mails: 'sealed; only the mailer reads them, for all',
} as const satisfies Record<Exclude<keyof Database, (typeof PROTECTED)[number]>, string>;

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

  test('covers every table of a facility and of its things', async () => {
    const { rows } = await sql<{ name: string; isCovered: boolean; policies: number }>`
      select relname as name, relrowsecurity and relforcerowsecurity as "isCovered",
        (select count(*)::int from pg_policy where polrelid = pg_class.oid) as policies
      from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
        and relname not like 'kysely\\_%'`.execute(db);
    const named = (wanted: boolean) =>
      rows.flatMap(({ name, isCovered }) => (isCovered === wanted ? [name] : [])).toSorted();
    expect(named(true)).toEqual(PROTECTED.toSorted());
    // Row-level security without a policy would show nothing; two policies would each let rows through.
    for (const { name, isCovered, policies } of rows) expect(policies, name).toBe(isCovered ? 1 : 0);
    // Every other table is there for a reason, which is named.
    expect(named(false)).toEqual(Object.keys(OPEN).toSorted());
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
    // A guardian of a child is where the child is; until somebody has accepted, the account is as before.
    const guardians = () =>
      names(sql<{ name: string }>`select parent_id as name from guardians order by 1`.execute(db));
    expect(await inFacility(HERE, guardians)).toEqual([known.id]);
    expect(await inFacility(THERE, guardians)).toEqual([unknown.id]);
    expect(await outsider(guardians)).toEqual([]);
    await addGuardian(app, child, unknown.id, { accepted_at: null });
    expect(await inFacility(HERE, () => ids('parents'))).not.toContain(unknown.id);
    await changeGuardian(app, child, unknown.id, { accepted_at: 1 });
    expect(await inFacility(HERE, () => ids('parents'))).toContain(unknown.id);
    await changeGuardian(app, child, unknown.id, { ended_at: 2 });
    expect(await inFacility(HERE, () => ids('parents'))).not.toContain(unknown.id);
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
