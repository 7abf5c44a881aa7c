/** Every list: paging by cursor, limits, and search as people type (contract §2, §4). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakePhoto } from '../testing/fake-vision.ts';
import { type AnyBody, type Family, startTestApp, type TestApp } from '../testing/harness.ts';

let app: TestApp;
let staff: string;
const lists = {
  parents: '/api/parent/get-all-parents',
  children: '/api/children/get-all-children',
  admins: '/api/admin/get-all-admins',
  entries: '/api/audit',
} as const;
type List = keyof typeof lists;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

const rowsOf = (list: List, body: AnyBody): { key: string; name: string }[] =>
  list === 'entries'
    ? body.entries.map(({ seq, action }) => ({ key: String(seq), name: action }))
    : body[list].map(({ _id, name }) => ({ key: _id, name }));

async function get(list: List, query: Record<string, string> = {}, token = staff): Promise<AnyBody> {
  return app.expect(200, 'GET', `${lists[list]}?${new URLSearchParams(query)}`, { token });
}

/** All pages of a list, and their number. */
async function walk(list: List, query: Record<string, string>): Promise<{ key: string; name: string }[][]> {
  const pages = [];
  let cursor: string | null = null;
  do {
    const body = await get(list, { ...query, ...(cursor === null ? {} : { cursor }) });
    pages.push(rowsOf(list, body));
    cursor = body.nextCursor;
  } while (cursor !== null && pages.length < 100);
  return pages;
}

async function addParent(name: string, over: Record<string, string> = {}): Promise<string> {
  const email = over.email ?? `p${crypto.randomUUID()}@family.test`;
  const body = await app.expect(201, 'POST', '/api/parent/create-parent', {
    token: staff,
    json: { name, email, ...over },
  });
  return body.parent._id;
}

const found = async (search: string, list: List = 'parents'): Promise<string[]> =>
  rowsOf(list, await get(list, { search, limit: '200' })).map(({ name }) => name);

describe('search', () => {
  const people: [string, string[], string[]][] = [
    ['أحمد إبراهيم', ['احمد', 'أحمد', 'إحمد', 'آحمد', 'ابراهيم', 'أَحْمَد', 'احـــمد', 'د ا'], ['حميد']],
    ['فاطمة الزهراء', ['فاطمه', 'فاطمة', 'الزهرا', 'زهراء', 'فطمة', 'fatma'], ['فرح']],
    ['هدى مؤمن', ['هدي', 'مومن', 'هدی'], []],
    ['José Ángel Muñoz', ['jose', 'JOSÉ', 'angel', 'munoz', 'MUÑOZ', 'munoz jose', 'jsoe'], ['josefina']],
    ['Łukasz Straße', ['lukasz', 'strasse', 'STRASSE', 'Straße'], []],
    ['O’Brien  Double', ['o’brien', 'brien double'], []],
    ['100%_done\\now', ['100%', '%_d', '_done', 'e\\n', '\\now'], ['100_', 'x%', '%%']],
    ['غرفة ٣', ['غرفه 3', '٣', 'غرفة ۳'], []],
  ];
  beforeAll(async () => {
    for (const [name] of people) await addParent(name);
  });

  test.each(people)('finds %s however it is typed', async (name, searches, misses) => {
    const kept = name.replace(/ +/g, ' ') === name ? name : name;
    for (const search of searches) expect(await found(search), search).toContain(kept);
    for (const search of misses) expect(await found(search), search).not.toContain(kept);
  });

  test('% and _ are plain characters', async () => {
    expect(await found('%')).toEqual(['100%_done\\now']);
    expect(await found('_')).toEqual(['100%_done\\now']);
    expect(await found('\\')).toEqual(['100%_done\\now']);
    expect(await found('___')).toEqual([]);
  });

  test('finds a part of the e-mail and of the phone, with any digits', async () => {
    await addParent('Reachable', { email: 'Part.Of-It@Family.test', phone: '01298765432' });
    for (const search of ['part.of', 'PART.OF-IT@FAM', '98765', '٩٨٧٦٥', '01298765432'])
      expect(await found(search), search).toEqual(['Reachable']);
    expect(await found('reachable part')).toEqual(['Reachable']);
    expect(await found('reachable other')).toEqual([]);
  });

  test('of children looks at the child’s name and at the parent’s name, e-mail and phone', async () => {
    const family = await app.makeFamily({
      name: 'سارة',
      email: 'sara.search@family.test',
      phone: '01555555551',
    });
    await app.makeChild(family, 'يوسف');
    for (const search of ['يوسف', 'ساره', 'sara.search', '55555551'])
      expect(await found(search, 'children'), search).toEqual(['يوسف']);
    expect(await found('يوسفساره', 'children')).toEqual([]);
  });

  test('of staff and of the audit log works too', async () => {
    const employee = await app.makeEmployee({ name: 'Zoë Àlvarez', email: 'zoe@haris.test' });
    expect(await found('zoe alv', 'admins')).toEqual(['Zoë Àlvarez']);
    expect(await found('ZOE@haris', 'admins')).toEqual(['Zoë Àlvarez']);
    await app.expect(201, 'POST', '/api/parent/create-parent', {
      token: employee.token,
      json: { name: 'By Zoë', email: 'byzoe@family.test' },
    });
    expect(await found('zoë', 'entries')).toContain('parent.created');
    expect(await found('zoe', 'entries')).toContain('parent.created');
    expect(new Set(await found('CHECKED', 'entries'))).toEqual(new Set());
    expect(new Set(await found('Signed_In', 'entries'))).toEqual(new Set(['admin.signed_in']));
  });

  test.each(Object.keys(lists) as List[])('of %s does not crash on what nobody types', async (list) => {
    const odd = [
      '\u0000',
      'a\u0000b',
      '\ud800',
      'x\udfff',
      '\u202e',
      '\uffff',
      '🧸',
      "'",
      '"',
      ';--',
      '\u0301',
      ' ',
      'x'.repeat(200),
    ];
    for (const search of odd) {
      const url = `${lists[list]}?search=${encodeURIComponent(search.toWellFormed())}`;
      expect([200, 400], JSON.stringify(search)).toContain(
        (await app.ask('GET', url, { token: staff })).status,
      );
    }
    for (const raw of ['%00', '%ED%A0%80', '%ff', '%', 'a&search=b', '%F0%9F'])
      expect([200, 400], raw).toContain(
        (await app.ask('GET', `${lists[list]}?search=${raw}`, { token: staff })).status,
      );
    expect((await app.ask('GET', `${lists[list]}?search=${'x'.repeat(201)}`, { token: staff })).status).toBe(
      400,
    );
  });
});

