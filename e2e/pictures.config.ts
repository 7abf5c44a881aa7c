/** `npm run pictures`: the pictures of README.md, from the demo, into `docs/`. */
import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';

export default defineConfig(base, {
  testDir: '.',
  testMatch: 'pictures.ts',
  outputDir: '../test-results/pictures',
  workers: 1,
  reporter: [['list']],
  // Photos and live pictures of 33 children come late on a busy machine.
  expect: { timeout: 120_000 },
  use: { trace: 'off', screenshot: 'off' },
});
