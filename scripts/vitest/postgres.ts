/** Gives the tests of one Vitest project a real PostgreSQL: `inject('postgresUrl')`. */
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connects to an empty cluster as a superuser; each test file creates its own database in it. */
    postgresUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  project.provide('postgresUrl', postgres.url);
  return () => postgres.stop();
}
