/** Uploads: limits, file types by their bytes, and malformed bodies (contract §2, §4). */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { PHOTO_MAX_BYTES } from '@haris/contract/constants';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakePhoto } from '../testing/fake-vision.ts';
import { encodeForm } from '../testing/form.ts';
import { type Family, startTestApp, type TestApp } from '../testing/harness.ts';
import { isPhotoType } from './multipart.ts';

let app: TestApp;
let family: Family;
beforeAll(async () => {
  app = await startTestApp();
  family = await app.makeFamily();
});
afterAll(() => app.close());

const create = (photo: Buffer) =>
  app.ask('POST', `/api/children/create-child/${family.id}`, {
    token: family.token,
    form: { name: 'X', photo: { bytes: photo, filename: 'photo.png', type: 'image/png' } },
  });
const raw = (payload: Buffer | string, contentType: string) =>
  app.ask('POST', `/api/children/create-child/${family.id}`, {
    token: family.token,
    payload,
    headers: { 'content-type': contentType },
  });
const UNEXPECTED = { code: 'invalid_request', message: 'A file was sent that this call does not take' };
/** A photo of exactly this size in bytes. */
const sized = (bytes: number) => {
  const photo = fakePhoto({ problem: 'no_face' });
  return Buffer.concat([photo.subarray(0, 8), Buffer.alloc(bytes - photo.length), photo.subarray(8)]);
};

describe('size', () => {
  test('8 MB are taken, one byte more is 413', async () => {
    const most = sized(PHOTO_MAX_BYTES);
    expect(most).toHaveLength(8 * 1024 * 1024);
    // The engine has read it: the error is about the photo's content.
    expect((await create(most)).body.code).toBe('no_face');
    expect(await create(sized(PHOTO_MAX_BYTES + 1))).toMatchObject({
      status: 413,
      body: {
        code: 'payload_too_large',
        message: 'This is too large. The limit for a photo is 8 MB.',
      },
    });
  });

  test('far too much is refused by its announced length, before it is read', async () => {
    const answer = await app.ask('POST', `/api/children/create-child/${family.id}`, {
      token: family.token,
      payload: 'x',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '1000000000' },
    });
    expect([400, 413]).toContain(answer.status);
  });
});

describe('type', () => {
  const others: [string, Buffer][] = [
    ['GIF', Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['text', Buffer.from('This is not a photo.')],
    ['BMP', Buffer.from('BM\x00\x00', 'latin1')],
    ['PDF', Buffer.from('%PDF-1.7')],
    ['RIFF of another kind', Buffer.from('RIFF\x00\x00\x00\x00AVI ', 'latin1')],
    ['HEIC', Buffer.from('\x00\x00\x00\x18ftypheic', 'latin1')],
    ['almost PNG', Buffer.from('\x89PNG\r\n\x1a', 'latin1')],
    ['one byte', Buffer.from([0xff])],
    ['empty with a name', Buffer.alloc(0)],
  ];
  test.each(others)('%s with a .png name: 415', async (_kind, bytes) => {
    expect(await create(bytes)).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type', message: 'Please send a PNG, JPEG or WebP photo.' },
    });
  });

  test('is told by the bytes, whatever the name says', async () => {
    expect(isPhotoType(Buffer.from('\xff\xd8\xff\xe0', 'latin1'))).toBe(true);
    expect(isPhotoType(Buffer.from('RIFF\x24\x00\x00\x00WEBPVP8 ', 'latin1'))).toBe(true);
    expect(isPhotoType(Buffer.alloc(0))).toBe(false);
    const answer = await app.ask('POST', `/api/children/create-child/${family.id}`, {
      token: family.token,
      form: { name: 'X', photo: { bytes: fakePhoto(), filename: '../../evil.exe', type: 'text/plain' } },
    });
    expect(answer.status).toBe(201);
  });
});

