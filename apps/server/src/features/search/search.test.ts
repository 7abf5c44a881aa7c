/** The search of staff over children and parents: what it finds, in which order, and for whom. */
import { type FoundChild, type FoundParent, SEARCHES_AT_ONCE } from '@haris/contract/http/search';
import type { Child } from '@haris/contract/objects';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let staff: string;
/** Another account, because searches are limited per account. */
let second: string;
let mona: Family;
let layla: Child;
let omar: Child;

interface Answer {
  children: FoundChild[];
  parents: FoundParent[];
}

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  second = (await app.makeEmployee()).token;
  mona = await app.makeFamily({ name: 'Mona Hassan', email: 'mona.h@family.test', phone: '01001234567' });
  layla = await app.makeChild(mona, 'Layla Hassan');
  omar = await app.makeChild(mona, 'Omar Hassan');
  const other = await app.makeFamily({ name: 'سارة إبراهيم', email: 'sara.i@family.test' });
  await app.makeChild(other, 'آدم إبراهيم');
  await app.makeChild(other, 'ليلى إبراهيم');
});
afterAll(() => app.close());

async function search(q: string, more: Record<string, string> = {}, token = staff): Promise<Answer> {
  const url = `/api/search?${new URLSearchParams({ q, ...more })}`;
  return (await app.expect(200, 'GET', url, { token })) as unknown as Answer;
}
const names = async (q: string) => {
  const { children, parents } = await search(q);
  return {
    children: children.map(({ child }) => child.name),
    parents: parents.map(({ parent }) => parent.name),
  };
};

describe('a child', () => {
  test.each([
    ['layla', ['Layla Hassan', 'ليلى إبراهيم']],
    ['lyala', ['Layla Hassan', 'ليلى إبراهيم']],
    ['ليلى', ['ليلى إبراهيم', 'Layla Hassan']],
    ['adam', ['آدم إبراهيم']],
    ['ibrahim adam', ['آدم إبراهيم']],
    ['hassan omr', ['Omar Hassan']],
    ['layla mona', ['Layla Hassan']],
  ])('is found by %s', async (typed, expected) => expect((await names(typed)).children).toEqual(expected));

  test('comes with its family, its siblings and whether it is inside', async () => {
    await app.expect(200, 'POST', `/api/children/checkin-child/${layla._id}`, { token: staff });
    const { children } = await search('layla hassan');
    expect(children[0]).toMatchObject({
      child: { _id: layla._id, isInside: true, parent: { name: 'Mona Hassan' } },
      by: 'name',
      parent: { phone: '01001234567', children: [{ name: 'Layla Hassan' }, { name: 'Omar Hassan' }] },
    });
    await app.expect(200, 'POST', `/api/children/checkout-child/${layla._id}`, { token: staff });
  });

  test('is found by a name that waits for staff, and shown with the confirmed one', async () => {
    await app.expect(200, 'PUT', `/api/children/update-child/${omar._id}`, {
      token: mona.token,
      json: { name: 'Yusuf Hassan' },
    });
    const { children } = await search('yusuf');
    expect(children).toMatchObject([
      { by: 'proposed', child: { name: 'Omar Hassan', proposal: { name: 'Yusuf Hassan' } } },
    ]);
    expect((await search('omar')).children).toMatchObject([{ by: 'name', child: { name: 'Omar Hassan' } }]);
  });
});

describe('a parent', () => {
  test.each(['mona', 'mnoa', 'منى', '4567', '٤٥٦٧', '01001234567', 'mona.h@', 'hassan mona'])(
    'is found by %s',
    async (typed) => expect((await names(typed)).parents).toEqual(['Mona Hassan']),
  );

  test('is not listed for the name of a child alone', async () => {
    expect(await names('layla')).toMatchObject({ parents: [] });
  });

  test('without a text: the first by name', async () => {
    const { children, parents } = await search('', { limit: '1' });
    expect(children).toEqual([]);
    expect(parents).toMatchObject([{ parent: { name: 'Mona Hassan' } }]);
  });
});

