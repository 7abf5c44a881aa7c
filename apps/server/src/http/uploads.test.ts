/** One account's concurrent uploads: the limit, and how finished or aborted ones free their place. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakePhoto } from '../testing/fake-vision.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../testing/harness.ts';
import { UPLOADS_AT_ONCE } from './uploads.ts';

let app: TestApp;
let family: Family;
/** Of staff, whose photos have no daily limit. */
let sender: Employee;
beforeAll(async () => {
  app = await startTestApp();
  family = await app.makeFamily();
  sender = await app.makeEmployee();
});
afterAll(() => app.close());

/** Generous time-out for a busy machine; measures nothing. */
const patient = { timeout: 240_000, interval: 50 };

const create = (token: string, photo = fakePhoto()) =>
  app.ask('POST', `/api/children/create-child/${family.id}`, { token, form: { name: 'X', photo } });

test('a hundred at once: some are refused, others’ are not, and then it goes on', async () => {
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  app.vision.onEnrol = () => held;
  const answers: Awaited<ReturnType<typeof create>>[] = [];
  const all = Array.from({ length: 100 }, () => create(sender.token).then((one) => answers.push(one)));
  await expect.poll(() => answers.length, patient).toBe(100 - UPLOADS_AT_ONCE);
  for (const refused of answers) {
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(refused.headers['retry-after']).toBe('2');
  }
  // Calls without photos, and the desk, are not limited by these.
  await app.expect(200, 'GET', '/api/admin/info', { token: sender.token });
  const desk = create(await app.staff());
  go();
  expect((await desk).status).toBe(201);
  await Promise.all(all);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(UPLOADS_AT_ONCE);
  app.vision.onEnrol = () => {};
  expect((await create(sender.token)).status).toBe(201);
  // Refused uploads free their place too.
  for (let i = 0; i < 2 * UPLOADS_AT_ONCE; i++)
    expect((await create(sender.token, Buffer.from('no photo'))).status).toBe(415);
  expect((await create(sender.token)).status).toBe(201);
});

test('a connection that is given up in the middle of its photo makes room', async () => {
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.server.address() as AddressInfo;
  const head =
    `POST /api/children/create-child/${family.id} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${sender.token}\r\n` +
    'content-type: multipart/form-data; boundary=b\r\ncontent-length: 8000000\r\n\r\n' +
    '--b\r\ncontent-disposition: form-data; name="photo"; filename="a.png"\r\n\r\nand so on';
  const sockets = Array.from({ length: UPLOADS_AT_ONCE + 1 }, () => connect(port, '127.0.0.1'));
  try {
    const refused = Promise.race(sockets.map((socket) => once(socket, 'data')));
    for (const socket of sockets) socket.write(head);
    // All but this one are counted, and nothing else.
    expect(String((await refused)[0])).toMatch(/^HTTP\/1\.1 429 /);
    expect((await create(sender.token)).status).toBe(429);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  await expect.poll(async () => (await create(sender.token)).status, patient).toBe(201);
});
