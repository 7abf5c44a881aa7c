/** A desk tablet without a connection: the list that it keeps, what lies in the browser, who reads it, and a check-in that arrives later. */
import { EMPTY_CARE_CARD } from '@haris/contract/care-card';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import type { Api } from './harness/api.ts';
import { isAsking, makeColleague, makeDesk, takeOver } from './harness/desk.ts';
import { removeKiosk } from './harness/kiosk.ts';

/** The tablet waits 15 s for an answer before it speaks of a lost connection. */
const AFTER_THE_CUT = { timeout: 60_000 };

/** All that the browser stores for this origin, as text: bytes as letters, and of a key what a script can read. */
const STORED = `(async () => {
  const answerOf = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const readable = (_, value) => {
    if (value instanceof Uint8Array) return Array.from(value, (byte) => String.fromCharCode(byte)).join('');
    if (value instanceof CryptoKey) return { extractable: value.extractable, usages: value.usages };
    return value;
  };
  const found = [JSON.stringify({ ...localStorage, ...sessionStorage })];
  for (const { name } of await indexedDB.databases()) {
    found.push(name);
    const request = indexedDB.open(name);
    // If the page has just deleted it, it must not be made again.
    request.onupgradeneeded = () => request.transaction.abort();
    const database = await answerOf(request).catch(() => null);
    for (const store of database?.objectStoreNames ?? []) {
      const rows = await answerOf(database.transaction(store).objectStore(store).getAll());
      found.push(JSON.stringify(rows, readable));
    }
    database?.close();
  }
  return found.join(' ');
})()`;
const stored = (page: Page) => page.evaluate<string>(STORED);

/** Whether a script gets the key out of the database, in whatever form. */
const CAN_EXPORT = `(async () => {
  const answerOf = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const database = await answerOf(indexedDB.open('haris-desk-list'));
  const { key } = await answerOf(database.transaction('list').objectStore('list').get('list'));
  database.close();
  const tries = ['raw', 'jwk'].map((form) => crypto.subtle.exportKey(form, key).then(() => true, () => false));
  return (await Promise.all(tries)).includes(true);
})()`;

const revisionIn = (text: string) => /"revision":"([^"]+)"/.exec(text)?.[1] ?? '';

/** Waits until the tablet has a list of another revision, and returns the revision. */
async function nextList(tablet: Page, before = ''): Promise<string> {
  let now = '';
  const isNew = async () => {
    now = revisionIn(await stored(tablet));
    return now !== '' && now !== before;
  };
  await expect.poll(isNew, AFTER_THE_CUT).toBe(true);
  return now;
}

/** When the child came, as the server has it; null while it is outside. */
async function entryTimeOf(api: Api, name: string): Promise<string | null> {
  const { token } = await api.administrator();
  const { children } = await api.call<{ children: { name: string; entryTime: string | null }[] }>(
    '/api/children/get-all-children?inside=true',
    { token },
  );
  return children.find((child) => child.name === name)?.entryTime ?? null;
}

async function isShut(tablet: Page): Promise<void> {
  await expect(tablet.getByRole('heading', { name: 'No connection' })).toBeVisible(AFTER_THE_CUT);
  await expect(tablet.getByText(/opens only for somebody who was signed in/)).toBeVisible();
  await expect(tablet.getByText('Hassan')).toHaveCount(0);
}

