import { defineConfig } from 'vitest/config';

const setupFiles = ['scripts/vitest/no-stray-console.ts'];
const serverTests = ['apps/server/src/**/*.test.ts'];
/** Tests to which it is all one where the rows lie: real brokers, mail servers and engines, crowds of viewers. Once is enough. */
const anyDatabase = [
  'apps/server/src/mqtt/**/*.test.ts',
  'apps/server/src/db/migrations.test.ts',
  'apps/server/src/mail/smtp.test.ts',
  'apps/server/src/features/notices/outside.test.ts',
  'apps/server/src/features/notices/ways/outgoing.test.ts',
  'apps/server/src/features/notices/preferences.test.ts',
  'apps/server/src/features/live/real-engine.test.ts',
  'apps/server/src/features/live/crowd.test.ts',
  'apps/server/src/vision/supervisor.test.ts',
  'apps/server/src/vision/remote.test.ts',
  'apps/server/src/vision/huge-photos.test.ts',
];

export default defineConfig({
  test: {
    allowOnly: false,
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/vision/src/**/*.test.ts',
            'apps/web/src/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          setupFiles,
          testTimeout: 180_000,
          expect: { poll: { timeout: 60_000, interval: 20 } },
        },
      },
      // The server's tests run twice, once on each database. Its modules are read in once for all files of a worker:
      // reading them in costs more than half of the files.
      {
        test: {
          name: 'server-sqlite',
          isolate: false,
          include: serverTests,
          setupFiles,
          env: { HARIS_TEST_DB: 'sqlite' },
          testTimeout: 180_000,
          expect: { poll: { timeout: 60_000, interval: 20 } },
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'server-postgres',
          isolate: false,
          include: serverTests,
          exclude: anyDatabase,
          setupFiles,
          globalSetup: ['scripts/vitest/postgres.ts'],
          env: { HARIS_TEST_DB: 'postgres' },
          testTimeout: 180_000,
          expect: { poll: { timeout: 60_000, interval: 20 } },
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
