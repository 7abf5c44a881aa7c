import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Only ends what hangs: no verdict may depend on the machine's speed. */
const limits = { testTimeout: 900_000, hookTimeout: 900_000, expect: { poll: { timeout: 240_000 } } };
const setupFiles = ['scripts/vitest/no-stray-console.ts'];
const serverTests = ['apps/server/src/**/*.test.ts'];
const cheapArgon2 = fileURLToPath(new URL('apps/server/src/testing/cheap-argon2.ts', import.meta.url));
const oneFileOfIcons = createRequire(import.meta.url).resolve('@tabler/icons-react');
/** Tests for which the database makes no difference: real brokers, mail servers and engines, crowds of viewers. They run once. */
const anyDatabase = [
  'apps/server/src/mqtt/**/*.test.ts',
  'apps/server/src/demo.test.ts',
  'apps/server/src/installed.test.ts',
  'apps/server/src/tls-files.test.ts',
  'apps/server/src/db/migrations.test.ts',
  'apps/server/src/mail/smtp.test.ts',
  'apps/server/src/features/notifications/outside.test.ts',
  'apps/server/src/features/notifications/channels/outgoing.test.ts',
  'apps/server/src/features/notifications/preferences.test.ts',
  'apps/server/src/features/live/real-engine.test.ts',
  'apps/server/src/features/live/crowd.test.ts',
  'apps/server/src/vision/supervisor.test.ts',
  'apps/server/src/vision/remote.test.ts',
  'apps/server/src/vision/huge-photos.test.ts',
];

export default defineConfig({
  test: {
    allowOnly: false,
    // On two cores, as many tests wait: for engines, brokers, restarts and signals.
    maxWorkers: 4,
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
          ...limits,
        },
      },
      // Screens of the web app, rendered whole over a server that is faked at the network.
      {
        // The icons in one file: their modules are 6,000, and each file of tests would read them all.
        resolve: { alias: { '@tabler/icons-react': oneFileOfIcons } },
        test: {
          name: 'pages',
          environment: 'jsdom',
          include: ['apps/web/src/**/*.test.tsx'],
          setupFiles: [...setupFiles, 'apps/web/src/testing/set-up.ts'],
          env: { TZ: 'Africa/Cairo' },
          ...limits,
        },
      },
      // The server's tests run twice, once on each database. All files of a worker share the server's modules: loading them
      // takes longer than half of the files.
      {
        resolve: { alias: { '@node-rs/argon2': cheapArgon2 } },
        test: {
          name: 'server-sqlite',
          isolate: false,
          include: serverTests,
          setupFiles,
          env: { HARIS_TEST_DB: 'sqlite' },
          ...limits,
        },
      },
      {
        resolve: { alias: { '@node-rs/argon2': cheapArgon2 } },
        test: {
          name: 'server-postgres',
          isolate: false,
          include: serverTests,
          exclude: anyDatabase,
          setupFiles,
          globalSetup: ['scripts/vitest/postgres.ts'],
          env: { HARIS_TEST_DB: 'postgres' },
          ...limits,
        },
      },
    ],
  },
});
