import { defineConfig } from 'vitest/config';

const setupFiles = ['scripts/vitest/no-stray-console.ts'];
const serverTests = ['apps/server/src/**/*.test.ts'];
/** Tests to which it is all one where the rows lie: real brokers, mail servers and engines, crowds of viewers. Once is enough. */
const anyDatabase = [
  'apps/server/src/mqtt/**/*.test.ts',
  'apps/server/src/mail/smtp.test.ts',
  'apps/server/src/features/live/real-engine.test.ts',
  'apps/server/src/features/live/crowd.test.ts',
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
          testTimeout: 60_000,
        },
      },
      // The server's tests run twice, once on each database.
      {
        test: {
          name: 'server-sqlite',
          include: serverTests,
          setupFiles,
          env: { HARIS_TEST_DB: 'sqlite' },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server-postgres',
          include: serverTests,
          exclude: anyDatabase,
          setupFiles,
          globalSetup: ['scripts/vitest/postgres.ts'],
          env: { HARIS_TEST_DB: 'postgres' },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
