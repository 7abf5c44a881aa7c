/** Allowed and forbidden addresses of posts, in every notation. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mayReach } from '../../../reach.ts';
import { isAllowedAddress, post } from './outgoing.ts';

test.each([
  ['93.184.216.34', true, true],
  ['2606:2800:220:1:248:1893:25c8:1946', true, true],
  ['10.1.2.3', false, true],
  ['172.20.0.1', false, true],
  ['192.168.1.10', false, true],
  ['100.64.3.4', false, true],
  ['fd12:3456::1', false, true],
  ['127.0.0.1', false, false],
  ['127.8.8.8', false, false],
  ['::1', false, false],
  ['0.0.0.0', false, false],
  ['::', false, false],
  ['169.254.169.254', false, false],
  ['fe80::1', false, false],
  ['fd00:ec2::254', false, false],
  ['100.100.100.200', false, false],
  ['224.0.0.1', false, false],
  ['255.255.255.255', false, false],
  ['::ffff:127.0.0.1', false, false],
  ['::ffff:10.0.0.1', false, true],
  ['64:ff9b::7f00:1', false, false],
  ['2002:7f00:1::', false, false],
])('%s: in public %s, in the house %s', (address, inPublic, inHouse) => {
  expect(mayReach(address, 'public')).toBe(inPublic);
  expect(mayReach(address, 'house')).toBe(inHouse);
});

test.each([
  ['https://push.example.org/x', true, true],
  ['http://push.example.org/x', false, true],
  ['https://user:pw@push.example.org/x', false, false],
  ['https://127.0.0.1/x', false, false],
  ['https://127.1/x', false, false],
  ['https://2130706433/x', false, false],
  ['https://0x7f.0.0.1/x', false, false],
  ['https://[::1]/x', false, false],
  ['https://[::ffff:7f00:1]/x', false, false],
  ['https://192.168.1.2/x', false, true],
  ['http://192.168.1.2:8123/x', false, true],
  ['ftp://push.example.org/x', false, false],
  ['file:///etc/passwd', false, false],
  ['nonsense', false, false],
])('%s: in public %s, in the house %s', (address, inPublic, inHouse) => {
  expect(isAllowedAddress(address, 'public')).toBe(inPublic);
  expect(isAllowedAddress(address, 'house')).toBe(inHouse);
});

test('an address of this machine in the house’s network is this machine, whatever its range', () => {
  const own = new Set(['192.168.1.10', 'fd12:3456::1']);
  for (const address of ['192.168.1.10', '::ffff:192.168.1.10', 'fd12:3456::1', 'fd12:3456:0::1']) {
    expect(mayReach(address, 'house', own), address).toBe(false);
    expect(mayReach(address, 'anywhere', own), address).toBe(true);
  }
  expect(mayReach('192.168.1.11', 'house', own)).toBe(true);
  const cards = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  expect(cards.length).toBeGreaterThan(0);
  for (const { address } of cards)
    if (!address.includes('%')) expect(mayReach(address, 'house'), address).toBe(false);
});

let posts = 0;
const server = createServer((_request, response) => {
  posts += 1;
  response.writeHead(307, { location: 'http://127.0.0.1/elsewhere', 'retry-after': '7' }).end();
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
const here = (host: string) => `http://${host}:${(server.address() as AddressInfo).port}/`;
const send = (url: string, reach: 'house' | 'anywhere' | 'public') =>
  post({ url, headers: {}, body: Buffer.from('x'), reach });

test('a name that leads to this machine is refused when it is looked up', async () => {
  for (const host of ['localhost', '127.0.0.1'])
    await expect(send(here(host), 'house')).rejects.toMatchObject({ reason: 'not_allowed', isFinal: true });
  const overTls = here('localhost').replace('http:', 'https:');
  await expect(send(overTls, 'public')).rejects.toMatchObject({ reason: 'not_allowed' });
  expect(posts).toBe(0);
});

test('a redirect is not followed, and how long to wait is heard', async () => {
  expect(await send(here('localhost'), 'anywhere')).toEqual({ status: 307, retryAfterMs: 7_000 });
  expect(posts).toBe(1);
});

test('nobody there: not reachable, and worth another try', async () => {
  await expect(send('http://127.0.0.1:1/', 'anywhere')).rejects.toMatchObject({
    reason: 'unreachable',
    isFinal: false,
  });
});
