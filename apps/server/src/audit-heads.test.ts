/** Heads outside the database detect a log that was cut back to an older head, and accept a restore. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditHeadsFile, openAuditHeadKeeper } from './audit-heads.ts';
import { findAuditHead, verifyAuditTrail } from './db/audit.ts';
import { freshDb } from './testing/database.ts';
import { startTestApp, type TestApp, testDialect } from './testing/harness.ts';
import { compileCache, NO_VISION, startProgram } from './testing/program.ts';

let app: TestApp;
let scratch: string;
beforeEach(async () => {
  app = await startTestApp({ config: { AUDIT_MAIL_TO: 'director@haris.test' } });
  scratch = mkdtempSync(join(tmpdir(), 'haris-heads-'));
});
afterEach(async () => {
  await app.close();
  rmSync(scratch, { recursive: true, force: true });
});

function run(
  program: string,
  words: readonly string[] = [],
  env: Readonly<Record<string, string>> = app.env,
): { status: number | null; text: string } {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...words], {
    env: { PATH: process.env.PATH, ...compileCache, ...env },
    encoding: 'utf8',
    cwd: scratch,
  });
  return { status, text: `${stdout}${stderr}` };
}
const verify = (words: readonly string[] = [], env = app.env) => run('./audit-verify.ts', words, env);
const file = () => auditHeadsFile(app.dataDir);
const lines = () => readFileSync(file(), 'utf8').trim().split('\n');

async function headRow() {
  return app.context.db.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow();
}

/**
 * Restores a head that the attacker copied and deletes the later rows: with access to the database, but without the key.
 */
async function cutBackTo(head: Awaited<ReturnType<typeof headRow>>): Promise<void> {
  const { db } = app.context;
  if (testDialect === 'postgres') await sql`alter table audit_log disable trigger all`.execute(db);
  else await sql`drop trigger audit_log_no_delete`.execute(db);
  await db.deleteFrom('audit_log').where('seq', '>', head.seq).execute();
  await db.updateTable('audit_head').set(head).execute();
}

/** A check-in and a checkout, which the attacker wants to hide. */
async function checkOutChild(): Promise<void> {
  const token = await app.staff();
  const child = await app.makeChild(await app.makeFamily());
  await app.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token });
  await app.expect(200, 'POST', `/api/children/checkout-child/${child._id}`, { token });
}

test('a log that was cut back to a head of before is noticed, and the first missing row is named', async () => {
  const keeper = openAuditHeadKeeper(app.context);
  await app.staff();
  const before = await headRow();
  await checkOutChild();
  await keeper.keep();
  const { seq } = await headRow();
  expect(verify()).toEqual({ status: 0, text: `The audit log is whole: ${seq} rows.\n` });

  await cutBackTo(before);
  // Within the database, everything is consistent.
  const inside = await verifyAuditTrail(app.context.db, app.context.vault);
  expect(inside).toEqual({ whole: true, rows: before.seq });
  const at = new Date(app.clock.now()).toISOString();
  expect(verify()).toEqual({
    status: 1,
    text: `The audit log is broken at row ${before.seq + 1}: the row is missing: at ${at} there were ${seq}.\n`,
  });

  // The running server detects it too, and later rows do not hide it.
  await keeper.keep();
  expect(app.logLines.join('\n')).toContain('the audit log ends before a head that was kept');
  while ((await headRow()).seq <= seq) await checkOutChild();
  await keeper.keep();
  expect(verify()).toEqual({
    status: 1,
    text: expect.stringMatching(
      new RegExp(`broken at row (${seq}): it is not the row that was kept at ${at}`),
    ),
  });
});

test('where the file is gone as well, the lines of the log and of the daily mail tell', async () => {
  await checkOutChild();
  const before = await headRow();
  await checkOutChild();
  await openAuditHeadKeeper(app.context).keep();
  const mail = await app.lastMail('director@haris.test');
  await cutBackTo(before);
  rmSync(file());
  expect(verify().status).toBe(0);
  const texts = { mail: mail.text, log: app.logLines.join('\n') };
  for (const [name, text] of Object.entries(texts)) {
    const kept = join(scratch, `${name}.txt`);
    writeFileSync(kept, text);
    expect(verify(['--heads', kept]), name).toMatchObject({ status: 1 });
  }
});

test('a line is written only when the log has grown, on disk and for this user alone', async () => {
  const keeper = openAuditHeadKeeper(app.context);
  await keeper.keep();
  await keeper.keep();
  expect(lines()).toHaveLength(1);
  await app.staff();
  await keeper.keep();
  await openAuditHeadKeeper(app.context).keep();
  expect(lines()).toHaveLength(2);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  // A line that a power cut left incomplete does not corrupt the others.
  appendFileSync(file(), '{"at":"2026-');
  await checkOutChild();
  await keeper.keep();
  expect(lines()).toHaveLength(4);
  expect(verify().status).toBe(0);
});

