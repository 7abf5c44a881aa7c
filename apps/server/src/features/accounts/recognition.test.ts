/** Adults whom the cameras recognise: permission, accepted photos, and complete erasure when it is switched off. */

import { Buffer } from 'node:buffer';
import { FACE_TRIES_PER_DAY } from '@haris/contract/constants';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodingOf, fakePhoto } from '../../testing/fake-vision.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let staff: string;
let mother: Family;
let other: Family;
let employee: Employee;
let faces = 0;

const MINE = '/api/admin/me/recognition';
const OFF = { on: false, since: null, problem: null, pending: false };
const WAITING = { ...OFF, pending: true };
const pathOf = ({ id }: { id: string }) => `/api/parent/${id}/recognition`;
const newFace = () => `adult ${++faces}`;

beforeAll(async () => {
  app = await startTestApp();
  other = await app.makeFamily();
  employee = await app.makeEmployee();
});
beforeEach(async () => {
  app.clock.advance(20 * 60_000);
  staff = await app.staff();
  await app.proveNow(employee.token);
  mother = await app.makeFamily();
});
afterAll(() => app.close());

async function givePhoto(seen: object, token = mother.token, family = mother): Promise<void> {
  await app.expect(200, 'PUT', `/api/parent/update-parent/${family.id}`, {
    token,
    form: { photo: fakePhoto(seen) },
  });
}
const stateOf = async (family = mother, token = family.token) =>
  (await app.expect(200, 'GET', pathOf(family), { token })).recognition;
/** Staff at the desk compare the parent with the photo and confirm it. */
const confirm = (json: object = { accept: true }, family = mother) =>
  app.ask('POST', `/api/parent/${family.id}/confirm`, { token: staff, json });
async function switchOn(seen: object = { face: newFace() }): Promise<void> {
  await givePhoto(seen);
  await app.expect(200, 'PUT', pathOf(mother), { token: mother.token });
  expect((await confirm()).status).toBe(200);
}
const rows = (id: string) =>
  app.context.db.selectFrom('adult_faces').selectAll().where('account_id', '=', id).execute();
const keysOf = (kind: 'parent' | 'admin', id: string) =>
  app.context.db
    .selectFrom('data_keys')
    .selectAll()
    .where('owner_kind', '=', kind)
    .where('owner_id', '=', id)
    .execute();
const revision = async () => (await app.context.gallery.read()).revision;
const said = async (id: string) =>
  (
    await app.context.db
      .selectFrom('audit_log')
      .select(['action', 'actor_id', 'details'])
      .where('subject_id', '=', id)
      .where('action', 'like', '%.recognition_%')
      .orderBy('seq')
      .execute()
  ).map(({ action, actor_id, details }) => [action, actor_id, JSON.parse(details)]);

