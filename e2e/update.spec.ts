/** A newer version of the web app: the page announces it, and reloads when the person agrees. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './fixtures.ts';
import type { HarisServer } from './harness/server.ts';

test.use({ hasEngine: false });

interface Deployment {
  readonly url: string;
  /** From now on the same files have other names, as after another build. */
  deploy(): void;
  close(): Promise<void>;
}

const SCRIPT = /shell-[\w-]+\.js/g;

/** Proxies everything to the server. */
async function createDeployment(server: HarisServer): Promise<Deployment> {
  let isNew = false;
  let original = '';
  const renamed = 'shell-of-the-next-build.js';
  const proxy: Server = createServer((incoming, outgoing) => {
    const path = (incoming.url ?? '/').replace(renamed, original);
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' };
    // Otherwise the server would report the browser's copy as unchanged.
    delete headers['if-none-match'];
    delete headers['if-modified-since'];
    const passed = request(new URL(path, server.url()), { method: incoming.method, headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => {
        const isText = /html|javascript/.test(answer.headers['content-type'] ?? '');
        let body: Buffer | string = Buffer.concat(pieces);
        if (isText) {
          const text = body.toString();
          original ||= SCRIPT.exec(text)?.[0] ?? '';
          if (isNew) body = text.replaceAll(original, renamed);
        }
        const { 'content-length': _length, ...rest } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, rest).end(body);
      });
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    deploy() {
      isNew = true;
    },
    close: () =>
      new Promise((resolve) => {
        proxy.closeAllConnections();
        proxy.close(() => resolve());
      }),
  };
}

test('the page is not reloaded under the hands of whoever types', async ({ server, browser }) => {
  const deployment = await createDeployment(server);
  const context = await browser.newContext({ baseURL: deployment.url, locale: 'en-GB' });
  try {
    const page = await context.newPage();
    await page.goto('/login');
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
    await page.getByLabel('Email').fill('mona@family.example');

    deployment.deploy();
    await page.evaluate(
      'navigator.serviceWorker.getRegistration().then((found) => found.update()).then(() => undefined)',
    );
    const notice = page.getByRole('status').filter({ hasText: 'A new version of Haris is ready.' });
    await expect(notice).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue('mona@family.example');

    await notice.getByRole('button', { name: 'Reload' }).click();
    await expect(page.locator('script[src*="next-build"]')).toBeAttached();
    await expect(page.getByLabel('Email')).toHaveValue('mona@family.example');
    await expect(notice).toHaveCount(0);
  } finally {
    await context.close();
    await deployment.close();
  }
});
