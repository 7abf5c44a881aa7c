/** A second person agrees to deletions and exports, where the owner wants it (decision 047). */
import { APPROVAL_HEADER, APPROVAL_MS, PROOF_MS } from '@haris/contract/constants';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Employee, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let manager: Employee;
let second: Employee;
beforeAll(async () => {
  app = await startTestApp();
  manager = await app.makeEmployee({ name: 'Nadia' });
  second = await app.makeEmployee({ name: 'Samir' });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.forgetLimits();
  for (const { token } of [manager, second]) await app.proveNow(token);
});

const wanted = { status: 403, body: { code: 'approval_required' } };

/** Switches the rule in the database, as the owner does through the settings. */
async function rule(secondPerson: boolean): Promise<void> {
  const { writeSettings } = await import('../../db/settings.ts');
  await app.context.db.transaction().execute((trx) => writeSettings(trx, { secondPerson }));
}

const send = (url: string, approval?: string, token = manager.token) =>
  app.ask(url.includes('.csv') ? 'GET' : 'DELETE', url, {
    token,
    headers: approval === undefined ? {} : { [APPROVAL_HEADER]: approval },
  });
const decide = (id: string, decision: 'approve' | 'refuse', token = second.token) =>
  app.ask('POST', `/api/approvals/${id}/decision`, { token, json: { decision } });
const deletion = async () => `/api/parent/delete-parent/${(await app.makeFamily()).id}`;

/** Asks for a deletion; returns its address and the question. */
async function ask(url?: string): Promise<{ url: string; id: string }> {
  const asked = url ?? (await deletion());
  const answer = await send(asked);
  expect(answer).toMatchObject(wanted);
  return { url: asked, id: String(answer.body.approval) };
}

describe('while nobody wants a second person', () => {
  test('one is enough', async () => {
    expect((await send(await deletion())).status).toBe(200);
  });
});

/** An employee who was added before the rule. */
async function newcomer(): Promise<Employee> {
  await rule(false);
  const employee = await app.makeEmployee();
  await rule(true);
  return employee;
}

