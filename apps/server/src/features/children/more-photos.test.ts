/** More photos of one child: up to five, of that child only, and never near another family's. */
import type { Child } from '@haris/contract/objects';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodingOf, fakePhoto } from '../../testing/fake-vision.ts';
import type { FormParts } from '../../testing/form.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let staff: string;
let family: Family;
let other: Family;
let child: Child;
let number = 0;
const face = () => `face ${number}`;
const photo = (away: number, aside = 0) => fakePhoto({ face: face(), away, aside });

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  [family, other] = [await app.makeFamily(), await app.makeFamily()];
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.forgetLimits();
  number++;
  child = await app.makeChild(family, 'Omar', photo(0));
});

const add = (form: FormParts, token = family.token, id = child._id) =>
  app.ask('POST', `/api/children/${id}/photos`, { token, form });
const photosOf = async (form: FormParts) => ((await add(form)).body as unknown as { photos: number }).photos;
const whoIs = async (away: number, aside = 0) =>
  (
    await app.expect(200, 'POST', '/check-face', {
      token: staff,
      form: { image: photo(away, aside) },
    })
  ).faces[0]?.match?.childId;

describe('a photo of the same child', () => {
  test('makes recognition better; only its encoding is kept, and the photo that is shown stays', async () => {
    const bodies = async () =>
      (await app.context.db.selectFrom('photo_bodies').select('photo_id').execute()).length;
    const before = await bodies();
    expect(await whoIs(0.6)).toBeUndefined();
    expect(await add({ photo: photo(0.2) })).toMatchObject({
      status: 201,
      body: { message: 'Photo added successfully', child: { _id: child._id, photo: child.photo }, photos: 2 },
    });
    expect(await photosOf({ photo: photo(0.4) })).toBe(3);
    expect(await whoIs(0.6)).toBeUndefined();
    await app.confirmChild(child._id);
    expect(await whoIs(0.6)).toBe(child._id);
    expect(await bodies()).toBe(before);
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${child._id}`, { token: staff });
    expect(entries.map(({ action }) => action)).toEqual([
      'proposal.accepted',
      'proposal.made',
      'proposal.made',
      'child.created',
    ]);
    expect((await add({ photo: photo(0.2, 0.2) }, staff)).body).toMatchObject({
      photos: 4,
      child: { pending: [] },
    });
  });

  test('is the fifth at most, also when two come at once; a new photo by update-child starts anew', async () => {
    for (const [index, away] of [0.2, -0.2].entries())
      expect(await photosOf({ photo: photo(away) })).toBe(index + 2);
    expect(await photosOf({ photo: photo(0, 0.2) })).toBe(4);
    const answers = await Promise.all([
      add({ photo: photo(0, -0.2) }),
      add({ photo: photo(0.2, 0.2) }, staff),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toEqual({
      code: 'too_many_photos',
      message: 'A child can have up to 5 photos.',
    });
    await app.expect(200, 'PUT', `/api/children/update-child/${child._id}`, {
      token: family.token,
      form: { photo: photo(0.1) },
    });
    await app.confirmChild(child._id);
    expect(await photosOf({ photo: photo(0.3) })).toBe(2);
  });

  test('that is there already: 409, so that a double tap adds one', async () => {
    const twice = photo(0.3);
    const answers = await Promise.all([add({ photo: twice }), add({ photo: twice })]);
    expect(answers.map(({ body }) => body.code ?? 'added').sort()).toEqual(['added', 'photo_already_added']);
    expect((await add({ photo: photo(0) })).body.code).toBe('photo_already_added');
  });

  test('with an encoding: the photo’s own, or 422', async () => {
    const form = (away: number) => ({
      photo: photo(0.3),
      encoding: JSON.stringify(encodingOf(face(), away)),
    });
    expect((await add(form(0.9))).body.code).toBe('encoding_mismatch');
    expect((await add({ ...form(0.3), encoding: '[1]' })).status).toBe(400);
    expect((await add(form(0.3))).status).toBe(201);
  });

  test('is wanted: without one 400, with none in it 422', async () => {
    expect((await add({})).status).toBe(400);
    expect((await add({ photo: fakePhoto({ problem: 'no_face' }) })).body.code).toBe('no_face');
  });
});

describe('a photo that looks different', () => {
  test('is a question to staff beside the child, and theirs to confirm; a parent is refused', async () => {
    expect(await add({ photo: photo(0.55), confirm: 'true' })).toMatchObject({
      status: 422,
      body: { code: 'another_face' },
    });
    const asked = await add({ photo: photo(0.55) }, staff);
    expect(asked).toMatchObject({ status: 409, body: { code: 'face_differs' } });
    expect(asked.body.candidates).toMatchObject([
      { childId: child._id, name: 'Omar', parentName: family.name, photo: child.photo },
    ]);
    expect(asked.body.candidates?.[0]?.similarity).toBeCloseTo(0.45, 5);
    expect(await add({ photo: photo(0.55), confirm: 'true' }, staff)).toMatchObject({
      status: 201,
      body: { photos: 2 },
    });
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${child._id}`, { token: staff });
    expect(entries[0]).toMatchObject({ action: 'child.photo_added', details: { confirmed: true } });
  });

  test('nearer to another child than to this one: the question shows that child too, a sibling as well', async () => {
    const sibling = await app.expect(201, 'POST', `/api/children/create-child/${family.id}`, {
      token: staff,
      form: { name: 'Sibling', photo: photo(0.85) },
    });
    for (const away of [0.45, 0.6]) {
      const asked = await add({ photo: photo(away) }, staff);
      expect(asked).toMatchObject({ status: 409, body: { code: 'face_differs' } });
      expect(asked.body.candidates?.map(({ childId }) => childId)).toEqual([child._id, sibling.child._id]);
    }
    // The response to a parent depends only on the own child's photos, even if the photo looks like somebody else.
    expect((await add({ photo: photo(0.6) })).body.code).toBe('another_face');
    expect((await add({ photo: photo(0.45) })).body.child.pending).toEqual(['photos']);
  });
});

