/** A new parent's first steps where a notice of two seconds is not enough, and the child that Live Feed begins with. */
import { expect, test } from './fixtures.ts';
import { fillLogin, startOf } from './harness/person.ts';

test('who has registered is told the next step, and so is who signs in before it', async ({ visit }) => {
  const { page, trap } = await visit({ size: 'phone' });
  const huda = { email: 'huda@haris.example', password: 'secret-6' };
  const nextStep = page.getByText('One step is left: open the link in the email that we have sent you.');
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(nextStep).toBeHidden();
  await page.goto('/register');
  await page.getByLabel('Full name').fill('Huda Samir');
  await page.getByLabel('Email').fill(huda.email);
  await page.getByLabel('Phone number').fill('01012345678');
  await page.getByLabel(startOf('Password')).fill(huda.password);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('status').filter({ hasText: 'Registration successful' })).toBeHidden();
  await expect(nextStep).toBeVisible();

  trap.expectHttp(403, '/api/parent/get-parent-by-email-and-password');
  await page.getByRole('link', { name: 'Login/Register' }).click();
  await fillLogin(page, huda);
  await expect(page.getByRole('note')).toHaveText('Please verify your email first. We have sent you a link.');
});

test('Live Feed begins with a child who is inside, and nobody moves while one looks', async ({
  api,
  visit,
}) => {
  const mona = await api.family('Mona Hassan', { 'Ali Hassan': 1, 'Zeina Hassan': 3 });
  const [ali, zeina] = ['Ali Hassan', 'Zeina Hassan'].map(
    (name) => mona.children.find((child) => child.name === name)?._id ?? '',
  ) as [string, string];
  await api.checkIn(zeina);
  const { page } = await visit({ size: 'phone', as: mona });
  await page.goto('/liveFeed');
  const choices = page.getByRole('checkbox');
  await expect(choices.first()).toHaveAccessibleName('Zeina Hassan');
  await expect(choices.first()).toBeChecked();
  // The stream is open: a checkout before that would be answered with a refusal, which the browser writes down.
  await expect(
    page.getByRole('status').filter({ hasText: 'No camera is switched on at the moment.' }),
  ).toBeAttached();
  await api.checkOut(zeina);
  await api.checkIn(ali);
  await expect(
    page.getByRole('status').filter({ hasText: 'Zeina Hassan is not checked in.' }),
  ).toBeAttached();
  await expect(choices.first()).toHaveAccessibleName('Zeina Hassan');
  await expect(choices.first()).toBeChecked();
});