describe('a parent', () => {
  test('is recognised by nobody until asking for it and the desk has confirmed it, by the photo of the account', async () => {
    expect(await stateOf()).toEqual(OFF);
    const face = newFace();
    await givePhoto({ face });
    expect(await stateOf()).toEqual(OFF);
    const before = await revision();
    const answer = await app.expect(200, 'PUT', pathOf(mother), { token: mother.token });
    expect(answer.recognition).toEqual(WAITING);
    // Asking twice does nothing more.
    expect((await app.expect(200, 'PUT', pathOf(mother), { token: mother.token })).recognition).toEqual(
      WAITING,
    );
    expect([await rows(mother.id), await revision(), await said(mother.id)]).toEqual([[], before, []]);
    const { parent } = await app.expect(200, 'GET', '/api/parent/info', { token: mother.token });
    expect(parent.pending).toEqual(['recognition']);

    app.clock.advance(1_000);
    const on = { ...OFF, on: true, since: new Date(app.clock.now()).toISOString() };
    expect(await confirm()).toMatchObject({ status: 200, body: { parent: { pending: [] } } });
    expect(await stateOf()).toEqual(on);
    expect(await revision()).toBe(before + 1);
    expect(await rows(mother.id)).toMatchObject([{ account_kind: 'parent', model: 'fake', quality: 0.9 }]);
    expect((await said(mother.id)).map(([action]) => action)).toEqual(['parent.recognition_on']);
    app.clock.advance(1_000);
    expect((await app.expect(200, 'PUT', pathOf(mother), { token: mother.token })).recognition).toEqual(on);
    expect(await said(mother.id)).toHaveLength(1);
    expect(await revision()).toBe(before + 1);
  });

  test('whom the desk does not confirm is not recognised, and who takes it back before waits no more', async () => {
    await givePhoto({ face: newFace() });
    await app.expect(200, 'PUT', pathOf(mother), { token: mother.token });
    await confirm({ accept: false });
    expect([await stateOf(), await rows(mother.id)]).toEqual([OFF, []]);
    await app.expect(200, 'PUT', pathOf(mother), { token: mother.token });
    await app.expect(200, 'DELETE', pathOf(mother), { token: mother.token });
    expect(await stateOf()).toEqual(OFF);
    expect((await confirm()).status).toBe(409);
  });

  test('stands in the database as noise', async () => {
    const face = newFace();
    await switchOn({ face });
    const [row] = await rows(mother.id);
    const sealed = Buffer.from(row?.sealed ?? []);
    expect(sealed.length).toBeGreaterThan(128);
    expect(sealed.includes(String(encodingOf(face)[3]).slice(0, 6))).toBe(false);
  });

  test('who switches it off leaves no row, and is told so', async () => {
    await switchOn();
    const before = await revision();
    const off = await app.expect(200, 'DELETE', pathOf(mother), { token: mother.token });
    expect(off.recognition).toEqual(OFF);
    expect(await rows(mother.id)).toEqual([]);
    expect(await revision()).toBe(before + 1);
    await app.expect(200, 'DELETE', pathOf(mother), { token: mother.token });
    expect(await revision()).toBe(before + 1);
    expect((await said(mother.id)).map(([action]) => action)).toEqual([
      'parent.recognition_on',
      'parent.recognition_off',
    ]);
  });

  test('is the only one who switches it on; staff see whether, and may erase', async () => {
    await givePhoto({ face: newFace() });
    const refused = async (token: string | undefined, status: number) =>
      expect((await app.ask('PUT', pathOf(mother), token === undefined ? {} : { token })).status).toBe(
        status,
      );
    await refused(undefined, 401);
    await refused(other.token, 404);
    await refused(staff, 403);
    await refused(employee.token, 403);
    expect(await rows(mother.id)).toEqual([]);
    await app.expect(200, 'PUT', pathOf(mother), { token: mother.token });
    await confirm();
    expect((await stateOf(mother, employee.token)).on).toBe(true);
    await app.expect(404, 'GET', pathOf(mother), { token: other.token });
    await app.expect(404, 'DELETE', pathOf(mother), { token: other.token });
    expect(await rows(mother.id)).toHaveLength(1);
    await app.expect(200, 'DELETE', pathOf(mother), { token: employee.token });
    expect(await stateOf()).toEqual(OFF);
    expect((await said(mother.id)).at(-1)).toEqual(['parent.recognition_off', employee.id, {}]);
  });

  test('without a photo: 409', async () => {
    const answer = await app.expect(409, 'PUT', pathOf(mother), { token: mother.token });
    expect(answer.code).toBe('no_photo');
  });

  test.each([
    ['no_face', {}],
    ['many_faces', { message: 'More than one face was found. Please use a photo of you alone.' }],
    ['face_too_small', {}],
    ['face_cut_off', {}],
    ['photo_too_dark', {}],
    ['photo_blurred', {}],
  ] as const)('by a photo with %s: 422, and nothing is kept', async (problem, over) => {
    await givePhoto({ face: newFace(), problem });
    const answer = await app.expect(422, 'PUT', pathOf(mother), { token: mother.token });
    expect(answer).toMatchObject({ code: problem, ...over });
    expect(await rows(mother.id)).toEqual([]);
    expect(await said(mother.id)).toEqual([]);
    expect(await stateOf()).toEqual(OFF);
  });

  test('is not known by the face of a child: the parent is not told, the desk is asked', async () => {
    const face = newFace();
    await app.makeChild(other, 'Lina', fakePhoto({ face }));
    await givePhoto({ face, away: 0.3 });
    const answer = await app.expect(200, 'PUT', pathOf(mother), { token: mother.token });
    expect(answer).toEqual({ recognition: WAITING });
    expect(await confirm()).toMatchObject({
      status: 409,
      body: { code: 'face_already_registered', candidates: [{ name: 'Lina' }] },
    });
    expect([await stateOf(), await rows(mother.id)]).toEqual([WAITING, []]);
  });

  test('while the face engine is away: 503', async () => {
    await givePhoto({ face: newFace() });
    app.vision.up = false;
    const answer = await app.expect(503, 'PUT', pathOf(mother), { token: mother.token });
    app.vision.up = true;
    expect(answer.code).toBe('face_engine_unavailable');
    expect(await stateOf()).toEqual(OFF);
  });

  test('has only so many photos looked at', async () => {
    await givePhoto({ problem: 'no_face' });
    for (let n = 0; n < FACE_TRIES_PER_DAY; n++)
      await app.expect(422, 'PUT', pathOf(mother), { token: mother.token });
    const answer = await app.ask('PUT', pathOf(mother), { token: mother.token });
    expect(answer).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    app.clock.advance(24 * 3_600_000);
    await app.proveNow(mother.token);
    await app.expect(422, 'PUT', pathOf(mother), { token: mother.token });
    employee = { ...employee, token: await app.signIn('admin', employee.email, employee.password) };
  });
});

