/** Birth date and home room of a child: who may give them, and what a parent's change waits for. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let staff: string;
let family: Family;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  family = await app.makeFamily();
});
afterAll(() => app.close());
beforeEach(() => app.forgetLimits());

const change = (id: string, json: object, token = staff) =>
  app.ask('PUT', `/api/children/update-child/${id}`, { token, json });
const seen = async (id: string) =>
  (await app.expect(200, 'GET', `/api/children/get-child/${id}`, { token: staff })).child;

describe('a birth date', () => {
  test('is given by staff when the child is added, changed, and removed', async () => {
    const { child } = await app.expect(201, 'POST', `/api/children/create-child/${family.id}`, {
      token: staff,
      form: { name: 'Dated', photo: fakePhoto(), birthDate: '2024-02-29' },
    });
    expect(child.birthDate).toBe('2024-02-29');
    expect((await change(child._id, { birthDate: '2024-03-01' })).body.child.birthDate).toBe('2024-03-01');
    expect((await change(child._id, { birthDate: '' })).body.child.birthDate).toBeNull();
  });

  test('that is none, or that is to come, is refused at its field', async () => {
    const { _id } = await app.makeChild(family);
    for (const birthDate of ['2024-02-30', '31.05.2024', '1970-01-01', '2026-11-21', 'soon', 20240101])
      expect(await change(_id, { birthDate })).toMatchObject({
        status: 400,
        body: { fields: { birthDate: expect.any(String) } },
      });
    expect((await change(_id, { birthDate: '2026-11-20' })).status).toBe(200);
    expect((await change(_id, {})).status).toBe(400);
  });

  test('of a parent waits for staff: the parent sees it, staff see it beside the confirmed one', async () => {
    const { _id } = await app.makeChild(family);
    await change(_id, { birthDate: '2023-01-01' });
    const { body } = await change(_id, { birthDate: '2023-02-02' }, family.token);
    expect(body.child).toMatchObject({ birthDate: '2023-02-02', pending: ['birthDate'] });
    expect(await seen(_id)).toMatchObject({
      birthDate: '2023-01-01',
      proposal: { birthDate: '2023-02-02' },
    });
    // A parent removes none: the youngest band would count for no reason.
    expect((await change(_id, { birthDate: '' }, family.token)).status).toBe(400);
    await app.confirmChild(_id);
    expect(await seen(_id)).toMatchObject({ birthDate: '2023-02-02', pending: [] });
  });

  test('a parent gives with a new child counts once staff have confirmed the child', async () => {
    const { child } = await app.expect(201, 'POST', `/api/children/create-child/${family.id}`, {
      token: family.token,
      form: { name: 'Own', photo: fakePhoto({ face: 'own' }), birthDate: '2023-05-05' },
    });
    expect(child).toMatchObject({ birthDate: '2023-05-05', pending: expect.arrayContaining(['birthDate']) });
    expect((await seen(child._id)).birthDate).toBeNull();
    await app.confirmChild(child._id);
    expect((await seen(child._id)).birthDate).toBe('2023-05-05');
  });

  test('set by staff withdraws what the parent proposed', async () => {
    const { _id } = await app.makeChild(family);
    await change(_id, { birthDate: '2023-02-02' }, family.token);
    await change(_id, { birthDate: '2023-03-03' });
    expect(await seen(_id)).toMatchObject({ birthDate: '2023-03-03', pending: [] });
  });
});

describe('a home room', () => {
  test('is where the child is checked in; staff alone choose it, and it ends with the room', async () => {
    const { room } = await app.expect(201, 'POST', '/api/rooms', { token: staff, json: { name: 'Bees' } });
    const { _id } = await app.makeChild(family);
    expect((await change(_id, { homeRoomId: room._id }, family.token)).status).toBe(403);
    expect((await change(_id, { homeRoomId: 'nowhere' })).status).toBe(404);
    expect((await change(_id, { homeRoomId: room._id })).body.child.homeRoomId).toBe(room._id);
    const ask = { token: staff };
    const inside = await app.expect(200, 'POST', `/api/children/checkin-child/${_id}`, ask);
    expect(inside.child.room).toBe('Bees');
    await app.expect(200, 'POST', `/api/children/checkout-child/${_id}`, ask);
    const own = await app.expect(200, 'GET', '/api/children/get-all-children', { token: family.token });
    expect(own.children.every((child) => !('homeRoomId' in child))).toBe(true);
    await app.expect(200, 'DELETE', `/api/rooms/${room._id}`, ask);
    expect((await seen(_id)).homeRoomId).toBeNull();
    const again = await app.expect(200, 'POST', `/api/children/checkin-child/${_id}`, ask);
    expect(again.child.room).toBe('Main room');
    expect((await change(_id, { homeRoomId: '' })).body.child.homeRoomId).toBeNull();
  });
});