describe('a body that is not well-formed: 400 in our shape', () => {
  const good = () => encodeForm({ name: 'X', photo: fakePhoto() });

  test('without a boundary, with another, with nothing in it', async () => {
    const { payload, contentType } = await good();
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=other',
    ])
      expect((await raw(payload, type)).status, type).toBe(400);
    expect((await raw('', contentType)).status).toBe(400);
    expect((await raw('--', contentType)).status).toBe(400);
  });

  test('cut off anywhere', async () => {
    const { payload, contentType } = await good();
    for (const part of [0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
      expect(
        (await raw(payload.subarray(0, Math.floor(payload.length * part)), contentType)).status,
        `${part}`,
      ).toBe(400);
  });

  test('two photos, two names, a name that is a file', async () => {
    const form = new FormData();
    form.append('name', 'X');
    for (let i = 0; i < 2; i++)
      form.append('photo', new Blob([fakePhoto() as Uint8Array<ArrayBuffer>]), 'a.png');
    const twice = new Response(form);
    const type = String(twice.headers.get('content-type'));
    expect((await raw(Buffer.from(await twice.arrayBuffer()), type)).status).toBe(400);
    const names = new FormData();
    for (const name of ['X', 'Y']) names.append('name', name);
    names.append('photo', new Blob([fakePhoto() as Uint8Array<ArrayBuffer>]), 'a.png');
    const twoNames = new Response(names);
    const body = Buffer.from(await twoNames.arrayBuffer());
    expect((await raw(body, String(twoNames.headers.get('content-type')))).status).toBe(400);
    const asFile = await encodeForm({ name: Buffer.from('X'), photo: fakePhoto() });
    expect(await raw(asFile.payload, asFile.contentType)).toMatchObject({ status: 400, body: UNEXPECTED });
  });

  test('more parts than a form has: 413', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`field${i}`, 'x']));
    const { payload, contentType } = await encodeForm({ name: 'X', ...many, photo: fakePhoto() });
    expect((await raw(payload, contentType)).status).toBe(413);
  });

  test('a file that the call does not take, before, after and instead of the one it takes', async () => {
    for (const form of [
      { other: fakePhoto(), name: 'X', photo: fakePhoto() },
      { name: 'X', photo: fakePhoto(), Photo: fakePhoto() },
      { name: 'X', image: fakePhoto() },
    ]) {
      const { payload, contentType } = await encodeForm(form);
      expect(await raw(payload, contentType)).toMatchObject({ status: 400, body: UNEXPECTED });
    }
    const answer = await app.ask('POST', '/check-face', {
      token: await app.staff(),
      form: { image: fakePhoto(), photo: fakePhoto() },
    });
    expect(answer).toMatchObject({ status: 400, body: UNEXPECTED });
  });

  test('such a file is refused as it begins, not once it is there', async () => {
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((app.app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      `POST /api/children/create-child/${family.id} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${family.token}\r\n` +
        'content-type: multipart/form-data; boundary=b\r\ncontent-length: 8000000\r\n\r\n' +
        '--b\r\ncontent-disposition: form-data; name="surplus"; filename="a.png"\r\n\r\nand so on',
    );
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1\.1 400 /);
    expect(head.toString()).toContain(UNEXPECTED.message);
    socket.destroy();
  });

  test('a field longer than any that is meant, and names that are none', async () => {
    const { payload, contentType } = await encodeForm({ name: 'x'.repeat(100_000), photo: fakePhoto() });
    expect((await raw(payload, contentType)).status).toBe(400);
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const odd = await encodeForm({ [name]: 'x', name: 'Fine', photo: fakePhoto() });
      expect([201, 400], name).toContain((await raw(odd.payload, odd.contentType)).status);
    }
  });

  test('and the next request is answered', async () => {
    expect((await create(fakePhoto())).status).toBe(201);
  });
});

test('a parent’s photo comes with the form, and not without one', async () => {
  const token = await app.staff();
  const url = `/api/parent/update-parent/${family.id}`;
  const { parent } = await app.expect(200, 'PUT', url, {
    token,
    form: { name: 'With Photo', photo: fakePhoto() },
  });
  expect(parent).toMatchObject({ name: 'With Photo', photo: expect.stringMatching(/^\/api\/photos\//) });
  expect((await app.expect(200, 'PUT', url, { token, form: { name: 'Same' } })).parent.photo).toBe(
    parent.photo,
  );
  const bad = await app.ask('PUT', url, {
    token,
    form: { photo: fakePhoto({ problem: 'unreadable_photo' }) },
  });
  expect(bad).toMatchObject({ status: 422, body: { code: 'unreadable_photo' } });
  const phone = await app.ask('PUT', url, { token: family.token, json: { phone: null } });
  expect(phone).toMatchObject({ status: 400, body: { message: 'Phone number is required' } });
  expect((await app.expect(200, 'PUT', url, { token, json: { phone: null } })).parent.phone).toBeNull();
  expect((await app.ask('PUT', url, { token, json: {} })).body.message).toBe('Nothing to change was sent');
});
