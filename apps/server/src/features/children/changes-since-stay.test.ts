/** What the desk reads about names, phones and photos that changed since a child's last stay began. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let staff: string;
let mother: Family;
let child: string;
let face = 0;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.forgetLimits();
  staff = await app.staff();
  mother = await app.makeFamily({ name: 'Mona Hassan', phone: '01000000001' });
  child = (await app.makeChild(mother, 'Omar', fakePhoto({ face: `changes ${++face}` })))._id;
});

/** The moment of a change is a minute of its own. */
const next = () => {
  app.clock.advance(60_000);
  return new Date(app.clock.now()).toISOString();
};
const checkIn = (json?: object) =>
  app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: staff, ...(json && { json }) });
const checkOut = () => app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: staff });
const change = (json: object, token = staff) =>
  app.expect(200, 'PUT', `/api/parent/update-parent/${mother.id}`, { token, json });
const rename = (name: string, token = staff) =>
  app.expect(200, 'PUT', `/api/children/update-child/${child}`, { token, json: { name } });
const accept = (what: string) =>
  app.expect(200, 'POST', `/api/${what}/confirm`, { token: staff, json: { accept: true } });
/** As the list of children, the list of families and the child's sheet show it; they agree. */
async function seen() {
  const [list, families, sheet] = await Promise.all([
    app.expect(200, 'GET', `/api/children/get-all-children?search=${mother.email}`, { token: staff }),
    app.expect(200, 'GET', `/api/parent/get-all-parents?search=${mother.email}`, { token: staff }),
    app.expect(200, 'GET', `/api/children/get-child/${child}`, { token: staff }),
  ]);
  const changes = sheet.child.changes ?? [];
  expect(list.children[0]?.changes ?? []).toEqual(changes);
  expect(families.parents[0]?.children[0]?.changes ?? []).toEqual(changes);
  return changes;
}

test('before the first stay there is nothing to compare with', async () => {
  next();
  await change({ phone: '01099999999' });
  await rename('Omar H.');
  expect(await seen()).toEqual([]);
});

test('a change by the desk is named with its time, until the next stay begins', async () => {
  await checkIn();
  await checkOut();
  const phone = next();
  await change({ phone: '01099999999', name: 'Mona Hassan' });
  const name = next();
  await rename('Omar H.');
  expect(await seen()).toEqual([
    { what: 'parentPhone', at: phone },
    { what: 'name', at: name },
  ]);
  // The same value is no change.
  next();
  await change({ phone: '01099999999' });
  await rename('Omar H.');
  expect(await seen()).toHaveLength(2);
  next();
  await checkIn();
  expect(await seen()).toEqual([]);
});

test('a change by the parent counts from the time at which staff accept it, also while the child is inside', async () => {
  await checkIn();
  next();
  await change({ name: 'Mona Adel' }, mother.token);
  const photo = { photo: fakePhoto({ face: 'mona' }) };
  await app.expect(200, 'PUT', `/api/parent/update-parent/${mother.id}`, {
    token: mother.token,
    form: photo,
  });
  await rename('Omar H.', mother.token);
  expect(await seen()).toEqual([]);
  const own = next();
  await accept(`parent/${mother.id}`);
  const named = next();
  await accept(`children/${child}`);
  const changes = await seen();
  expect(changes).toHaveLength(3);
  expect(changes).toEqual(
    expect.arrayContaining([
      { what: 'parentName', at: own },
      { what: 'parentPhoto', at: own },
      { what: 'name', at: named },
    ]),
  );
});

test('what is accepted with a check-in was seen there, and a rejected change is none', async () => {
  await checkIn();
  await checkOut();
  next();
  await rename('Omar H.', mother.token);
  await change({ phone: '01088888888' }, mother.token);
  const json = { accept: false };
  await app.expect(200, 'POST', `/api/parent/${mother.id}/confirm`, { token: staff, json });
  next();
  await checkIn({ durationInMinutes: 60, confirm: true });
  expect(await seen()).toEqual([]);
});

test('an undone check-in was no stay', async () => {
  await checkIn();
  await checkOut();
  const at = next();
  await change({ phone: '01099999999' });
  next();
  const { child: inside } = await checkIn();
  const json = { uniqueEntryId: inside.uniqueEntryId };
  await app.expect(200, 'POST', `/api/children/undo-checkin-child/${child}`, { token: staff, json });
  expect(await seen()).toEqual([{ what: 'parentPhone', at }]);
});

test('the family does not read it, and it goes with the family', async () => {
  await checkIn();
  next();
  await change({ phone: '01099999999' });
  await rename('Omar H.');
  const own = await app.expect(200, 'GET', '/api/parent/info', { token: mother.token });
  expect(own.parent.children[0]).not.toHaveProperty('changes');
  await checkOut();
  await app.expect(200, 'DELETE', `/api/parent/delete-parent/${mother.id}`, { token: staff });
  const left = await app.context.db
    .selectFrom('detail_changes')
    .selectAll()
    .where('subject_id', 'in', [mother.id, child])
    .execute();
  expect(left).toEqual([]);
});
