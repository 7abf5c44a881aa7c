/** `npm run screens`: screenshots of every screen and dialog below `screens/`, which git ignores. */
import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';

export default defineConfig(base, {
  testDir: '.',
  testMatch: 'screens.ts',
  outputDir: '../test-results/screens',
  reporter: [['list']],
  // A busy machine must not cause missing screenshots.
  expect: { timeout: 30_000 },
  // The screenshots show failures by themselves.
  use: { trace: 'off', screenshot: 'off' },
});