describe('paging', () => {
  beforeAll(async () => {
    for (let i = 0; i < 7; i++) await addParent(`Page ${'gfedcba'[i]}`);
    const family = await app.makeFamily({ name: 'Turner' });
    for (let i = 0; i < 5; i++) await app.makeChild(family, `Page child ${'edcba'[i]}`);
    for (let i = 0; i < 3; i++) await app.makeEmployee({ name: `Page employee ${'cba'[i]}` });
  });

  test.each([
    // Their own names, and the parent of the children below.
    ['parents', 'page ', 8],
    ['children', 'page child', 5],
    ['admins', 'page emp', 3],
  ] as const)('of %s: every row once, in the order of names', async (list, search, count) => {
    for (const limit of [1, 2, count - 1, count, 200]) {
      const pages = await walk(list, { search, limit: String(limit) });
      expect(pages).toHaveLength(Math.ceil(count / limit));
      const names = pages.flat().map(({ name }) => name);
      expect(names).toHaveLength(count);
      expect(names).toEqual([...names].sort());
    }
    expect((await get(list, { search, limit: '1' })).total).toBe(count);
  });

  test('of the audit log: newest first, every row once', async () => {
    const pages = await walk('entries', { search: 'parent.created', limit: '5' });
    const seqs = pages.flat().map(({ key }) => Number(key));
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => b - a));
    expect(seqs).toHaveLength((await get('entries', { search: 'parent.created', limit: '1' })).total);
  });

  test('two of one name are told apart', async () => {
    const ids = [await addParent('Same'), await addParent('Same'), await addParent('SAME')];
    const pages = await walk('parents', { search: 'same', limit: '1' });
    expect(pages.flat().map(({ key }) => key)).toEqual([...ids].sort());
  });

  test('neither skips nor repeats a row while others come and go', async () => {
    const names = ['Stable b', 'Stable d', 'Stable f', 'Stable h'];
    const ids = [];
    for (const name of names) ids.push(await addParent(name));
    const query = { search: 'stable', limit: '2' };
    const first = await get('parents', query);
    expect(first.parents.map(({ name }) => name)).toEqual(['Stable b', 'Stable d']);
    // Before the cursor, one row is added and one is deleted; then the cursor's own row is deleted.
    await addParent('Stable a');
    for (const id of ids.slice(0, 2))
      await app.expect(200, 'DELETE', `/api/parent/delete-parent/${id}`, { token: staff });
    await addParent('Stable e');
    const second = await get('parents', { ...query, cursor: String(first.nextCursor) });
    expect(second.parents.map(({ name }) => name)).toEqual(['Stable e', 'Stable f']);
    expect(second.total).toBe(4);
    const third = await get('parents', { ...query, cursor: String(second.nextCursor) });
    expect(third.parents.map(({ name }) => name)).toEqual(['Stable h']);
    expect(third.nextCursor).toBeNull();
  });

  test.each(Object.keys(lists) as List[])(
    'of %s: limits outside 1–200 and unknown cursors are 400',
    async (list) => {
      for (const limit of ['0', '201', 'abc', '-1', '1.5', '', '1e2', ' 5', '99999999999999999999']) {
        const answer = await app.ask('GET', `${lists[list]}?limit=${encodeURIComponent(limit)}`, {
          token: staff,
        });
        expect(answer, limit).toMatchObject({
          status: 400,
          body: { code: 'invalid_request', message: 'limit must be a whole number from 1 to 200' },
        });
      }
      for (const limit of ['1', '200']) await get(list, { limit });
      const odd = [
        'nonsense',
        '',
        btoa('[]'),
        btoa('["a"]'),
        btoa('[1,2]'),
        btoa('["\\u0000","b"]'),
        btoa('{}'),
        'x'.repeat(1001),
      ];
      for (const cursor of odd) {
        const answer = await app.ask('GET', `${lists[list]}?cursor=${cursor}`, { token: staff });
        expect(answer, cursor).toMatchObject({
          status: 400,
          body: { message: 'cursor is not one that was given' },
        });
      }
      expect((await app.ask('GET', `${lists[list]}?limit=1&limit=2`, { token: staff })).status).toBe(400);
    },
  );

  test('50 rows where nobody asks for a number', async () => {
    for (let i = 0; i < 51; i++) await addParent(`Bulk ${i}`);
    const body = await get('parents', { search: 'bulk' });
    expect(body.parents).toHaveLength(50);
    expect(body.total).toBe(51);
  });
});