describe('how a family usually comes', () => {
  const checkIn = (id: string, durationInMinutes: number) =>
    app.expect(200, 'POST', `/api/children/checkin-child/${id}`, {
      token: staff,
      json: { durationInMinutes },
    });
  const checkOut = (id: string) =>
    app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });

  test('is the last check-in: who came together, and the period', async () => {
    const family = await app.makeFamily({ name: 'Usual Family' });
    const [one, two] = [await app.makeChild(family, 'Wolfgang'), await app.makeChild(family, 'Siegfried')];
    const usual = async (q: string) => (await search(q)).children[0]?.usual;
    expect(await usual('wolfgang')).toEqual({ childIds: [one._id], minutes: null });
    await checkIn(one._id, 120);
    app.clock.advance(60_000);
    await checkIn(two._id, 120);
    for (const id of [one._id, two._id]) await checkOut(id);
    expect(await usual('siegfried')).toMatchObject({ minutes: 120 });
    expect(new Set((await usual('wolfgang'))?.childIds)).toEqual(new Set([one._id, two._id]));
    // The child's sheet says the same.
    const sheet = await app.expect(200, 'GET', `/api/children/get-child/${one._id}`, { token: staff });
    expect(sheet.usual).toEqual(await usual('wolfgang'));
    app.clock.advance(2 * 3_600_000);
    await checkIn(two._id, 60);
    await checkOut(two._id);
    expect(await usual('siegfried')).toEqual({ childIds: [two._id], minutes: 60 });
    expect(await usual('wolfgang')).toEqual({ childIds: [one._id], minutes: 120 });
    expect((await search('usual family')).parents[0]?.usual).toEqual({ childIds: [two._id], minutes: 60 });
  });

  test('ignores a check-in that was undone', async () => {
    const family = await app.makeFamily();
    const child = await app.makeChild(family, 'Undone');
    const { child: inside } = await checkIn(child._id, 240);
    await app.expect(200, 'POST', `/api/children/undo-checkin-child/${child._id}`, {
      token: staff,
      json: { uniqueEntryId: inside.uniqueEntryId },
    });
    expect((await search('undone')).children[0]?.usual).toEqual({ childIds: [child._id], minutes: null });
  });
});

