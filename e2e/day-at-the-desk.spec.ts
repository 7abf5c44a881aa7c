/** A whole day at the desk: from a parent's registration on a phone to the child's checkout. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { FROM_CAMERA_MS } from './harness/camera.ts';
import {
  capturePhoto,
  changePassword,
  childCard,
  chooseDeletion,
  familyOf,
  fillLogin,
  insideRow,
  notice,
  secondsLeft,
  spread,
  startOf,
  tabTo,
} from './harness/person.ts';
import type { Trap } from './harness/trap.ts';
import { wordsOf } from './harness/words.ts';

const mona = { name: 'مُنى حسن', email: 'mona@family.example', password: 'nile-boat', child: 'عمر حسن' };
const ahmed = {
  name: 'Ahmed Aly',
  email: 'ahmed@family.example',
  password: 'blue-kite',
  child: 'Joseph Aly',
};
/** As people type it: without the diacritic of the name. */
const typed = 'من';
const nadia = {
  name: 'Nadia Farouk',
  email: 'nadia@haris.example',
  password: 'front-desk-1',
  nationalId: '29503120101234',
};

/** Texts that the specification fixes are checked literally; the rest of the day reads them from the text files. */
const fixedTexts = {
  'fields:Invalid email format': 'Invalid email format',
  'fields:Invalid phone number format': 'Invalid phone number format',
  'fields:Invalid national ID format': 'Invalid national ID format',
  'auth:login.success': 'Login successful',
  'auth:register.success': 'Registration successful. Please check your email to verify it.',
  'profile:empty': 'No children added yet.',
  'add-child:success': 'Child registered successfully',
  'dashboard:inside.empty': 'No children currently detected.',
  'dashboard:families.noChildren': 'No children registered.',
  'dashboard:addParent.required': "Parent's name and email are required.",
  'dashboard:addParent.success': 'Parent added successfully',
  'dashboard:deleteParent.success': 'Parent deleted successfully.',
  'dashboard:entry.required': 'Please select a parent and at least one child.',
  'dashboard:entry.success': 'Child checked in successfully',
  'dashboard:checkout.success': 'Child checked out successfully',
  'employees:title': 'Employee Roster',
  'employees:addDialog.success': 'Employee added successfully',
  'employees:deleteDialog.success': 'Employee deleted successfully.',
  'shell:loggedOut': 'Logged out successfully',
  'stays:timeInArea': 'Time in Area',
};

test('the notices and empty texts are those of the specification', () => {
  const t = wordsOf('en');
  for (const [key, text] of Object.entries(fixedTexts)) expect(t(key), key).toBe(text);
});

