/** A new parent's first steps, for which a two-second notice is too short, and the first child of Live Feed. */
import { expect, test } from './fixtures.ts';
import { fillLogin, startOf } from './harness/person.ts';

test('who has registered is told the next step, and so is who signs in before it', async ({ visit }) => {
  const { page, trap } = await visit({ size: 'phone' });
  const huda = { email: 'huda@haris.example', password: 'secret-6' };
  const nextStep = page.getByRole('heading', { name: 'Confirm your account at the desk' });
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
  await page.reload();
  await expect(nextStep).toBeVisible();
  await page.getByRole('button', { name: 'Show a code for the desk' }).click();
  await expect(page.getByText(/^\d{6}$/)).toBeVisible();

  trap.expectHttp(403, '/api/parent/get-parent-by-email-and-password');
  await page.getByRole('link', { name: 'Login/Register' }).click();
  await fillLogin(page, huda);
  const notes = page.getByRole('note');
  await expect(notes.first()).toHaveText(
    'Please verify your email first. Ask the staff at the desk to confirm your account.',
  );
  await expect(notes.last()).toContainText('This nursery cannot send mail yet.');
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
  // The stream is open now. After an earlier checkout the stream would be refused, which the browser logs.
  await expect(page.getByRole('status').filter({ hasText: 'No camera is on right now.' })).toBeAttached();
  await api.checkOut(zeina);
  await api.checkIn(ali);
  await expect(
    page.getByRole('status').filter({ hasText: 'Zeina Hassan is not checked in.' }),
  ).toBeAttached();
  await expect(choices.first()).toHaveAccessibleName('Zeina Hassan');
  await expect(choices.first()).toBeChecked();
});
