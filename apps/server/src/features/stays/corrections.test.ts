/** Undoing a mistaken check-in or checkout within ten seconds: recorded as a correction, with an event. */
import { UNDO_GRACE_SECONDS, UNDO_WINDOW_SECONDS } from '@haris/contract/constants';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { announceTimeUp } from './service.ts';

const WITHIN_MS = (UNDO_WINDOW_SECONDS + UNDO_GRACE_SECONDS) * 1000;

let app: TestApp;
let staff: string;
let family: Family;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  family = await app.makeFamily();
});
afterAll(() => app.close());

const newChild = async () => (await app.makeChild(family))._id;

async function checkIn(id: string, durationInMinutes = 30): Promise<string> {
  const url = `/api/children/checkin-child/${id}`;
  const { child } = await app.expect(200, 'POST', url, { token: staff, json: { durationInMinutes } });
  app.clock.advance(1000);
  return String(child.uniqueEntryId);
}

async function checkOut(id: string): Promise<void> {
  await app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });
  app.clock.advance(1000);
}

const undo = (what: 'checkin' | 'checkout', id: string, uniqueEntryId: string, key?: string, token = staff) =>
  app.ask('POST', `/api/children/undo-${what}-child/${id}`, {
    token,
    json: { uniqueEntryId },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });

const staysOf = (id: string) =>
  app.context.db.selectFrom('stays').selectAll().where('child_id', '=', id).orderBy('entry_time').execute();

const correctionsOf = (id: string) =>
  app.context.db
    .selectFrom('stay_corrections')
    .innerJoin('stays', 'stays.id', 'stay_corrections.stay_id')
    .selectAll('stay_corrections')
    .where('stays.child_id', '=', id)
    .orderBy('corrected_at')
    .execute();