describe('who may', () => {
  test('nobody without a session, and no parent', async () => {
    expect((await app.ask('GET', '/api/search?q=layla')).status).toBe(401);
    expect(await app.ask('GET', '/api/search?q=layla', { token: mona.token })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    const employee = await app.makeEmployee();
    expect((await search('layla', {}, employee.token)).children).not.toEqual([]);
  });

  test('limits and texts outside the rules are 400', async () => {
    for (const limit of ['0', '51', 'x', '']) {
      const answer = await app.ask('GET', `/api/search?q=a&limit=${limit}`, { token: staff });
      expect(answer, limit).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
    expect((await app.ask('GET', `/api/search?q=${'x'.repeat(201)}`, { token: staff })).status).toBe(400);
    expect((await app.ask('GET', '/api/search?q=%00', { token: staff })).status).toBe(400);
    for (const odd of ['%', '_', '\\', '🧸', '\u202e', "'; --", 'x'.repeat(200)]) await search(odd);
  });

  test.each(['%', '_', '%%', "' or 1=1 --", '.*', '\\', '\u200b', '\u202e', '🧸', 'x'.repeat(200)])(
    'a pattern or a sign that nobody is called by finds nobody: %s',
    async (typed) => {
      const isBlank = typed.replace(/[\u200b\u202e]/g, '') === '';
      const { children, parents } = await search(typed, {}, second);
      expect(children).toEqual([]);
      // A text without a visible letter is no text, for which the first families are shown.
      if (!isBlank) expect(parents).toEqual([]);
      const url = (list: string) => `/api/${list}?${new URLSearchParams({ search: typed })}`;
      if (isBlank) return;
      for (const list of ['parent/get-all-parents', 'children/get-all-children', 'admin/get-all-admins'])
        expect((await app.expect(200, 'GET', url(list), { token: staff })).total, list).toBe(0);
    },
  );

  test.each(['lay\u200bla', '\u202elayla\u202c', 'LAYLA', 'ｌａｙｌａ', 'لَيْلَى', 'لـيـلى', '\ufeffليلي'])(
    'signs that nobody sees, wide letters and diacritics do not matter: %s',
    async (typed) => {
      const { children } = await search(typed, {}, second);
      const found = children.map(({ child }) => child.name);
      expect(found).toEqual(expect.arrayContaining(['Layla Hassan', 'ليلى إبراهيم']));
    },
  );

  test('ten thousand letters are refused, by the search and by every list', async () => {
    const long = 'ا'.repeat(1200);
    for (const path of [
      'search?q',
      'children/get-all-children?search',
      'parent/get-all-parents?search',
      'admin/get-all-admins?search',
    ])
      for (const typed of [encodeURIComponent(long), 'x'.repeat(10_000)])
        expect((await app.ask('GET', `/api/${path}=${typed}`, { token: staff })).status, path).toBe(400);
  });

  test('an account that searches without end is told to wait', async () => {
    const { token } = await app.makeEmployee();
    const answers = await Promise.all(
      Array.from({ length: SEARCHES_AT_ONCE * 2 }, () => app.ask('GET', '/api/search?q=layla', { token })),
    );
    expect(answers.map(({ status }) => status)).toContain(429);
    expect((await search('layla')).children).not.toEqual([]);
  });
});

test('each search finds what the families are called now', async () => {
  const family = await app.makeFamily({ name: 'Renata Novak', phone: '01009998877' });
  const { _id: id } = await app.makeChild(family, 'Bartholomew Ashdown');
  const found = async (typed: string) => {
    const { children, parents } = await names(typed);
    return [...children, ...parents];
  };
  const change = (what: string, json: object, token = staff) =>
    app.expect(200, 'PUT', `/api/${what}`, { token, json });
  expect(await found('ashdown')).toEqual(['Bartholomew Ashdown']);
  // Each change leaves the order of the families as it is.
  await change(`children/update-child/${id}`, { name: 'Bartholomew Oakwood' });
  expect(await found('ashdown')).toEqual([]);
  expect(await found('oakwood')).toEqual(['Bartholomew Oakwood']);
  for (const proposed of ['Ignatius', 'Thaddeus']) {
    await change(`children/update-child/${id}`, { name: proposed }, family.token);
    expect(await found(proposed)).toEqual(['Bartholomew Oakwood']);
  }
  expect(await found('ignatius')).toEqual([]);
  await change(`parent/update-parent/${family.id}`, { phone: '01005554433' });
  expect(await found('99988')).toEqual([]);
  expect(await found('5554433')).toEqual(['Renata Novak']);
  await change(`parent/update-parent/${family.id}`, { name: 'Renata Quillfeather' });
  expect(await found('novak')).toEqual([]);
  expect(await found('quillfeather bartholomew')).toEqual(['Bartholomew Oakwood', 'Renata Quillfeather']);
  await app.makeChild(family, 'Cornelius');
  expect(await found('cornelius')).toEqual(['Cornelius']);
});

test('an erased family is found no more', async () => {
  const family = await app.makeFamily({ name: 'Erased Family' });
  await app.makeChild(family, 'Zacharias', fakePhoto());
  expect(await names('zacharias')).toMatchObject({ children: ['Zacharias'] });
  await app.expect(200, 'DELETE', `/api/parent/delete-parent/${family.id}`, { token: staff });
  for (const typed of ['zacharias', 'erased family', family.email])
    expect(await names(typed)).toEqual({ children: [], parents: [] });
});
