/** Every mail names the facility that writes: subject, text, both parts' frames and the sender. */
import type { Language } from '@haris/contract/fields';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { atFacility, makeFacility, manageAt } from '../testing/at-facility.ts';
import { fakePhoto } from '../testing/fake-vision.ts';
import { startTestApp, type TestApp } from '../testing/harness.ts';
import { accountMailTexts, type MailKind } from './account-texts.ts';
import { composeAuditHeadMail, composeMail, composeNotificationMail } from './templates.ts';

const NAME = 'Sunflower Nursery';

let app: TestApp;
let n = 0;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
afterEach(() => app.forgetLimits());

async function nameIt(facilityName: string | null): Promise<void> {
  await app.expect(200, 'PUT', '/api/settings', { token: await app.staff(), json: { facilityName } });
}

/** Registers a parent without a session; returns the mail. */
async function register(language: Language = 'en') {
  const email = `newcomer${++n}@family.test`;
  const json = { name: 'Mona', email, phone: '01112345678', password: 'secret-6', language };
  await app.expect(201, 'POST', '/api/parent/add', { json });
  return app.lastMail(email);
}

test('while there is no name, the product’s stands in its place', async () => {
  await nameIt(null);
  const mail = await register();
  expect(mail.subject).toBe('Verify your email for Haris');
  expect(mail.text).toContain('Somebody registered an account in Haris with this address.');
  expect(mail.text).toMatch(/\n— Haris حارس\s*$/);
  expect(mail.parsed.from).toMatchObject({ name: 'Haris', address: 'haris@localhost' });
});

test('somebody who has never heard of Haris reads whose account it is', async () => {
  await nameIt(NAME);
  const mail = await register();
  expect(mail.subject).toBe('Verify your email for Sunflower Nursery (Haris)');
  expect(mail.text).toContain('registered an account at Sunflower Nursery (Haris) with this address.');
  expect(mail.text).toMatch(/\n— Sunflower Nursery\nHaris حارس\s*$/);
  expect(mail.html).toContain('>Sunflower Nursery</p>');
  expect(mail.parsed.from).toMatchObject({ name: NAME, address: 'haris@localhost' });
  // A name in other letters stays together.
  const arabic = await register('ar');
  expect(arabic.subject).toBe('تأكيد بريدك الإلكتروني في \u2068Sunflower Nursery\u2069 (حارس)');
  await nameIt('روضة النور');
  expect((await register('ar')).subject).toBe('تأكيد بريدك الإلكتروني في روضة النور (حارس)');
  expect((await register()).subject).toBe('Verify your email for \u2068روضة النور\u2069 (Haris)');
});

test('a name is text, whatever is in it', async () => {
  const name = '<b>{{detail}}</b> {{haris}} $& "A"';
  await nameIt(name);
  const mail = await register();
  expect(mail.text).toContain(`at ${name} (Haris)`);
  expect(mail.html).toContain('&lt;b&gt;{{detail}}&lt;/b&gt; {{haris}} $&amp; &quot;A&quot;');
  expect(mail.html).not.toContain('<b>');
  expect(mail.parsed.from).toMatchObject({ name, address: 'haris@localhost' });
});

test('a name that the operator chose for the sender stays', async () => {
  for (const [MAIL_FROM, sender] of [
    ['Kita <desk@haris.test>', 'Kita'],
    ['desk@haris.test', NAME],
  ] as const) {
    const other = await startTestApp({ config: { MAIL_FROM } });
    try {
      await other.expect(200, 'PUT', '/api/settings', {
        token: await other.staff(),
        json: { facilityName: NAME },
      });
      const { email } = await other.makeFamily();
      const [mail] = await other.outbox(email);
      expect(mail?.parsed.from).toMatchObject({ name: sender, address: 'desk@haris.test' });
    } finally {
      await other.close();
    }
  }
});

describe('every mail', () => {
  const kinds = Object.keys(accountMailTexts) as MailKind[];
  const languages: Language[] = ['en', 'ar'];
  const cases = languages.flatMap((language) => kinds.map((kind) => [kind, language] as const));

  test.each(cases)('%s, %s', (kind, language) => {
    for (const facility of [null, 'Kita']) {
      const mail = composeMail(kind, {
        language,
        name: 'Mona',
        link: 'https://haris.test/x',
        facility,
        detail: 'DETAIL',
      });
      expect(mail.text.includes('Kita')).toBe(facility !== null);
      expect(mail.html.includes('Kita')).toBe(facility !== null);
      expect(mail.senderName).toBe(facility ?? undefined);
      expect(JSON.stringify(mail)).not.toContain('{{');
    }
  });

  test.each(languages)('of a notification, %s', (language) => {
    const notice = { language, name: 'Mona', title: 'Time’s up', body: 'Body', link: 'https://haris.test/x' };
    const mail = composeNotificationMail({ ...notice, facility: 'Kita' });
    expect(mail.subject).toBe('Time’s up');
    for (const part of [mail.text, mail.html]) expect(part).toContain('Kita');
    expect(JSON.stringify(mail)).not.toContain('{{');
  });

  test('with a head of the audit log', () => {
    const mail = composeAuditHeadMail({ seq: 7, at: '2026-11-20T08:00:00Z' }, '{}', 'Kita');
    expect(mail.text).toContain('The audit log of Kita (Haris) has 7 rows');
  });
});

test('of several facilities, the family’s and the employee’s own writes, else the organisation’s', async () => {
  const house = await startTestApp();
  try {
    const token = await house.staff();
    await house.expect(200, 'PUT', '/api/settings', { token, json: { facilityName: NAME } });
    const second = await makeFacility(house, 'Little Stars');
    const there = atFacility(house, second);
    const subjectAfterReset = async (email: string, kind = 'parent') => {
      await house.expect(200, 'POST', '/vendor/forgot', { json: { email, kind } });
      return (await house.lastMail(email)).subject;
    };
    const ofFamily = (email: string) => subjectAfterReset(email);

    const theirs = await there.makeFamily();
    // Without a child, a family is known everywhere.
    expect(await ofFamily(theirs.email)).toBe(`Set a new password for ${NAME} (Haris)`);
    await there.makeChild(theirs, 'Adam', fakePhoto({ face: 'adam' }));
    await house.forgetLimits();
    expect(await ofFamily(theirs.email)).toBe('Set a new password for Little Stars (Haris)');
    const ours = await house.makeFamily();
    await house.makeChild(ours, 'Noor', fakePhoto({ face: 'noor' }));
    expect(await ofFamily(ours.email)).toBe(`Set a new password for ${NAME} (Haris)`);

    // What staff of one facility cause is in its name, though nobody belongs there yet.
    const invited = { name: 'Sara', email: 'sara@family.test', phone: '01112345678' };
    await there.expect(201, 'POST', '/api/parent/create-parent', { token, json: invited });
    expect((await house.lastMail(invited.email)).subject).toBe('Your invitation to Little Stars (Haris)');

    const employee = await house.makeEmployee();
    await manageAt(house, employee, second);
    expect(await subjectAfterReset(employee.email, 'admin')).toBe(
      'Set a new staff password for Little Stars (Haris)',
    );
    // A facility that has given its name up is named after its organisation.
    await there.expect(200, 'PUT', '/api/settings', { token, json: { facilityName: null } });
    await house.forgetLimits();
    expect(await ofFamily(theirs.email)).toBe(`Set a new password for ${NAME} (Haris)`);
  } finally {
    await house.close();
  }
});
