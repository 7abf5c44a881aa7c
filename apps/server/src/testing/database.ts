/** A database of its own for each app under test: a folder of its own, or a database in the run's PostgreSQL. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface FreshDatabase {
  /** Value for `DATABASE_URL`; undefined for the embedded database. */
  readonly url: string | undefined;
  drop(): Promise<void>;
}

/** Which database this run of the tests is about. */
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

/** An empty database on the dialect of this run. */
export async function freshDb(): Promise<FreshDatabase> {
  if (testDialect === 'sqlite') return { url: undefined, drop: async () => {} };
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asSuperuser(`create database ${name}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => asSuperuser(`drop database ${name} with (force)`) };
}
