import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  // Not `test-results` itself: Playwright empties this folder, and the reports stand beside it.
  outputDir: 'test-results/e2e',
  forbidOnly: true,
  // What fails is run again by `npm test`, alone: a retry beside another worker would tell less.
  retries: 0,
  // One per core: more would not end sooner, and each step would take longer.
  workers: 2,
  // Only ends a test that hangs: no verdict may depend on the machine's speed.
  timeout: 900_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // A trace costs as much as the test: `npx playwright test --trace retain-on-failure FILE` makes one.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Debian's Chromium: the same on every machine, and no download from Playwright's servers.
    launchOptions: {
      executablePath: process.env.CHROMIUM_SHELL_PATH ?? '/usr/bin/chromium-headless-shell',
      args: [
        '--no-sandbox', // the sandbox does not start as root, as which CI runs
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