test('a line that somebody without the key wrote is noticed', async () => {
  await openAuditHeadKeeper(app.context).keep();
  const forged = { ...JSON.parse(lines()[0] ?? ''), kind: 'restored', seq: 1 };
  appendFileSync(file(), `${JSON.stringify(forged)}\n`);
  expect(verify()).toEqual({
    status: 1,
    text: 'The audit log is broken outside the database: 1 of the kept heads were not written by this Haris.\n',
  });
});

test('the mail comes once a day, from one of several servers', async () => {
  const keepers = [openAuditHeadKeeper(app.context), openAuditHeadKeeper(app.context)];
  for (let day = 0; day < 2; day++) {
    for (let n = 0; n < 2; n++) {
      await app.signIn('admin', 'first@haris.test', 'first-password');
      for (const keeper of keepers) await keeper.keep();
    }
    app.clock.advance(24 * 3_600_000);
  }
  const mails = await app.outbox('director@haris.test');
  expect(mails.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Haris audit log: row \d+ on 2026-11-20$/),
    expect.stringMatching(/^Haris audit log: row \d+ on 2026-11-21$/),
  ]);
});

test('a restore may end the log earlier: it leaves a line of its own', async () => {
  const keeper = openAuditHeadKeeper(app.context);
  await checkOutChild();
  await keeper.keep();
  const backup = join(scratch, 'backup');
  expect(run('./backup/backup.ts', [backup]).status).toBe(0);
  await checkOutChild();
  await keeper.keep();
  const database = await freshDb();
  try {
    const dataDir = join(scratch, 'restored');
    mkdirSync(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
    copyFileSync(join(app.dataDir, 'keys', 'master.key'), join(dataDir, 'keys', 'master.key'));
    copyFileSync(file(), auditHeadsFile(dataDir));
    const env = { DATA_DIR: dataDir, ...(database.url ? { DATABASE_URL: database.url } : {}) };
    expect(run('./backup/restore.ts', [backup], env)).toMatchObject({ status: 0 });
    expect(verify([], env)).toMatchObject({ status: 0 });
    // The operator confirms a restore by other means.
    copyFileSync(file(), auditHeadsFile(dataDir));
    expect(verify([], env)).toMatchObject({ status: 1 });
    expect(verify(['--restored'], env)).toMatchObject({ status: 0 });
    expect(verify([], env)).toMatchObject({ status: 0 });
  } finally {
    await database.drop();
  }
});

test('the program keeps the head while it runs and when it stops', async () => {
  const database = await freshDb();
  try {
    const env = {
      DATA_DIR: join(scratch, 'program'),
      ADMIN_EMAIL: 'first@haris.test',
      ADMIN_PASSWORD: 'first-password',
      ...NO_VISION,
      ...(database.url ? { DATABASE_URL: database.url } : {}),
    };
    const program = await startProgram(env);
    try {
      await expect.poll(() => existsSync(auditHeadsFile(env.DATA_DIR)), { timeout: 240_000 }).toBe(true);
      const answer = await fetch(`${program.url}/api/admin/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD }),
      });
      expect(answer.status).toBe(200);
      program.kill('SIGTERM');
      expect(await program.ended).toMatchObject({ code: 0 });
    } finally {
      program.kill('SIGKILL');
      await program.ended;
    }
    const kept = readFileSync(auditHeadsFile(env.DATA_DIR), 'utf8').trim().split('\n');
    expect(kept.map((line) => JSON.parse(line).seq)).toEqual([1, 2]);
    expect(verify([], env)).toEqual({ status: 0, text: 'The audit log is whole: 2 rows.\n' });
  } finally {
    await database.drop();
  }
});

test('of two heads that were kept of one row the first counts, unless the later is of a restore', async () => {
  await app.staff();
  const { db, vault } = app.context;
  const head = await findAuditHead(db, vault);
  if (!head) throw new Error('the log is empty');
  const now = { ...head, at: '2026-01-02T00:00:00.000Z', kind: 'head' } as const;
  const before = { ...now, hash: 'of another row', at: '2026-01-01T00:00:00.000Z' } as const;
  expect(await verifyAuditTrail(db, vault, [now])).toMatchObject({ whole: true });
  expect(await verifyAuditTrail(db, vault, [before, now])).toMatchObject({ whole: false, seq: head.seq });
  const restored = { ...now, kind: 'restored' } as const;
  expect(await verifyAuditTrail(db, vault, [before, restored])).toMatchObject({ whole: true });
});

test('a head that was not written by us is not kept', async () => {
  await app.staff();
  await app.context.db.updateTable('audit_head').set({ mac: 'x' }).execute();
  expect(await findAuditHead(app.context.db, app.context.vault)).toBeNull();
  await openAuditHeadKeeper(app.context).keep();
  expect(existsSync(file())).toBe(false);
});