test('the whole day at the desk, in English, with a parent and an employee who read Arabic', async ({
  server,
  camera,
  visit,
  mailTo,
}) => {
  const t = wordsOf('en');
  const arabic = wordsOf('ar');
  const { page: phone, trap: phoneTrap } = await visit({
    size: 'phone',
    language: 'ar',
    camera: 'allowed',
    worker: 'allowed',
  });
  const { page: desk, trap: deskTrap } = await visit({ size: 'desk', camera: 'allowed', worker: 'allowed' });
  await camera.showPerson(1);

  await test.step('a parent registers, after a wrong e-mail and a wrong phone number', async () => {
    await phone.goto('/register');
    await phone.getByLabel(arabic('auth:fullName')).fill(mona.name);
    await phone.getByLabel(arabic('auth:email')).fill('mona+home@family');
    await phone.getByLabel(arabic('auth:phone')).fill('01312345678');
    await phone.getByLabel(startOf(arabic('auth:password'))).fill(mona.password);
    const create = phone.getByRole('button', { name: arabic('auth:register.submit') });
    await create.click();
    await expect(phone.getByText(arabic('fields:Invalid email format'))).toBeVisible();
    await expect(phone.getByText(arabic('fields:Invalid phone number format'))).toBeVisible();
    await phone.getByLabel(arabic('auth:email')).fill(mona.email);
    await create.click();
    await expect(phone.getByText(arabic('fields:Invalid email format'))).toBeHidden();
    await phone.getByLabel(arabic('auth:phone')).fill('٠١٠١٢٣٤٥٦٧٨');
    await create.click();
    await expect(notice(phone, arabic('auth:register.successAtDesk'))).toBeVisible();
    await expect(phone).toHaveURL('/');
    await expect(phone.getByRole('heading', { name: arabic('waiting:desk.title') })).toBeVisible();
  });

  await test.step('signing in before the e-mail is verified is refused in words', async () => {
    phoneTrap.expectHttp(403, '/api/parent/get-parent-by-email-and-password');
    await phone.getByRole('link', { name: arabic('home:loginRegister') }).click();
    await fillLogin(phone, mona, arabic);
    // Not the words that the notice of the registration has too: the answer must have come before the page is left.
    await expect(notice(phone, 'يُرجى تأكيد بريدك الإلكتروني أولًا.')).toBeVisible();
  });

  await test.step('the mailed link verifies; the parent signs in', async () => {
    // As in a browser that did not register (e2e/vouching.spec.ts has the one that did).
    await phone.evaluate('localStorage.removeItem("haris.browserKey")');
    const mail = await mailTo(mona.email);
    expect(mail.subject).toBe('تأكيد بريدك الإلكتروني في حارس');
    await phone.goto(mail.link);
    await expect(phone.getByText('تم التحقق من بريدك الإلكتروني بنجاح')).toBeVisible();
    await phone.getByRole('link', { name: arabic('auth:verify.login') }).click();
    await fillLogin(phone, mona, arabic);
    await expect(notice(phone, arabic('auth:login.success'))).toBeVisible();
    await expect(phone).toHaveURL('/profile');
    await expect(phone.getByText(arabic('profile:empty'))).toBeVisible();
  });

  await test.step('the parent adds a child with the front camera', async () => {
    await server.engineReady();
    await phone.getByRole('link', { name: arabic('profile:addChild') }).click();
    const save = phone.getByRole('button', { name: arabic('add-child:save') });
    await capturePhoto(phone, arabic);
    await expect(save).toBeDisabled();
    await phone.getByRole('button', { name: arabic('add-child:retake') }).click();
    await phone.getByLabel(arabic('add-child:name')).fill(mona.child);
    await expect(save).toBeDisabled();
    await capturePhoto(phone, arabic);
    await save.click();
    await expect(notice(phone, arabic('add-child:success'))).toBeVisible({ timeout: FROM_CAMERA_MS });
    await expect(phone).toHaveURL('/profile');
    const card = childCard(phone, mona.child);
    await expect(card.getByText(arabic('profile:outside'))).toBeVisible();
    await expect(card.getByRole('img')).toHaveJSProperty('complete', true);
  });

  await test.step('an administrator signs in', async () => {
    await desk.goto('/');
    await desk.getByRole('link', { name: t('shell:admin'), exact: true }).click();
    await expect(desk).toHaveURL('/adminPreLogin');
    await expect(desk.getByRole('heading', { name: t('auth:preLogin.title') })).toBeVisible();
    await desk.getByRole('link', { name: t('auth:preLogin.proceed') }).click();
    await expect(desk).toHaveURL('/login?isAdmin=true');
    await expect(desk.getByRole('link', { name: t('auth:login.register') })).toBeHidden();
    await fillLogin(desk, server.admin, t);
    await expect(notice(desk, t('auth:login.success'))).toBeVisible();
    await expect(desk).toHaveURL('/adminDashboard');
    await expect(desk.getByText(t('dashboard:inside.empty'))).toBeVisible();
  });

  let counter: Page = desk;
  let counterTrap: Trap = deskTrap;
  await test.step('the administrator adds an employee, who verifies and signs in', async () => {
    await desk.getByRole('button', { name: t('frame:entry.addEmployee') }).click();
    const dialog = desk.getByRole('dialog', { name: t('employees:addDialog.title') });
    await dialog.getByLabel(t('auth:fullName')).fill(nadia.name);
    await dialog.getByLabel(t('auth:email')).fill(nadia.email);
    await dialog.getByLabel(startOf(t('auth:password'))).fill(nadia.password);
    await dialog.getByLabel(t('employees:addDialog.nationalId')).fill('29513120101234');
    await dialog.getByRole('button', { name: t('employees:addDialog.submit') }).click();
    await expect(dialog.getByText(t('fields:Invalid national ID format'))).toBeVisible();
    await dialog.getByLabel(t('employees:addDialog.nationalId')).fill(nadia.nationalId);
    await dialog.getByRole('button', { name: t('employees:addDialog.submit') }).click();
    await expect(notice(desk, t('employees:addDialog.success'))).toBeVisible();
    await expect(dialog).toBeHidden();

    ({ page: counter, trap: counterTrap } = await visit({ size: 'desk', language: 'ar' }));
    await counter.goto((await mailTo(nadia.email)).link);
    await expect(counter.getByText('تم التحقق من بريدك الإلكتروني بنجاح')).toBeVisible();
    await counter.getByRole('link', { name: arabic('auth:verify.login') }).click();
    await expect(counter).toHaveURL('/login?isAdmin=true');
    await fillLogin(counter, nadia, arabic);
    await expect(counter).toHaveURL('/adminDashboard');
    // The staff member who added her knows her password.
    await changePassword(counter, nadia.password, 'known-to-nadia-alone', arabic);
    await expect(notice(counter, arabic('password:change.success'))).toBeVisible();
  });

  const { page: other, trap: otherTrap } = await visit({ size: 'phone' });
  await test.step('a second parent is added at the desk and sets a password by the invitation', async () => {
    await desk
      .getByRole('main')
      .getByRole('button', { name: t('dashboard:families.addParent'), exact: true })
      .click();
    const dialog = desk.getByRole('dialog', { name: t('dashboard:addParent.title') });
    await dialog.getByRole('button', { name: t('dashboard:addParent.submit') }).click();
    await expect(dialog.getByText(t('dashboard:addParent.required'))).toBeVisible();
    await dialog.getByLabel(t('auth:fullName')).fill(ahmed.name);
    await dialog.getByLabel(t('auth:email')).fill(ahmed.email);
    await dialog.getByRole('button', { name: t('dashboard:addParent.submit') }).click();
    await expect(notice(desk, t('dashboard:addParent.success'))).toBeVisible();
    await expect(familyOf(desk, ahmed.name, t).getByText(t('dashboard:families.noChildren'))).toBeVisible();
    await expect(familyOf(counter, ahmed.name, arabic)).toBeVisible();

    const mail = await mailTo(ahmed.email);
    expect(mail.subject).toBe('Your invitation to Haris');
    await other.goto(mail.link);
    await other.getByLabel(startOf(t('auth:reset.newPassword'))).fill(ahmed.password);
    await other.getByLabel(t('auth:reset.repeatPassword')).fill(ahmed.password);
    await other.getByRole('button', { name: t('auth:reset.submit') }).click();
    await expect(other.getByText(t('auth:reset.done'), { exact: true })).toBeVisible();
    await other.getByRole('link', { name: t('auth:reset.loginParent'), exact: true }).click();
    await fillLogin(other, ahmed, t);
    await expect(other).toHaveURL('/profile');
    await expect(other.getByText(t('profile:empty'))).toBeVisible();
  });

  await test.step('the desk adds a child for that parent', async () => {
    await camera.showPerson(2);
    await familyOf(desk, ahmed.name, t)
      .getByRole('link', { name: t('dashboard:families.addChild') })
      .click();
    await expect(desk).toHaveURL(/\/addChild\?parentId=/);
    await expect(desk.getByText(t('add-child:leadFor', { name: ahmed.name }))).toBeVisible();
    await desk.getByLabel(t('add-child:name')).fill(ahmed.child);
    await capturePhoto(desk, t);
    await desk.getByRole('button', { name: t('add-child:save') }).click();
    await expect(notice(desk, t('add-child:success'))).toBeVisible({ timeout: FROM_CAMERA_MS });
    await expect(desk).toHaveURL('/adminDashboard');
    await expect(familyOf(desk, ahmed.name, t).getByText(ahmed.child)).toBeVisible();
  });

  await test.step('Register Child Entry by keyboard alone shows everywhere with no reload', async () => {
    await tabTo(desk, desk.getByRole('button', { name: t('frame:entry.registerEntry') }).first());
    await desk.keyboard.press('Enter');
    const dialog = desk.getByRole('dialog', { name: t('dashboard:entry.title') });
    const search = dialog.getByRole('combobox', { name: t('dashboard:entry.parent') });
    await expect(search).toBeFocused();
    await desk.keyboard.type(typed);
    const option = dialog.getByRole('option', { name: mona.name });
    await expect(option).toHaveAttribute('aria-selected', 'true');
    await expect(dialog.getByRole('checkbox', { name: mona.child })).toBeChecked();
    await dialog.getByText(t('dashboard:periods.60')).click();
    await expect(dialog.getByRole('radio', { name: t('dashboard:periods.60') })).toBeChecked();
    await search.focus();
    await desk.keyboard.press('Enter');
    // Mona's photo is new: the first Enter moves to the answer, the second gives it.
    const answer = dialog.getByRole('button', { name: t('dashboard:entry.confirmOne') });
    await expect(answer).toBeFocused();
    await desk.keyboard.press('Enter');
    await expect(notice(desk, t('dashboard:entry.success'))).toBeVisible();
    await expect(childCard(phone, mona.child).getByText(arabic('profile:inside'))).toBeVisible();
    await expect(insideRow(counter, mona.child, arabic)).toBeVisible();
    await expect(dialog).toBeHidden();
  });

  await test.step('the same countdown at the desk and on the phone', async () => {
    await phone.getByRole('button', { name: arabic('profile:viewDetailsOf', { name: mona.child }) }).click();
    const card = phone.getByRole('dialog', { name: mona.child });
    await expect(card.getByRole('heading', { name: arabic('stays:timeInArea') })).toBeVisible();
    await expect(card.getByText(arabic('profile:inside'))).toBeVisible();
    const atBoth = () => Promise.all([secondsLeft(card), secondsLeft(insideRow(desk, mona.child, t))]);
    await expect.poll(async () => spread(await atBoth())).toBeLessThanOrEqual(1);
    const [here] = await atBoth();
    expect(here).toBeGreaterThan(50 * 60);
    expect(here).toBeLessThanOrEqual(60 * 60);
    await expect.poll(() => secondsLeft(card)).toBeLessThan(here);
  });

  await test.step('a parent whose child is inside cannot be deleted', async () => {
    deskTrap.expectHttp(409, /^\/api\/parent\/delete-parent\//);
    await chooseDeletion(desk, mona.name, t);
    const dialog = desk.getByRole('dialog', { name: t('dashboard:families.deleteParent') });
    await dialog.getByRole('button', { name: t('dashboard:families.deleteParent') }).click();
    await expect(notice(desk, t('errors:child_inside'))).toBeVisible();
    await dialog.getByRole('button', { name: t('dashboard:deleteParent.cancel') }).click();
    await expect(dialog).toBeHidden();
    await expect(familyOf(desk, mona.name, t)).toBeVisible();
  });

  await test.step('checkout; the parent sees it', async () => {
    await insideRow(desk, mona.child, t)
      .getByRole('button', { name: startOf(t('dashboard:inside.checkout')) })
      .click();
    await expect(notice(desk, t('dashboard:checkout.success'))).toBeVisible();
    const card = phone.getByRole('dialog', { name: mona.child });
    await expect(card.getByText(arabic('profile:outside')).first()).toBeVisible();
    await expect(card.getByRole('timer')).toBeHidden();
    await phone.keyboard.press('Escape');
    await expect(childCard(phone, mona.child).getByText(arabic('profile:outside'))).toBeVisible();
    await expect(desk.getByText(t('dashboard:inside.empty'))).toBeVisible();
    await expect(counter.getByText(arabic('dashboard:inside.empty'))).toBeVisible();
  });

  await test.step('the other parent is deleted after a question, and signed out at once', async () => {
    otherTrap.expectHttp(401, /^\/api\//);
    await chooseDeletion(desk, ahmed.name, t);
    const dialog = desk.getByRole('dialog', { name: t('dashboard:families.deleteParent') });
    await expect(dialog.getByText(ahmed.child)).toBeVisible();
    await dialog.getByRole('button', { name: t('dashboard:families.deleteParent') }).click();
    await expect(notice(desk, t('dashboard:deleteParent.success'))).toBeVisible();
    await expect(familyOf(desk, ahmed.name, t)).toBeHidden();
    await expect(familyOf(counter, ahmed.name, arabic)).toBeHidden();
    await expect(other).toHaveURL('/login');
    await expect(other.getByText(ahmed.child)).toHaveCount(0);
  });

  await test.step('the employee is deleted, and signed out at once', async () => {
    await desk.getByRole('link', { name: t('frame:entry.viewEmployees') }).click();
    await expect(desk.getByRole('heading', { name: t('employees:title') })).toBeVisible();
    await desk.getByRole('button', { name: t('employees:deleteOf', { name: nadia.name }) }).click();
    const dialog = desk.getByRole('dialog', { name: t('employees:deleteDialog.title') });
    counterTrap.expectHttp(401, /^\/api\//);
    await dialog.getByRole('button', { name: t('employees:deleteDialog.title') }).click();
    // Both notices go away by themselves.
    await Promise.all([
      expect(notice(desk, t('employees:deleteDialog.success'))).toBeVisible(),
      expect(notice(counter, arabic('shell:sessionEnded'))).toBeVisible(),
    ]);
    await expect(desk.getByText(nadia.email)).toBeHidden();
    await expect(counter).toHaveURL('/login?isAdmin=true');
  });

  await test.step('both sign out', async () => {
    await phone.getByRole('button', { name: arabic('profile:logout') }).click();
    await expect(notice(phone, arabic('shell:loggedOut'))).toBeVisible();
    await expect(phone).toHaveURL('/');
    await phone.goto('/profile');
    await expect(phone).toHaveURL('/login');
    await desk.getByRole('link', { name: t('employees:back') }).click();
    await desk.getByRole('button', { name: t('frame:entry.logout') }).click();
    await expect(notice(desk, t('shell:loggedOut'))).toBeVisible();
    await expect(desk).toHaveURL('/');
  });
});
