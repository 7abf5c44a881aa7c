/** Runs before every file of page tests: the missing pieces of a browser, the server, and a clean page after each test. */
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { toast } from 'react-hot-toast';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { completeBrowser, stopTimers } from './browser.ts';
import { takeCamera } from './camera.ts';
import { expectContractKept, server, setHouse, setStaff, startServer } from './contract-server.ts';
import { leavePage } from './render-screen.tsx';
import { seeNothing } from './sight.ts';
import { printPageOnceRead, takeNoOwnerStacks } from './spared-work.ts';

// Strict mode as in main.tsx; a long timeout, because a busy machine must not fail a test.
configure({ reactStrictMode: true, asyncUtilTimeout: 120_000 });
printPageOnceRead();
takeNoOwnerStacks();
completeBrowser();

beforeAll(startServer);
beforeEach(takeCamera);
afterEach(async () => {
  await leavePage();
  cleanup();
  // The library's place for dialogs outlives the page, and would come before the next one. In a browser it follows the page,
  // so that the first link of the whole document is the page's link to its content.
  for (const place of document.querySelectorAll('[data-mantine-shared-portal-node]')) place.remove();
  toast.remove();
  server.resetHandlers();
  setHouse([]);
  setStaff(null);
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  seeNothing();
  localStorage.clear();
  sessionStorage.clear();
  expectContractKept();
});
afterAll(() => {
  stopTimers();
  server.close();
});