describe('a new photo', () => {
  test('while it is on is what the cameras know from then on', async () => {
    await switchOn();
    const [before, [old]] = [await revision(), await rows(mother.id)];
    const { since } = await stateOf();
    app.clock.advance(1_000);
    await givePhoto({ face: newFace() });
    // Until staff confirm the new face, the cameras recognise the earlier confirmed one.
    expect([await rows(mother.id), await revision()]).toEqual([[old], before]);
    expect(await stateOf()).toEqual({ on: true, since, problem: null, pending: true });
    await confirm();
    const [row] = await rows(mother.id);
    expect(row?.id).not.toBe(old?.id);
    expect(await revision()).toBe(before + 1);
    expect(await stateOf()).toEqual({ on: true, since, problem: null, pending: false });
  });

  test('from the desk while it is on is what the cameras know at once', async () => {
    await switchOn();
    const [old] = await rows(mother.id);
    await givePhoto({ face: newFace() }, staff);
    const [row] = await rows(mother.id);
    expect(row?.id).not.toBe(old?.id);
    expect(await stateOf()).toMatchObject({ on: true, pending: false });
  });

  test('without a face in it, sent by the parent, switches it off once the desk has seen it', async () => {
    await switchOn();
    await givePhoto({ problem: 'no_face' });
    expect(await stateOf()).toMatchObject({ on: true, pending: true });
    await confirm();
    expect(await stateOf()).toEqual({ ...OFF, problem: 'no_face' });
  });

  test.each(['no_face', 'many_faces', 'photo_blurred'] as const)(
    'with %s is kept, switches it off, and that is said until it is switched on again',
    async (problem) => {
      await switchOn();
      const before = await revision();
      await givePhoto({ problem }, staff);
      expect(await stateOf()).toEqual({ ...OFF, problem });
      expect(await rows(mother.id)).toMatchObject([{ sealed: null, model: null, quality: null }]);
      expect(await revision()).toBe(before + 1);
      expect((await said(mother.id)).at(-1)).toMatchObject([
        'parent.recognition_off',
        {},
        { because: problem },
      ]);
      const face = newFace();
      await givePhoto({ face });
      // Another photo does not switch it on by itself.
      expect(await stateOf()).toEqual(OFF);
      await app.expect(200, 'PUT', pathOf(mother), { token: mother.token });
      await confirm();
      expect((await stateOf()).on).toBe(true);
    },
  );

  test('of a child’s face, from the desk, switches it off, too', async () => {
    const face = newFace();
    await app.makeChild(other, 'Omar', fakePhoto({ face }));
    await switchOn();
    await givePhoto({ face, away: 0.3 }, staff);
    expect(await stateOf()).toMatchObject({ on: false, problem: 'face_already_registered' });
  });

  test('that nobody can read changes nothing', async () => {
    await switchOn();
    const before = await rows(mother.id);
    const form = { photo: fakePhoto({ problem: 'unreadable_photo' }) };
    await app.expect(422, 'PUT', `/api/parent/update-parent/${mother.id}`, { token: mother.token, form });
    expect(await rows(mother.id)).toEqual(before);
  });

  test('of who never asked is looked at for no face', async () => {
    let looked = 0;
    app.vision.onEnrol = () => void looked++;
    await givePhoto({ face: newFace() });
    app.vision.onEnrol = () => {};
    expect(looked).toBe(0);
    expect(await rows(mother.id)).toEqual([]);
  });
});

test('a parent who is deleted takes the encoding and its key along', async () => {
  await switchOn();
  const before = await revision();
  expect(await keysOf('parent', mother.id)).toHaveLength(1);
  await app.expect(200, 'DELETE', `/api/parent/delete-parent/${mother.id}`, { token: staff });
  expect(await rows(mother.id)).toEqual([]);
  expect(await keysOf('parent', mother.id)).toEqual([]);
  expect(await revision()).toBe(before + 1);
});