describe('a photo of somebody else', () => {
  test('is refused, to staff too; nor can a parent walk there photo by photo', async () => {
    for (const token of [family.token, staff])
      expect(await add({ photo: fakePhoto({ face: 'a stranger' }), confirm: 'true' }, token)).toMatchObject({
        status: 422,
        body: { code: 'another_face' },
      });
    expect((await add({ photo: photo(0.4) })).status).toBe(201);
    expect((await add({ photo: photo(0.8) })).body.code).toBe('another_face');
    // 0.41 from the photos in the mean, but 0.61 from the first of them.
    expect((await add({ photo: photo(0.61) })).body.code).toBe('another_face');
  });

  test('who is registered: a parent is told nothing of it, staff are asked', async () => {
    const twin = await app.makeChild(other, 'Twin', photo(0.7));
    const given = await add({ photo: photo(0.3) });
    expect(given).toMatchObject({ status: 201, body: { photos: 2, child: { pending: ['photos'] } } });
    expect(given.body).not.toHaveProperty('lookalikes');
    const url = `/api/children/${child._id}/confirm`;
    const asked = await app.expect(409, 'POST', url, { token: staff, json: { accept: true } });
    expect(asked.candidates).toMatchObject([{ childId: twin._id, parentName: other.name }]);
    await app.expect(200, 'POST', url, { token: staff, json: { accept: false } });
    const byStaff = await add({ photo: photo(0.3) }, staff);
    expect(byStaff.body.candidates).toMatchObject([{ childId: twin._id, parentName: other.name }]);
    expect(await add({ photo: photo(0.3), confirm: 'true' }, staff)).toMatchObject({
      status: 201,
      body: { lookalikes: [{ childId: twin._id }] },
    });
  });

  test('in the middle of two photos of a child: the mean of the distances counts', async () => {
    expect((await add({ photo: photo(0.49) })).status).toBe(201);
    await app.confirmChild(child._id);
    // 0.48 from either photo.
    expect(await whoIs(0.245, 0.413)).toBe(child._id);
    // 0.512 from either photo, 0.45 from the middle of the two.
    expect(await whoIs(0.245, 0.45)).toBeUndefined();
  });
});

describe('a further photo is removed', () => {
  const facePhotos = async () =>
    (await app.expect(200, 'GET', `/api/children/get-child/${child._id}`, { token: staff })).facePhotos;
  const remove = (photoId: string, token = staff, id = child._id) =>
    app.ask('DELETE', `/api/children/${id}/photos/${photoId}`, { token });

  test('by the desk, and the cameras forget it at once; the displayed one cannot be', async () => {
    app.clock.advance(1000);
    await app.expect(201, 'POST', `/api/children/${child._id}/photos`, {
      token: staff,
      form: { photo: photo(0.4) },
    });
    const [shown, further] = await facePhotos();
    expect(await whoIs(0.6)).toBe(child._id);
    expect(await remove(String(shown?._id))).toMatchObject({ status: 409, body: { code: 'last_photo' } });
    expect(await remove(String(further?._id), family.token)).toMatchObject({ status: 403 });
    const sibling = await app.makeChild(family, 'Layla');
    expect(await remove(String(further?._id), staff, sibling._id)).toMatchObject({ status: 404 });
    expect(await facePhotos()).toHaveLength(2);
    expect(await remove(String(further?._id))).toMatchObject({ status: 200, body: { photos: 1 } });
    expect(await facePhotos()).toEqual([shown]);
    expect(await whoIs(0.6)).toBeUndefined();
    expect(await remove(String(further?._id))).toMatchObject({ status: 404 });
  });
});
