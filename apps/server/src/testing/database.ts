/** Gives each test app its own database: a file in its own folder, or a database of the run's PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@haris/runtime/log';
import pg from 'pg';
import { inject } from 'vitest';
import { embeddedFile } from '../db/embedded.ts';
import { openDatabase } from '../db/open.ts';

export interface FreshDatabase {
  /** Value for `DATABASE_URL`; undefined for the embedded database. */
  readonly url: string | undefined;
  drop(): Promise<void>;
}

export interface MigratedDatabase extends FreshDatabase {
  /** Puts the embedded database into this empty data folder; does nothing on PostgreSQL. */
  putInto(dataDir: string): void;
}

/** The database that this run tests. */
export const testDialect = process.env.HARIS_TEST_DB === 'postgres' ? 'postgres' : 'sqlite';

/** Runs a statement in the cluster's own database. */
export async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Owns the databases. It is not a superuser, so that row-level security limits a server with this role. */
const ROLE = 'nursery';

/** Makes the role once per cluster. Processes that do it at the same time wait for each other. */
async function makeRole(): Promise<void> {
  const { password } = new URL(inject('postgresUrl'));
  await asSuperuser(`
    begin;
    select pg_advisory_xact_lock(1);
    do $$ begin
      if not exists (select from pg_roles where rolname = '${ROLE}') then
        create role ${ROLE} login password '${password}';
      end if;
    end $$;
    commit`);
}

let made: Promise<void> | null = null;

async function ownDatabase(name: string, source: string): Promise<void> {
  made ??= makeRole();
  await made;
  await asSuperuser(`create database ${name} template ${source} owner ${ROLE}`);
}

/** Whether all tests run with that role: a run with it shows whether the policies hinder anything. */
const areAllLimited = process.env.HARIS_TEST_LIMITED === '1';

function urlOf(name: string, isLimited: boolean): string {
  const url = new URL(inject('postgresUrl'));
  if (isLimited) url.username = ROLE;
  url.pathname = `/${name}`;
  return url.href;
}

/** The same database for a superuser, whom policies do not limit. */
export function superuserUrl(of: string): string {
  const url = new URL(inject('postgresUrl'));
  url.pathname = new URL(of).pathname;
  return url.href;
}

async function createDatabase(source: string, isLimited = areAllLimited): Promise<FreshDatabase> {
  if (testDialect === 'sqlite') return { url: undefined, drop: async () => {} };
  const name = `test_${randomBytes(8).toString('hex')}`;
  await ownDatabase(name, source);
  return { url: urlOf(name, isLimited), drop: () => asSuperuser(`drop database ${name} with (force)`) };
}

/** Database, or folder of one, with all migrations and no rows; the template for the copies of this process. */
let migrated: Promise<string> | null = null;

/** A data folder with the embedded database, until the process ends. */
async function makeMigratedFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'haris-migrated-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const log = createLogger('tests', 'fatal');
  const { close } = await openDatabase({ databaseUrl: null, dataDir: folder, log });
  await close();
  return folder;
}

async function makeMigrated(): Promise<string> {
  if (testDialect === 'sqlite') return makeMigratedFolder();
  const name = `migrated_${randomBytes(8).toString('hex')}`;
  await ownDatabase(name, 'template1');
  const log = createLogger('tests', 'fatal');
  const { close } = await openDatabase({ databaseUrl: urlOf(name, true), dataDir: '', log });
  await close();
  return name;
}

/** An empty database on the dialect of this run. */
export function freshDb(): Promise<FreshDatabase> {
  return createDatabase('template1');
}

/** A copy of a migrated database, which takes a tenth of the time of migrating. */
export async function freshMigratedDb(isLimited?: boolean): Promise<MigratedDatabase> {
  migrated ??= makeMigrated();
  const source = await migrated;
  if (testDialect === 'sqlite') {
    const putInto = (dataDir: string) => copyFileSync(embeddedFile(source), embeddedFile(dataDir));
    return { ...(await freshDb()), putInto };
  }
  return { ...(await createDatabase(source, isLimited)), putInto: () => {} };
}
