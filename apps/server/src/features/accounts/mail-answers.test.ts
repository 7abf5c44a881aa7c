/** What answers say about a mail: sent, or what to do instead while no mail is sent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loginPath, makeNationalId, startTestApp, type TestApp } from '../../testing/harness.ts';
import { openSmtpPost, type SmtpPost } from '../../testing/smtp-server.ts';

let post: SmtpPost;
let silent: TestApp;
let sending: TestApp;
beforeAll(async () => {
  post = await openSmtpPost();
  silent = await startTestApp();
  sending = await startTestApp({
    config: { SMTP_URL: `smtp://127.0.0.1:${post.port}`, MAIL_FROM: 'desk@nursery.example' },
  });
});
afterAll(async () => {
  await silent.close();
  await sending.close();
  await post.close();
});

const SENT = /sent (you|it) a|in the email we have sent|was mailed|link we have sent/;

/** The messages of all calls that make a link, to a visitor and to staff. */
async function answersOf(app: TestApp): Promise<string[]> {
  const staff = await app.staff();
  const mother = { name: 'Mother', email: 'mother@family.test', phone: '01112345678', password: 'by-mother' };
  const employee = {
    name: 'Nadia',
    email: 'nadia@haris.test',
    password: 'a-staff-password',
    nationalId: makeNationalId(),
  };
  const registered = await app.expect(201, 'POST', '/api/parent/add', { json: mother });
  const { admin } = await app.expect(201, 'POST', '/api/admin/create-admin', {
    token: staff,
    json: employee,
  });
  const signIns = [
    await app.ask('POST', loginPath.parent, { json: mother }),
    await app.ask('POST', loginPath.admin, { json: employee }),
  ];
  expect(signIns.map(({ status, body }) => [status, body.code])).toEqual([
    [403, 'email_not_verified'],
    [403, 'email_not_verified'],
  ]);
  const forgot = async (email: string) => app.expect(200, 'POST', '/vendor/forgot', { json: { email } });
  const [known, unknown] = [await forgot(mother.email), await forgot('nobody@family.test')];
  // The answer tells no stranger who has an account.
  expect(unknown).toEqual(known);
  app.clock.advance(6 * 60_000);
  const json = { browserKey: registered.browserKey };
  const again = await app.expect(200, 'POST', '/api/parent/resend-link', { json });
  app.clock.advance(6 * 60_000);
  const token = await app.staff();
  const resent = [
    await app.expect(200, 'POST', `/api/parent/resend-verification/${registered.parent._id}`, { token }),
    await app.expect(200, 'POST', `/api/admin/resend-verification/${admin._id}`, { token }),
  ];
  await app.proveNow(token);
  const moved = await app.expect(200, 'PUT', `/api/parent/update-parent/${registered.parent._id}`, {
    token,
    json: { email: 'moved@family.test' },
  });
  return [registered, ...signIns.map(({ body }) => body), known, again, ...resent, moved].map(
    ({ message }) => message,
  );
}

test('with a mail server each says that a mail was sent', async () => {
  for (const message of (await answersOf(sending)).filter((one) => !one.startsWith('Please verify')))
    expect(message).toMatch(SENT);
});

test('without one none does; they name the desk, an administrator or the missing server', async () => {
  const messages = await answersOf(silent);
  expect(messages).toHaveLength(8);
  for (const message of messages) {
    expect(message.replace('not mailed', '')).not.toMatch(/sent (you|it)|was mailed|have sent/);
    expect(message).toMatch(/desk|administrator|no mail server/);
  }
});