describe('who sees which children', () => {
  let one: Family;
  let two: Family;
  beforeAll(async () => {
    one = await app.makeFamily({ name: 'Seen One' });
    two = await app.makeFamily({ name: 'Seen Two' });
    await app.makeChild(one, 'Inner One');
    const out = await app.makeChild(one, 'Outer One');
    const inside = await app.makeChild(two, 'Inner Two');
    for (const { _id } of [inside, (await get('children', { search: 'inner one' })).children[0] ?? out])
      await app.expect(200, 'POST', `/api/children/checkin-child/${_id}`, { token: staff });
  });
  const names = async (query: Record<string, string>, token: string) =>
    (await get('children', query, token)).children.map(({ name }) => name);

  test('a parent sees the own ones, whatever is asked for', async () => {
    expect(await names({}, one.token)).toEqual(['Inner One', 'Outer One']);
    expect(await names({ search: 'two' }, one.token)).toEqual([]);
    expect(await names({}, two.token)).toEqual(['Inner Two']);
    expect((await get('children', {}, two.token)).total).toBe(1);
  });

  test('inside=true and inside=false', async () => {
    expect(await names({ inside: 'true' }, one.token)).toEqual(['Inner One']);
    expect(await names({ inside: 'false' }, one.token)).toEqual(['Outer One']);
    expect(await names({ inside: 'true', search: 'inner' }, staff)).toEqual(['Inner One', 'Inner Two']);
    for (const inside of ['yes', '', '1', 'TRUE'])
      expect(
        (await app.ask('GET', `${lists.children}?inside=${inside}`, { token: staff })).body,
      ).toMatchObject({
        message: 'inside must be true or false',
      });
  });

  test('a parent’s children stand in the parent, with their stay', async () => {
    const { parent } = await app.expect(200, 'GET', '/api/parent/info', { token: one.token });
    expect(parent.children).toMatchObject([
      { name: 'Inner One', status: 'Inside', isInside: true, duration: 30, parent: { _id: one.id } },
      {
        name: 'Outer One',
        status: 'Outside',
        isInside: false,
        entryTime: null,
        duration: null,
        uniqueEntryId: null,
      },
    ]);
    const { parents } = await get('parents', { search: 'seen one' });
    // The home room and the phone are for staff alone, and so is a default room that nobody chose.
    const [inner, outer] = parents[0]?.children ?? [];
    const { roomSince, slipCode: _, ...same } = { ...inner, room: null, roomId: null };
    expect(roomSince).toBe(inner?.entryTime);
    const forStaff = { homeRoomId: null, parent: { _id: one.id, name: one.name, phone: parent.phone } };
    expect([same, outer]).toEqual(parent.children.map((child) => ({ ...child, ...forStaff })));
  });
});

test('a photo of another kind is not among the children’s data', async () => {
  const family = await app.makeFamily();
  const child = await app.makeChild(family, 'Plain', fakePhoto());
  expect(Object.keys(child).sort()).toEqual([
    '_id',
    'birthDate',
    'duration',
    'entryTime',
    'homeRoomId',
    'isInside',
    'name',
    'parent',
    'pending',
    'photo',
    'room',
    'roomId',
    'status',
    'uniqueEntryId',
  ]);
});