describe('a staff member', () => {
  const put = (token: string, seen: object = { face: newFace() }) =>
    app.ask('PUT', MINE, { token, form: { photo: fakePhoto(seen) } });

  test('asks for the own account, by a photo that is not kept, and takes it back', async () => {
    const colleague = await app.makeEmployee();
    const photos = () => app.context.db.selectFrom('photos').selectAll().execute();
    const [keptBefore, before] = [await photos(), await revision()];
    expect((await app.expect(200, 'GET', MINE, { token: colleague.token })).recognition).toEqual(OFF);
    const answer = await put(colleague.token);
    expect(answer).toMatchObject({ status: 200, body: { recognition: { on: true, problem: null } } });
    expect(await photos()).toEqual(keptBefore);
    expect(await rows(colleague.id)).toMatchObject([{ account_kind: 'admin' }]);
    expect(await keysOf('admin', colleague.id)).toHaveLength(1);
    expect(await revision()).toBe(before + 1);
    // Recognition of other people stays off.
    expect((await app.expect(200, 'GET', MINE, { token: employee.token })).recognition).toEqual(OFF);
    const [old] = await rows(colleague.id);
    expect((await put(colleague.token)).status).toBe(200);
    expect((await rows(colleague.id)).map(({ id }) => id)).not.toEqual([old?.id]);
    const off = await app.expect(200, 'DELETE', MINE, { token: colleague.token });
    expect(off.recognition).toEqual(OFF);
    expect(await rows(colleague.id)).toEqual([]);
    expect(await keysOf('admin', colleague.id)).toEqual([]);
    expect((await said(colleague.id)).map(([action, by]) => [action, by])).toEqual([
      ['admin.recognition_on', colleague.id],
      ['admin.recognition_on', colleague.id],
      ['admin.recognition_off', colleague.id],
    ]);
  });

  test('is refused for a photo that shows no one, or a child', async () => {
    expect(await put(employee.token, { problem: 'many_faces' })).toMatchObject({
      status: 422,
      body: { code: 'many_faces', message: 'More than one face was found. Please use a photo of you alone.' },
    });
    const face = newFace();
    await app.makeChild(other, 'Zeina', fakePhoto({ face }));
    expect(await put(employee.token, { face, away: 0.2 })).toMatchObject({
      status: 409,
      body: { code: 'face_already_registered' },
    });
    expect(await app.ask('PUT', MINE, { token: employee.token, form: { name: 'x' } })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
    expect(
      await app.ask('PUT', MINE, { token: employee.token, form: { photo: Buffer.from('text') } }),
    ).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    expect(await rows(employee.id)).toEqual([]);
  });

  test('no parent has it, nobody without a session', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      await app.expect(403, method, MINE, { token: mother.token });
      await app.expect(401, method, MINE);
    }
  });

  test('who is deleted takes the encoding and its key along', async () => {
    const colleague = await app.makeEmployee();
    await put(colleague.token);
    const before = await revision();
    await app.expect(200, 'DELETE', `/api/admin/delete-admin/${colleague.id}`, { token: staff });
    expect(await rows(colleague.id)).toEqual([]);
    expect(await keysOf('admin', colleague.id)).toEqual([]);
    expect(await revision()).toBe(before + 1);
  });
});

test('an adult’s face can be a child’s once the desk has said so, and no photo finds an adult', async () => {
  const face = newFace();
  await switchOn({ face });
  await app.ask('PUT', MINE, { token: employee.token, form: { photo: fakePhoto({ face }) } });
  const found = await app.expect(200, 'POST', '/check-face', {
    token: staff,
    form: { image: fakePhoto({ face }) },
  });
  expect(found.faces).toMatchObject([{ match: null }]);
  const url = `/api/children/create-child/${other.id}`;
  const form = { name: 'The same face', photo: fakePhoto({ face }) };
  const asked = await app.expect(409, 'POST', url, { token: staff, form });
  expect(asked).toMatchObject({ candidates: [], adults: [{ kind: 'guardian' }, { kind: 'staff' }] });
  const { child, lookalikes } = await app.expect(201, 'POST', url, {
    token: staff,
    form: { ...form, confirm: 'true' },
  });
  expect(lookalikes).toBeUndefined();
  const again = await app.expect(200, 'POST', '/check-face', {
    token: staff,
    form: { image: fakePhoto({ face }) },
  });
  expect(again.faces).toMatchObject([{ match: { childId: child._id } }]);
});