const toldOf = async (id: string) =>
  (
    await app.context.db
      .selectFrom('events')
      .select('type')
      .where('child_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ type }) => type);

const auditOf = async (id: string) => {
  const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${id}`, { token: staff });
  return entries.map(({ action, actor }) => `${action} ${actor?.kind}`);
};

const statuses = (answers: Answer[]) =>
  answers.map(({ status, body }) => (status === 200 ? '200' : `${status} ${body.code}`)).sort();

describe('a check-in that was undone', () => {
  test('is void: the child is outside, and the stay is kept with who undid it and when', async () => {
    const id = await newChild();
    const entryId = await checkIn(id, 60);
    const answer = await undo('checkin', id, entryId);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        message: 'Check-in undone',
        child: { _id: id, isInside: false, status: 'Outside', entryTime: null, uniqueEntryId: null },
      },
    });
    const now = app.clock.now();
    const { admin } = await app.expect(200, 'GET', '/api/admin/info', { token: staff });
    const [stay] = await staysOf(id);
    expect(stay).toMatchObject({ exit_time: now, voided_at: now, checked_out_by: admin._id, duration: 60 });
    expect(await correctionsOf(id)).toMatchObject([
      {
        stay_id: stay?.id,
        kind: 'check_in_undone',
        corrected_by: admin._id,
        corrected_at: now,
        exit_time_before: null,
        checked_out_by_before: null,
        time_up_at_before: null,
        entry_time_before: null,
      },
    ]);
    expect((await toldOf(id)).slice(-2)).toEqual(['child.checked_in', 'child.check_in_undone']);
    expect((await auditOf(id))[0]).toBe('child.check_in_undone admin');
    expect(JSON.stringify(await app.expect(200, 'GET', '/api/audit', { token: staff }))).not.toContain(
      entryId,
    );
  });

  test('is no visit in any report', async () => {
    const id = await newChild();
    const report = async () =>
      (await app.ask('GET', `/api/reports/attendance?childId=${id}`, { token: staff })).body.total;
    const entryId = await checkIn(id);
    expect(await report()).toBe(1);
    await undo('checkin', id, entryId);
    expect(await report()).toBe(0);
  });

  test('leaves the child free to come in, and to be deleted', async () => {
    const id = await newChild();
    await undo('checkin', id, await checkIn(id));
    await undo('checkin', id, await checkIn(id));
    expect((await staysOf(id)).map(({ voided_at }) => voided_at !== null)).toEqual([true, true]);
    await app.expect(200, 'DELETE', `/api/children/delete-child/${id}`, { token: staff });
  });

  test('is never said to be over time', async () => {
    const id = await newChild();
    await undo('checkin', id, await checkIn(id));
    app.clock.advance(31 * 60_000);
    await announceTimeUp(app.context);
    expect(await toldOf(id)).not.toContain('child.time_up');
  });

  test('cannot be undone again, nor checked out, nor its checkout undone', async () => {
    const id = await newChild();
    const entryId = await checkIn(id);
    await undo('checkin', id, entryId);
    expect(statuses([await undo('checkin', id, entryId)])).toEqual(['409 nothing_to_undo']);
    expect(statuses([await undo('checkout', id, entryId)])).toEqual(['409 nothing_to_undo']);
    const out = await app.ask('POST', `/api/children/checkout-child/${id}`, { token: staff });
    expect(out.body.code).toBe('not_inside');
    expect(await correctionsOf(id)).toHaveLength(1);
  });

  test('was not checked out before: then there is nothing to undo', async () => {
    const id = await newChild();
    const entryId = await checkIn(id);
    await checkOut(id);
    expect(statuses([await undo('checkin', id, entryId)])).toEqual(['409 nothing_to_undo']);
    expect((await staysOf(id))[0]?.voided_at).toBeNull();
  });
});

describe('a checkout that was undone', () => {
  test('opens the same stay again, and what it said before is kept', async () => {
    const id = await newChild();
    const entered = app.clock.now();
    const entryId = await checkIn(id, 120);
    app.clock.advance(20 * 60_000);
    await checkOut(id);
    const left = app.clock.now() - 1000;
    const answer = await undo('checkout', id, entryId);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        message: 'Checkout undone',
        child: {
          isInside: true,
          entryTime: new Date(entered).toISOString(),
          duration: 120,
          uniqueEntryId: entryId,
        },
      },
    });
    expect(await staysOf(id)).toMatchObject([{ exit_time: null, checked_out_by: null, voided_at: null }]);
    const { admin } = await app.expect(200, 'GET', '/api/admin/info', { token: staff });
    expect(await correctionsOf(id)).toMatchObject([
      { kind: 'checkout_undone', exit_time_before: left, checked_out_by_before: admin._id },
    ]);
    expect((await toldOf(id)).slice(-2)).toEqual(['child.checked_out', 'child.checkout_undone']);
    expect((await auditOf(id))[0]).toBe('child.checkout_undone admin');
  });

  test('may be done and undone again', async () => {
    const id = await newChild();
    const entryId = await checkIn(id);
    for (let i = 0; i < 3; i++) {
      await checkOut(id);
      expect((await undo('checkout', id, entryId)).status).toBe(200);
    }
    expect(await correctionsOf(id)).toHaveLength(3);
    expect(await staysOf(id)).toHaveLength(1);
  });

  test('is refused once the child has come in anew', async () => {
    const id = await newChild();
    const first = await checkIn(id);
    await checkOut(id);
    const second = await checkIn(id);
    expect(statuses([await undo('checkout', id, first)])).toEqual(['409 already_inside']);
    await checkOut(id);
    expect(statuses([await undo('checkout', id, first)])).toEqual(['409 nothing_to_undo']);
    expect((await undo('checkout', id, second)).status).toBe(200);
  });

  test('is allowed when the new check-in was itself a mistake', async () => {
    const id = await newChild();
    const first = await checkIn(id);
    await checkOut(id);
    await undo('checkin', id, await checkIn(id));
    expect((await undo('checkout', id, first)).body.child.uniqueEntryId).toBe(first);
  });

  test('of a child that never left is refused', async () => {
    const id = await newChild();
    const entryId = await checkIn(id);
    expect(statuses([await undo('checkout', id, entryId)])).toEqual(['409 nothing_to_undo']);
  });

  test('says that time is up if it ran out in between, and says it once', async () => {
    const id = await newChild();
    const entryId = await checkIn(id, 30);
    app.clock.advance(30 * 60_000 - 3000);
    await checkOut(id);
    app.clock.advance(3000);
    await announceTimeUp(app.context);
    expect(await toldOf(id)).not.toContain('child.time_up');
    expect((await undo('checkout', id, entryId)).status).toBe(200);
    await announceTimeUp(app.context);
    await checkOut(id);
    expect((await undo('checkout', id, entryId)).status).toBe(200);
    await announceTimeUp(app.context);
    expect((await toldOf(id)).filter((type) => type === 'child.time_up')).toHaveLength(1);
  });
});

describe('undoing', () => {
  test('is possible for ten seconds and a little grace, and then too late', async () => {
    const [id, other] = [await newChild(), await newChild()];
    const entryId = await checkIn(id);
    app.clock.advance(WITHIN_MS - 1000);
    expect((await undo('checkin', id, entryId)).status).toBe(200);
    const late = await checkIn(other);
    app.clock.advance(WITHIN_MS - 999);
    expect(await undo('checkin', other, late)).toMatchObject({
      status: 409,
      body: { code: 'undo_too_late', message: 'It is too late to undo this.' },
    });
    await checkOut(other);
    app.clock.advance(WITHIN_MS - 999);
    expect(statuses([await undo('checkout', other, late)])).toEqual(['409 undo_too_late']);
    expect(await correctionsOf(other)).toEqual([]);
  });

  test('is too late once the clock was set back: nobody knows how long ago the step was', async () => {
    const [id, other] = [await newChild(), await newChild()];
    const left = await checkIn(other);
    await checkOut(other);
    const entered = await checkIn(id);
    const undoBoth = async () => [await undo('checkin', id, entered), await undo('checkout', other, left)];
    // The steps were one and two seconds ago.
    app.clock.advance(-2001);
    expect(statuses(await undoBoth())).toEqual(Array(2).fill('409 undo_too_late'));
    app.clock.advance(2001);
    expect(statuses(await undoBoth())).toEqual(Array(2).fill('200'));
  });

  test('by twenty desks at once is done once', async () => {
    const id = await newChild();
    const other = await app.makeEmployee();
    const entryId = await checkIn(id);
    await checkOut(id);
    for (const what of ['checkout', 'checkin'] as const) {
      const desks = Array.from({ length: 20 }, (_, i) =>
        undo(what, id, entryId, undefined, i % 2 === 0 ? staff : other.token),
      );
      expect(statuses(await Promise.all(desks))).toEqual(
        ['200', ...Array(19).fill('409 nothing_to_undo')].sort(),
      );
      // The check-in of a reopened stay may still be undone within its own limit.
      if (what === 'checkout') expect((await staysOf(id))[0]?.exit_time).toBeNull();
    }
    expect(await correctionsOf(id)).toHaveLength(2);
  });

  test('against a checkout and a check-in at once leaves at most one open stay', async () => {
    const id = await newChild();
    for (let i = 0; i < 5; i++) {
      const entryId = await checkIn(id);
      await checkOut(id);
      await Promise.all([
        undo('checkout', id, entryId),
        app.ask('POST', `/api/children/checkin-child/${id}`, { token: staff }),
        undo('checkout', id, entryId),
      ]);
      expect((await staysOf(id)).filter(({ exit_time }) => exit_time === null)).toHaveLength(1);
      app.clock.advance(1000);
      await checkOut(id);
    }
  });

  test('with the same key answers the same and is done once', async () => {
    const id = await newChild();
    const entryId = await checkIn(id);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => undo('checkin', id, entryId, `undo-${id}`)),
    );
    expect(statuses(answers)).toEqual(Array(5).fill('200'));
    expect(await correctionsOf(id)).toHaveLength(1);
    expect(statuses([await undo('checkout', id, entryId, `undo-${id}`)])).toEqual([
      '409 idempotency_key_reused',
    ]);
  });

  test('knows only the entries of that child', async () => {
    const [id, other] = [await newChild(), await newChild()];
    const entryId = await checkIn(id);
    const unknown = 'x'.repeat(43);
    for (const what of ['checkin', 'checkout'] as const) {
      expect((await undo(what, other, entryId)).status).toBe(404);
      expect((await undo(what, id, unknown)).status).toBe(404);
    }
    expect((await staysOf(id))[0]?.exit_time).toBeNull();
  });

  test('needs an entry code', async () => {
    const id = await newChild();
    for (const [wrong, message] of [
      [undefined, 'The entry code is required'],
      [7, 'The entry code is required'],
      ['', 'This is not an entry code'],
      ['x'.repeat(44), 'This is not an entry code'],
      ["' or 1=1 --", 'This is not an entry code'],
    ] as const)
      expect(
        await app.ask('POST', `/api/children/undo-checkin-child/${id}`, {
          token: staff,
          json: { uniqueEntryId: wrong },
        }),
      ).toMatchObject({ status: 400, body: { fields: { uniqueEntryId: message } } });
  });

  test('is seen by the parent of the child and by no other', async () => {
    const other = await app.makeFamily();
    const id = await newChild();
    const entryId = await checkIn(id);
    const inside = async (token: string) =>
      (await app.expect(200, 'GET', '/api/children/get-all-children?limit=200', { token })).children.find(
        ({ _id }) => _id === id,
      )?.isInside;
    expect(await inside(family.token)).toBe(true);
    await undo('checkin', id, entryId);
    expect(await inside(family.token)).toBe(false);
    expect(await inside(other.token)).toBeUndefined();
    expect((await undo('checkin', id, entryId, undefined, family.token)).status).toBe(403);
  });
});
