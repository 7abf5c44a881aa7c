/** `npm run screens`: pictures of every screen and dialog below `screens/`, which is not kept. */
import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';

export default defineConfig(base, {
  testDir: '.',
  testMatch: 'screens.ts',
  outputDir: '../test-results/screens',
  reporter: [['list']],
  // A busy machine is no reason for a missing picture.
  expect: { timeout: 30_000 },
  // Pictures are looked at, not tested: what fails is seen in them.
  use: { trace: 'off', screenshot: 'off' },
});
