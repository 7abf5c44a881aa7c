import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { childCard } from './harness/person.ts';

/** Resolves once the service worker has cached the shell. */
async function shellKept(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
}

/** Everything in the browser's caches for this origin: addresses, and bodies that are text. */
async function kept(page: Page): Promise<{ path: string; text: string }[]> {
  return page.evaluate(`(async () => {
    const found = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const answer = await cache.match(request);
        const isText = /text|javascript|json|svg/.test(answer.headers.get('content-type') ?? '');
        found.push({ path: new URL(request.url).pathname, text: isText ? await answer.text() : '' });
      }
    }
    return found;
  })()`);
}

test('without the server the shell opens, says so, and goes on when it is back', async ({
  server,
  api,
  visit,
}) => {
  const parent = await api.family('Mona Hassan', { 'Omar Hassan': 1 });
  const { page, trap } = await visit({ as: parent, worker: 'allowed' });
  await page.goto('/profile');
  await expect(page.getByRole('main').locator('li img')).toBeVisible();
  await shellKept(page);

  await test.step('the caches hold the shell and nothing of a person', async () => {
    const files = await kept(page);
    const paths = files.map(({ path }) => path);
    expect(paths).toContain('/index.html');
    expect(paths.some((path) => /^\/assets\/shell-.*\.js$/.test(path))).toBe(true);
    for (const path of paths) expect(path).toMatch(/^\/(assets\/[^/]+|index\.html|boot\.js|favicon\.svg)$/);
    for (const secret of [parent.token, parent.name, parent.email, 'Omar']) {
      expect(files.filter(({ text }) => text.includes(secret)).map(({ path }) => path)).toEqual([]);
    }
  });

  await test.step('the page opens without the server', async () => {
    trap.expectOutage();
    await server.stop();
    // The page would also try again by itself, at some time during the start of the server: the button would be gone.
    await page.addInitScript(`const repeat = window.setInterval;
      window.setInterval = (act, ms, ...more) => (ms === 15_000 ? 0 : repeat(act, ms, ...more));`);
    await page.goto('/profile');
    await expect(page.getByRole('alert')).toContainText('Haris cannot be reached');
    await expect(page.getByRole('link', { name: 'Haris, home' })).toBeVisible();
  });

  await test.step('calls are not answered by the worker', async () => {
    const outcome = page.evaluate(`fetch('/api/config').then(({ status }) => status, () => 'failed')`);
    expect(await outcome).toBe('failed');
  });

  await test.step('trying again shows the profile once the server is back', async () => {
    await server.start();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect(childCard(page, 'Omar Hassan')).toBeVisible();
  });
});

test('a device without a connection is told so, and that a screen is not on it', async ({ visit }) => {
  const { page, trap } = await visit({ worker: 'allowed' });
  await page.goto('/');
  await shellKept(page);
  trap.expectBlocked(/./);
  await page.context().setOffline(true);
  await expect(page.getByText('No connection. What you see may be out of date.')).toBeVisible();
  await page.getByRole('link', { name: 'Login/Register' }).click();
  await expect(page.getByRole('alert')).toContainText('this screen is not stored on this device');
  await page.context().setOffline(false);
  // The page reloads by itself at the requested address.
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
  await expect(page.getByText('No connection')).toHaveCount(0);
});

test('a slow line is no white page, and a broken one says so', async ({ visit }) => {
  const { page, trap } = await visit();
  const code = /\/assets\/shell-[^/]*\.js$/;
  trap.expectBlocked(/\/assets\/shell-/);

  const held = Promise.withResolvers<void>();
  await page.route(code, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/login', { waitUntil: 'commit' });
  await expect(page.getByRole('img', { name: 'Haris' })).toBeVisible();
  held.resolve();
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();

  await page.unroute(code);
  await page.route(code, (route) => route.abort());
  await page.goto('/login');
  await expect(page.getByText('Haris could not be loaded.')).toBeVisible();
  await page.unroute(code);
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
});