test('a desk tablet keeps a sealed list, shows it without a connection to whoever is signed in alone, and checks in', async ({
  api,
  server,
  visit,
}) => {
  const mona = await api.family('Mona Hassan', { 'Omar Hassan': 1, 'Layla Hassan': 2 });
  const omar = String(mona.children[0]?._id);
  await api.checkIn(omar);
  const { token } = await api.signIn('admin', server.admin);
  const allergies = [
    { allergen: 'peanut', substance: '', severity: 'severe', reaction: '', action: 'Use the pen' },
  ];
  const json = { version: 0, card: { ...EMPTY_CARE_CARD, allergies } };
  await api.call(`/api/children/${omar}/care-card`, { method: 'PUT', token, json });
  await api.call('/api/settings', {
    method: 'PUT',
    token,
    // While it waits for the cut, nobody presses anything.
    json: { deskOffline: true, deskIdleMinutes: 15 },
  });
  await makeColleague(api, server, 'Nadia Farouk', '830561');
  const desk = await makeDesk(api, server);
  const { page: tablet, trap } = await visit();
  await tablet.goto(`/desk/${desk.code}`);
  await isAsking(tablet);
  expect(await stored(tablet)).not.toContain('"sealed"');
  let first = '';

  await test.step('a sign-in brings it: no name in clear, and a key that no script reads out', async () => {
    await takeOver(tablet, 'Nadia Farouk', '830561');
    first = await nextList(tablet);
    const text = await stored(tablet);
    // Both stores were read.
    expect(text).toContain('Front desk');
    expect(text).toContain('{"extractable":false,"usages":["decrypt"]}');
    for (const secret of ['Hassan', 'Layla', 'peanut', 'Use the pen', 'Nadia'])
      expect(text, secret).not.toContain(secret);
    expect(await tablet.evaluate<boolean>(CAN_EXPORT)).toBe(false);
    expect(await api.countAudit('desk_list.read', desk.id)).toBe(1);
  });

  await test.step('locked, it stays shut', async () => {
    await tablet.getByRole('button', { name: 'Hand over' }).click();
    await isAsking(tablet);
    trap.expectOutage();
    await tablet.context().setOffline(true);
    await isShut(tablet);
    await tablet.context().setOffline(false);
    await isAsking(tablet);
  });

  await test.step('whoever is signed in when the connection goes reads it', async () => {
    await takeOver(tablet, 'Nadia Farouk', '830561');
    await nextList(tablet, first);
    await tablet.context().setOffline(true);
    await tablet.getByRole('button', { name: 'Show who is inside' }).click();
    const list = tablet.getByRole('dialog', { name: '1 child inside' });
    await expect(list.getByText('Omar Hassan', { exact: true })).toBeVisible();
    await expect(list.getByRole('link', { name: /^Call Mona Hassan/ })).toHaveAttribute('href', /^tel:/);
    await expect(list.getByText('Layla Hassan')).toHaveCount(0);
    await list.getByRole('button', { name: /^Omar Hassan: .*Open the care card/ }).click();
    const shown = tablet.getByRole('dialog', { name: 'Care card: Omar Hassan' });
    await expect(shown.getByText('Use the pen')).toBeVisible();
    await shown.getByRole('button', { name: 'Close' }).click();
    await list.getByRole('searchbox', { name: 'Search by name' }).fill('layla');
    await expect(list.getByRole('region', { name: 'Not inside' })).toContainText('Layla Hassan');
  });

  let pressedAt = 0;
  let shownAt = 0;
  await test.step('and checks a child in, which is written here and not sent', async () => {
    const outside = tablet.getByRole('region', { name: 'Not inside' });
    await outside.getByRole('button', { name: 'Check in Layla Hassan' }).click();
    const asked = tablet.getByRole('dialog', { name: /^Check in / });
    await expect(asked.getByText('Mona Hassan')).toBeVisible();
    await asked.getByRole('radio', { name: '2 hours' }).check();
    pressedAt = Date.now();
    await asked.getByRole('button', { name: 'Check in', exact: true }).click();
    const list = tablet.getByRole('dialog', { name: '2 children inside' });
    await expect(list.getByText(/^written here at .+, not sent yet$/)).toBeVisible();
    shownAt = Date.now();
    await expect(list.getByText('1 entry waits to be sent')).toBeVisible();
    await list.getByRole('button', { name: 'Print slip of Layla Hassan' }).first().click();
    const slip = tablet.getByRole('dialog', { name: 'Print slip' });
    await expect(slip.getByRole('img', { name: 'QR code of this entry' })).toBeVisible();
    await slip.getByRole('button', { name: 'Close' }).click();
    const text = await stored(tablet);
    expect(text).toContain('haris-desk-entries');
    for (const secret of ['Hassan', 'Layla', String(mona.children[1]?._id)])
      expect(text, secret).not.toContain(secret);
    await list.getByRole('button', { name: 'Hand over' }).click();
    await isShut(tablet);
    await expect(tablet.getByText('1 entry waits to be sent')).toBeVisible();
    expect(await entryTimeOf(api, 'Layla Hassan')).toBeNull();
  });

  await test.step('it arrives with its own time once the server answers', async () => {
    // Longer than what the two clocks may differ by, so that the time of the press is told from that of the arrival.
    await tablet.waitForTimeout(Math.max(0, shownAt + 10_000 - Date.now()));
    const backAt = Date.now();
    await tablet.context().setOffline(false);
    await isAsking(tablet);
    await expect.poll(() => entryTimeOf(api, 'Layla Hassan'), AFTER_THE_CUT).not.toBeNull();
    const came = Date.parse(String(await entryTimeOf(api, 'Layla Hassan')));
    expect(came).toBeGreaterThan(pressedAt - 5_000);
    expect(came).toBeLessThan(shownAt + 5_000);
    expect(came).toBeLessThan(backAt);
    await expect(tablet.getByText(/Sending|to be sent/)).toHaveCount(0);
  });

  await test.step('a tablet that is removed deletes it', async () => {
    expect(await stored(tablet)).toContain('"sealed"');
    trap.expectHttp(401, '/api/desk');
    trap.allowHttp(401, '/api/desk/offline');
    await removeKiosk(api, desk);
    await expect(tablet.getByText(/no longer a shared desk/)).toBeVisible(AFTER_THE_CUT);
    await expect.poll(() => stored(tablet)).not.toMatch(/sealed|Front desk/);
  });
});
