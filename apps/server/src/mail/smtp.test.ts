/** Mails through a real SMTP server on the loopback, also while it is unreachable. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/harness.ts';
import { openEndlessPost, openSmtpPost, type SmtpPost } from '../testing/smtp-server.ts';

const MINUTE = 60_000;

let post: SmtpPost;
let app: TestApp;
let n = 0;
beforeAll(async () => {
  post = await openSmtpPost();
  app = await startTestApp({
    config: { SMTP_URL: `smtp://127.0.0.1:${post.port}`, MAIL_FROM: 'حارس Haris <desk@haris.test>' },
  });
});
afterAll(async () => {
  await app.close();
  await post.close();
});
afterEach(() => {
  post.refuse = null;
});

const within = { timeout: 240_000, interval: 20 };

/** Registers a parent, which enqueues a mail and kicks the queue. */
async function register(): Promise<string> {
  const email = `mail${++n}@family.test`;
  const json = { name: 'منى', email, phone: '01112345678', password: 'secret-6', language: 'ar' };
  await app.expect(201, 'POST', '/api/parent/add', { json });
  return email;
}
const waiting = async () => (await app.context.db.selectFrom('mails').selectAll().execute()).length;
const mailsTo = (email: string) => post.mails.filter(({ to }) => to === email);

test('a mail goes through the server, with both parts, and its link works', async () => {
  const email = await register();
  await expect.poll(() => mailsTo(email).length, within).toBe(1);
  const [mail] = mailsTo(email);
  expect(post.envelopes.at(-1)).toEqual({ from: 'desk@haris.test', to: [email] });
  expect(mail).toMatchObject({
    subject: 'تأكيد بريدك الإلكتروني في حارس',
    text: expect.stringContaining('مرحبًا،'),
  });
  expect(mail?.html).toContain('dir="rtl"');
  expect(mail?.parsed.from).toMatchObject({ address: 'desk@haris.test', name: 'حارس Haris' });
  expect((await app.ask('GET', `/api/parent/verify/email/${mail?.token}`)).status).toBe(200);
  await expect.poll(waiting, within).toBe(0);
  expect(await app.outbox()).toEqual([]);
});

test('while the server refuses, the mail waits, sealed, and is sent later, once', async () => {
  post.refuse = 'come back later';
  const email = await register();
  await expect
    .poll(() => app.logLines.filter((line) => line.includes('a mail was not sent')).length, within)
    .toBe(1);
  const [row] = await app.context.db.selectFrom('mails').selectAll().execute();
  expect(row).toMatchObject({ attempts: 1, failed_at: null });
  expect(row?.next_try_at).toBe(app.clock.now() + 30_000);
  expect(Buffer.from(row?.sealed ?? []).includes(email)).toBe(false);
  post.refuse = null;
  // Not before its time.
  const other = await register();
  await expect.poll(() => mailsTo(other).length, within).toBe(1);
  expect(mailsTo(email)).toEqual([]);
  app.clock.advance(30_000);
  await register();
  await expect.poll(() => mailsTo(email).length, within).toBe(1);
  await expect.poll(waiting, within).toBe(0);
});

test('the server is down, then back: the pauses grow, the mail arrives', async () => {
  const { port } = post;
  await post.close();
  const email = await register();
  const tries = async () =>
    (
      await app.context.db
        .selectFrom('mails')
        .select(['attempts', 'next_try_at'])
        .orderBy('created_at')
        .execute()
    )[0];
  await expect.poll(async () => (await tries())?.attempts, within).toBe(1);
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 3; attempt++) {
    const now = app.clock.now();
    await expect
      .poll(async () => Number((await tries())?.next_try_at) - now, within)
      .toBe(30_000 * 2 ** (attempt - 1));
    pauses.push(Number((await tries())?.next_try_at) - now);
    app.clock.advance(pauses.at(-1) ?? 0);
    if (attempt === 3) break;
    await register();
    await expect.poll(async () => (await tries())?.attempts, within).toBe(attempt + 1);
  }
  expect(pauses).toEqual([30_000, 60_000, 120_000]);
  post = await openSmtpPost(port);
  // An attempt in progress while the server came back may have failed and waits again.
  await expect
    .poll(
      async () => {
        app.clock.advance(60 * MINUTE);
        await register();
        return mailsTo(email).length;
      },
      { ...within, interval: 500 },
    )
    .toBe(1);
  await expect.poll(waiting, within).toBe(0);
  expect(mailsTo(email)).toHaveLength(1);
});

test('registering does not wait for a server that never finishes its answer', async () => {
  const endless = await openEndlessPost();
  const other = await startTestApp({ config: { SMTP_URL: `smtp://127.0.0.1:${endless.port}` } });
  try {
    const json = { name: 'Mona', email: 'endless@family.test', phone: '01112345678', password: 'secret-6' };
    await other.expect(201, 'POST', '/api/parent/add', { json });
    // It was answered first: the one attempt that there is has not ended.
    expect(await other.context.db.selectFrom('mails').select('id').execute()).toHaveLength(1);
    expect(other.logLines.filter((line) => line.includes('a mail was not sent'))).toEqual([]);
    await expect.poll(() => endless.answering, within).toBe(1);
  } finally {
    await endless.close();
    await other.close();
  }
});

test('a server elsewhere that offers no TLS gets no mail, unless the settings allow it', async () => {
  for (const allowed of ['no', 'yes']) {
    // Resolves to this machine, but the name does not show it.
    const SMTP_URL = `smtp://0.0.0.0:${post.port}`;
    const other = await startTestApp({ config: { SMTP_URL, SMTP_WITHOUT_TLS: allowed } });
    try {
      const email = `without-tls-${allowed}@family.test`;
      const json = { name: 'Mona', email, phone: '01112345678', password: 'secret-6' };
      await other.expect(201, 'POST', '/api/parent/add', { json });
      const tried = () => other.logLines.filter((line) => line.includes('a mail was not sent')).length;
      if (allowed === 'yes') await expect.poll(() => mailsTo(email).length, within).toBe(1);
      else await expect.poll(tried, within).toBe(1);
      expect(mailsTo(email)).toHaveLength(allowed === 'yes' ? 1 : 0);
    } finally {
      await other.close();
    }
  }
});

test('no log line names who was written to', () => {
  expect(app.logLines.join('\n')).not.toMatch(/mail\d+@family|منى/);
});
