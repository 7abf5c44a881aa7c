/** Gives incidents many subjects and a row for the parent, merges open incidents of one cause, and ends `not_seen` (decision 032). */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';

/** Grouped kinds whose rows have no parent's part. */
const MERGED_KINDS = ['seen_outside', 'unknown_person', 'camera_down', 'sensor_offline'] as const;

/** The columns at the time of this migration. */
interface OldIncident {
  readonly id: string;
  readonly condition: string;
  readonly area: string | null;
  readonly subject_kind: string | null;
  readonly subject_id: string | null;
  readonly raised_at: number;
  readonly acknowledged_at: number | null;
}

export const calmAlerts = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('incidents')
      .addColumn('for_staff', 'integer', (c) => c.notNull().defaultTo(1))
      .execute();
    await db.schema
      .createTable('incident_subjects')
      .addColumn('incident_id', 'text', (c) => c.notNull().references('incidents.id').onDelete('cascade'))
      .addColumn('condition', 'text', (c) => c.notNull())
      .addColumn('subject_kind', 'text', (c) => c.notNull())
      .addColumn('subject_id', 'text', (c) => c.notNull())
      .addColumn('area', 'text')
      .addColumn('joined_at', 'bigint', (c) => c.notNull())
      .addColumn('left_at', 'bigint')
      .addColumn('calm_since', 'bigint')
      .addPrimaryKeyConstraint('incident_subjects_key', ['incident_id', 'condition'])
      .execute();
    await sql`create index incident_subjects_open on incident_subjects (condition) where left_at is null`.execute(
      db,
    );
    const now = Date.now();
    await endNotSeen(db, now);
    await sql`update incidents set for_staff = 0 where kind = 'stay_due'`.execute(db);
    await sql`update incidents set parent_id = null where kind = 'seen_outside'`.execute(db);
    for (const kind of MERGED_KINDS)
      for (const rows of await findOpen(db, kind)) await merge(db, kind, rows, now);
    for (const rows of await findOpen(db, 'time_up')) await splitTimeUp(db, rows);
  },
};

/** Not seen is off until staff switch it on, and reaches no parent, not even in a stream that resumes. */
async function endNotSeen(db: Kysely<unknown>, now: number): Promise<void> {
  const { rows } = await sql<OldIncident>`
    select * from incidents where kind = 'not_seen' and cleared_at is null`.execute(db);
  for (const { id } of rows) await end(db, id, now);
  await sql`update incidents set parent_id = null where kind = 'not_seen'`.execute(db);
  await sql`update events set parent_id = null where type = 'child.not_seen'
    or incident_id in (select id from incidents where kind = 'not_seen')`.execute(db);
  await sql`update presence_conditions set not_seen_stay = null`.execute(db);
}

/** Open incidents of a kind, oldest first: those that nobody acknowledged, and those that somebody did. */
async function findOpen(db: Kysely<unknown>, kind: string): Promise<OldIncident[][]> {
  const { rows } = await sql<OldIncident>`
    select * from incidents where kind = ${kind} and cleared_at is null order by raised_at, id`.execute(db);
  const parts = Map.groupBy(rows, ({ acknowledged_at }) => acknowledged_at === null);
  return [...parts.values()];
}

/** The oldest incident takes the subjects of all, and the others end without a notification. */
async function merge(
  db: Kysely<unknown>,
  kind: string,
  rows: readonly OldIncident[],
  now: number,
): Promise<void> {
  const [first, ...others] = rows;
  if (!first) return;
  await addSubjects(db, first.id, rows);
  await copyAudience(db, first.id, others);
  for (const { id } of others) await end(db, id, now);
  await sql`update incidents set condition = ${nameOf(kind, first)}, area = ${commonArea(rows)}, calm_since = null
    where id = ${first.id}`.execute(db);
}

/** Each row stays for its parent, and one new row for staff takes all children. */
async function splitTimeUp(db: Kysely<unknown>, rows: readonly OldIncident[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const id = randomUUID();
  const name = nameOf('time_up', { ...first, id });
  await sql`insert into incidents (id, kind, condition, area, raised_at, acknowledged_at, acknowledged_by, acknowledged_name)
    select ${id}, kind, ${name}, null, raised_at, acknowledged_at, acknowledged_by, acknowledged_name
    from incidents where id = ${first.id}`.execute(db);
  await sql`insert into incident_timeline (incident_id, position, at, what, by_id, by_name, step, value, note)
    select ${id}, position, at, what, by_id, by_name, step, value, note
    from incident_timeline where incident_id = ${first.id}`.execute(db);
  await sql`insert into incident_steps (incident_id, step, phase, at, next_try_at, attempts, notified_at)
    select ${id}, step, phase, at, 0, 0, notified_at from incident_steps where incident_id = ${first.id}`.execute(
    db,
  );
  await addSubjects(db, id, rows);
  await copyAudience(db, id, rows);
  for (const row of rows) {
    await sql`delete from incident_audience where incident_id = ${row.id} and account_kind = 'admin'`.execute(
      db,
    );
    await sql`update incidents set for_staff = 0 where id = ${row.id}`.execute(db);
  }
}

/** An incident that nobody acknowledged takes further subjects, which its name says. */
function nameOf(kind: string, { id, acknowledged_at }: OldIncident): string {
  return acknowledged_at === null ? kind : `${kind} ${id}`;
}

function commonArea(rows: readonly OldIncident[]): string | null {
  const areas = new Set(rows.map(({ area }) => area));
  return areas.size === 1 ? (rows[0]?.area ?? null) : null;
}

async function addSubjects(db: Kysely<unknown>, id: string, rows: readonly OldIncident[]): Promise<void> {
  for (const row of rows)
    if (row.subject_kind !== null && row.subject_id !== null)
      await sql`insert into incident_subjects (incident_id, condition, subject_kind, subject_id, area, joined_at)
        values (${id}, ${row.condition}, ${row.subject_kind}, ${row.subject_id}, ${row.area}, ${row.raised_at})`.execute(
        db,
      );
}

/** Staff whom the given incidents reached will hear of the end of this one. */
async function copyAudience(db: Kysely<unknown>, id: string, from: readonly OldIncident[]): Promise<void> {
  for (const row of from)
    await sql`insert into incident_audience (incident_id, account_kind, account_id)
      select ${id}, account_kind, account_id from incident_audience
      where incident_id = ${row.id} and account_kind = 'admin' on conflict do nothing`.execute(db);
}

/** Ends an incident, and drops its steps that nobody was notified of yet. */
async function end(db: Kysely<unknown>, id: string, now: number): Promise<void> {
  await sql`insert into incident_timeline (incident_id, position, at, what)
    select ${id}, count(*), ${now}, 'cleared' from incident_timeline where incident_id = ${id}`.execute(db);
  await sql`update incident_steps set notified_at = ${now}
    where incident_id = ${id} and notified_at is null`.execute(db);
  await sql`update incidents set cleared_at = ${now}, calm_since = null where id = ${id}`.execute(db);
}