describe('with a second person', () => {
  beforeAll(() => rule(true));
  afterAll(() => rule(false));

  test('the call asks, a colleague agrees, the call is made once, and the log names both', async () => {
    const family = await app.makeFamily();
    const { url, id } = await ask(`/api/parent/delete-parent/${family.id}`);
    // The same press again finds the same question.
    expect((await send(url)).body.approval).toBe(id);
    const { approvals } = await app.expect(200, 'GET', '/api/approvals', { token: second.token });
    expect(approvals.find(({ _id }) => _id === id)).toMatchObject({
      action: 'deleteParent',
      subject: { kind: 'parent', _id: family.id, name: expect.any(String) },
      askedBy: { _id: manager.id, name: 'Nadia' },
      state: 'waiting',
      isOwn: false,
    });
    expect(await send(url, id)).toMatchObject(wanted);
    expect((await decide(id, 'approve')).body.approval).toMatchObject({
      state: 'approved',
      decidedBy: { name: 'Samir' },
    });
    expect((await send(url, id)).status).toBe(200);
    const token = await app.staff();
    const { entries } = await app.expect(200, 'GET', '/api/audit?limit=20', { token });
    const steps = entries.filter(({ action }) => /^approval|^parent.deleted/.test(action)).slice(0, 3);
    expect(steps.map(({ action, actor }) => [action, actor?.name])).toEqual([
      ['parent.deleted', 'Nadia'],
      ['approval.approved', 'Samir'],
      ['approval.asked', 'Nadia'],
    ]);
  });

  test.each([
    ['a colleague', async () => `/api/admin/delete-admin/${(await newcomer()).id}`],
    [
      'a child',
      async () => {
        const child = await app.makeChild(await app.makeFamily());
        return `/api/children/delete-child/${child._id}`;
      },
    ],
    ['the audit log as a file', async () => '/api/audit.csv'],
    ['attendance as a file', async () => '/api/reports/attendance.csv?period=day&date=2026-11-22'],
  ])('%s: asked, refused, and asked anew', async (_what, prepare) => {
    const { url, id } = await ask(await prepare());
    expect((await decide(id, 'refuse')).body.approval.state).toBe('refused');
    expect(await send(url, id)).toMatchObject(wanted);
    const again = await ask(url);
    expect(again.id).not.toBe(id);
    await decide(again.id, 'approve');
    expect((await send(url, again.id)).status).toBe(200);
  });

  test('a parent deletes the own child alone', async () => {
    const family = await app.makeFamily();
    const { _id } = await app.makeChild(family);
    await app.proveNow(family.token);
    await app.expect(200, 'DELETE', `/api/children/delete-child/${_id}`, { token: family.token });
  });

  test('of 100 calls with one approval, one is made', async () => {
    const { url, id } = await ask('/api/audit.csv');
    await decide(id, 'approve');
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(url, id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('an approval is for that person, that call and that query alone', async () => {
    const { url, id } = await ask('/api/reports/attendance.csv?period=day&date=2026-11-22');
    await decide(id, 'approve');
    expect(await send(await deletion(), id)).toMatchObject(wanted);
    expect(await send('/api/reports/attendance.csv?period=month&date=2026-11-22', id)).toMatchObject(wanted);
    expect(await send(url, id, second.token)).toMatchObject(wanted);
    // The order of the parameters does not matter.
    expect((await send('/api/reports/attendance.csv?date=2026-11-22&period=day', id)).status).toBe(200);
  });

  test('a call that fails gives the approval back', async () => {
    const family = await app.makeFamily();
    const child = await app.makeChild(family);
    const token = await app.staff();
    const { url, id } = await ask(`/api/children/delete-child/${child._id}`);
    await decide(id, 'approve');
    await app.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token });
    expect(await send(url, id)).toMatchObject({ status: 409, body: { code: 'child_inside' } });
    await app.expect(200, 'POST', `/api/children/checkout-child/${child._id}`, { token });
    expect((await send(url, id)).status).toBe(200);
  });

  test('who asks cannot agree, and only who asks withdraws', async () => {
    const { id } = await ask();
    expect((await decide(id, 'approve', manager.token)).status).toBe(403);
    const withdraw = (token: string) => app.ask('DELETE', `/api/approvals/${id}`, { token });
    expect((await withdraw(second.token)).status).toBe(403);
    expect((await withdraw(manager.token)).body.approval.state).toBe('withdrawn');
    expect(await decide(id, 'approve')).toMatchObject({ status: 409, body: { code: 'approval_decided' } });
  });

  test('whoever may not make the call neither sees the question nor decides', async () => {
    const teacher = await newcomer();
    const json = { roles: [{ roleId: 'teacher', facilityId: 'main' }] };
    await app.expect(200, 'PUT', `/api/admin/${teacher.id}/roles`, { token: await app.staff(), json });
    const { id } = await ask();
    const { approvals } = await app.expect(200, 'GET', '/api/approvals', { token: teacher.token });
    expect(approvals).toEqual([]);
    expect((await decide(id, 'approve', teacher.token)).status).toBe(404);
    expect((await app.ask('GET', `/api/approvals/${id}`, { token: teacher.token })).status).toBe(404);
  });

  test('nobody decides with a password that a colleague set, nor for somebody whose password they set', async () => {
    const setBy = (id: string, by: string | null) =>
      app.context.db.updateTable('staff').set({ password_set_by: by }).where('id', '=', id).execute();
    const { id } = await ask();
    // Whoever set the password can sign in as the second person.
    await setBy(second.id, manager.id);
    expect(await decide(id, 'approve')).toMatchObject({ status: 403, body: { code: 'password_not_own' } });
    await setBy(second.id, null);
    // Whoever set the password may have asked as the first.
    await setBy(manager.id, second.id);
    expect(await decide(id, 'approve')).toMatchObject({ status: 403, body: { code: 'password_not_own' } });
    expect((await decide(id, 'refuse')).status).toBe(200);
    await setBy(manager.id, null);
  });

  test('nobody adds a colleague alone who could then agree, and an approval is for that address and role', async () => {
    const add = (over: object = {}, approval?: string) =>
      app.ask('POST', '/api/admin/create-admin', {
        token: manager.token,
        json: {
          name: 'Puppet',
          email: 'puppet@haris.example',
          password: 'a-password-of-mine',
          nationalId: '29503120102991',
          ...over,
        },
        headers: approval === undefined ? {} : { [APPROVAL_HEADER]: approval },
      });
    const asked = await add();
    expect(asked).toMatchObject(wanted);
    const id = String(asked.body.approval);
    expect((await decide(id, 'approve')).body.approval).toMatchObject({
      action: 'createAdmin',
      query: { name: 'Puppet', email: 'puppet@haris.example', roleId: 'manager' },
      state: 'approved',
    });
    for (const other of [{ email: 'other@haris.example' }, { roleId: 'teacher' }, { name: 'Other' }])
      expect(await add(other, id)).toMatchObject(wanted);
    expect((await add({}, id)).status).toBe(201);
    expect(await add({ email: 'again@haris.example' }, id)).toMatchObject(wanted);
  });

  test('nobody moves a colleague to an own mailbox alone, and an approval is for that address', async () => {
    const { id: member } = await newcomer();
    const move = (email: string, approval?: string) =>
      app.ask('PUT', `/api/admin/${member}/email`, {
        token: manager.token,
        json: { email },
        headers: approval === undefined ? {} : { [APPROVAL_HEADER]: approval },
      });
    const asked = await move('mine@haris.example');
    expect(asked).toMatchObject(wanted);
    const id = String(asked.body.approval);
    expect((await decide(id, 'approve')).body.approval).toMatchObject({
      action: 'changeStaffEmail',
      subject: { kind: 'admin', _id: member },
      query: { email: 'mine@haris.example' },
    });
    expect(await move('another@haris.example', id)).toMatchObject(wanted);
    expect((await move('mine@haris.example', id)).status).toBe(200);
    expect(await move('mine@haris.example', id)).toMatchObject(wanted);
  });

  test('a decision needs a proof, and a question and its approval hold half an hour', async () => {
    const { url, id } = await ask();
    app.clock.advance(PROOF_MS);
    expect((await decide(id, 'approve')).body.code).toBe('proof_required');
    await app.proveNow(second.token);
    app.clock.advance(APPROVAL_MS - PROOF_MS);
    await app.proveNow(second.token);
    expect((await decide(id, 'approve')).body.code).toBe('approval_decided');
    await app.proveNow(manager.token);
    const late = await ask(url);
    expect(late.id).not.toBe(id);
    await decide(late.id, 'approve');
    app.clock.advance(APPROVAL_MS);
    await app.proveNow(manager.token);
    expect(await send(url, late.id)).toMatchObject(wanted);
    const { approval } = await app.expect(200, 'GET', `/api/approvals/${late.id}`, { token: manager.token });
    expect(approval.state).toBe('expired');
  });

  test('after the clock was set back an approval does not hold longer than half an hour', async () => {
    const { url, id } = await ask();
    expect((await decide(id, 'approve')).status).toBe(200);
    app.clock.advance(-2 * APPROVAL_MS);
    await app.proveNow(manager.token);
    const refused = await send(url, id);
    app.clock.advance(2 * APPROVAL_MS);
    expect(refused).toMatchObject(wanted);
    await app.proveNow(manager.token);
    expect((await send(url, id)).status).toBe(200);
  });

  test('of one person, at most 20 questions wait', async () => {
    const asker = await newcomer();
    const sent = [];
    for (let one = 0; one < 21; one++)
      sent.push(await send(`/api/audit.csv?search=${one}`, undefined, asker.token));
    expect(sent.map(({ status }) => status)).toEqual([...Array(20).fill(403), 429]);
  });
});

test('the owner switches it on with a colleague, and off only with that colleague', async () => {
  const owner = await app.staff();
  const put = (secondPerson: boolean, approval?: string, revision?: string) =>
    app.ask('PUT', '/api/settings', {
      token: owner,
      json: { secondPerson, revision },
      headers: approval === undefined ? {} : { [APPROVAL_HEADER]: approval },
    });
  expect(await put(true)).toMatchObject({ status: 409, body: { code: 'no_second_person' } });
  const partner = await app.makeEmployee();
  const json = { roles: [{ roleId: 'owner', facilityId: null }] };
  await app.expect(200, 'PUT', `/api/admin/${partner.id}/roles`, { token: owner, json });
  expect((await put(true)).body.settings.secondPerson).toBe(true);
  const asked = await put(false);
  expect(asked).toMatchObject(wanted);
  const id = String(asked.body.approval);
  expect((await decide(id, 'approve', manager.token)).status).toBe(404);
  expect((await decide(id, 'approve', partner.token)).status).toBe(200);
  // A call that fails gives the approval back.
  expect(await put(false, id, 'of yesterday')).toMatchObject({
    status: 409,
    body: { code: 'settings_changed' },
  });
  expect((await put(false, id)).body.settings.secondPerson).toBe(false);
});
