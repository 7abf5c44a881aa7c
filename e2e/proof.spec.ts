/**
 * A proof is required once the sign-in is ten minutes old: the person enters the password again, and the action
 * continues.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Covered, sealOf } from '../apps/server/src/db/row-seals.ts';
import { openMasterKey } from '../apps/server/src/vault/master-key.ts';
import { openVault } from '../apps/server/src/vault/vault.ts';
import { expect, test } from './fixtures.ts';
import { notice } from './harness/person.ts';
import { wordsOf } from './harness/words.ts';

test.use({ hasEngine: false });

/** Changes the database of the running server, since a test cannot wait eleven minutes. It has the installation's key. */
function ageProofs(dataDir: string): void {
  const vault = openVault(openMasterKey(dataDir, false));
  const db = new DatabaseSync(join(dataDir, 'haris.db'));
  try {
    db.exec('PRAGMA busy_timeout = 5000');
    const update = db.prepare('UPDATE sessions SET proved_at = ?, seal = ? WHERE token_hash = ?');
    for (const cells of db.prepare('SELECT * FROM sessions').all()) {
      const row = {
        ...cells,
        proved_at: Number(cells.proved_at) - 660_000,
      } as unknown as Covered<'sessions'>;
      update.run(row.proved_at, sealOf(vault, 'sessions', row), row.token_hash);
    }
  } finally {
    db.close();
  }
}

for (const language of ['en', 'ar'] as const) {
  test(`an export wants the password again, by keyboard alone (${language})`, async ({
    server,
    api,
    visit,
  }) => {
    const t = wordsOf(language);
    const staff = await api.signIn('admin', server.admin);
    ageProofs(server.dataDir);
    const { page, trap } = await visit({ as: staff, language, size: language === 'ar' ? 'phone' : 'desk' });
    trap.expectHttp(403, /\/api\/(audit\.csv|session\/proof)/);
    await page.goto('/auditLog');
    const download = page.getByRole('button', { name: t('common:csv.download'), exact: true });
    await expect(download).toBeEnabled();
    await download.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: t('password:proof.title') });
    const field = dialog.getByLabel(t('password:proof.password'), { exact: true });
    await expect(field).toBeFocused();
    await page.keyboard.type('not it');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText(t('errors:wrong_password'))).toBeVisible();
    await field.fill(server.admin.password);
    const saved = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    expect((await saved).suggestedFilename()).toMatch(/^audit-log-.*\.csv$/);
    await expect(dialog).toBeHidden();
    // Within ten minutes the next action needs no proof.
    const again = page.waitForEvent('download');
    await download.click();
    await again;
  });
}

test('whoever cancels has changed nothing, and may try again', async ({ server, api, visit }) => {
  const t = wordsOf('en');
  await api.call('/api/admin/create-admin', {
    method: 'POST',
    token: (await api.administrator()).token,
    json: {
      name: 'Karim Adel',
      email: 'karim@haris.example',
      password: 'secret-of-8',
      nationalId: '29901010000017',
    },
  });
  const staff = await api.signIn('admin', server.admin);
  ageProofs(server.dataDir);
  const { page, trap } = await visit({ as: staff });
  trap.expectHttp(403, /\/api\/admin\/delete-admin/);
  await page.goto('/viewEmployees');
  const remove = page.getByRole('button', { name: t('employees:deleteOf', { name: 'Karim Adel' }) });
  await remove.click();
  const question = page.getByRole('dialog', { name: t('employees:deleteDialog.title') });
  const confirm = question.getByRole('button', { name: t('employees:deleteDialog.confirm') });
  await confirm.click();
  const proof = page.getByRole('dialog', { name: t('password:proof.title') });
  await proof.getByRole('button', { name: t('password:proof.cancel') }).click();
  await expect(proof).toBeHidden();
  // To cancel is no error.
  await expect(notice(page, t('errors:proof_required'))).toHaveCount(0);
  await expect(remove).toBeVisible();
  await confirm.click();
  await proof.getByLabel(t('password:proof.password'), { exact: true }).fill(server.admin.password);
  await proof.getByRole('button', { name: t('password:proof.confirm') }).click();
  await expect(notice(page, t('employees:deleteDialog.success'))).toBeVisible();
  await expect(remove).toBeHidden();
});

for (const language of ['en', 'ar'] as const) {
  test(`Home Assistant accounts of an employee end with them, or are kept (${language})`, async ({
    api,
    visit,
    mailTo,
  }) => {
    const t = wordsOf(language);
    const { token } = await api.administrator();
    const email = `nour-${language}@haris.example`;
    const nationalId = language === 'en' ? '29901010000047' : '29901010000057';
    const json = { name: 'Nour Samir', email, password: 'secret-of-8', nationalId };
    await api.call('/api/admin/create-admin', { method: 'POST', token, json });
    const link = /\/verify\/([\w-]+)/.exec((await mailTo(email)).text)?.[1] ?? '';
    await api.call(`/api/admin/verify/email/${link}`);
    const nour = await api.signIn('admin', { email, password: 'secret-of-8' });
    const { account } = await api.call<{ account: { _id: string } }>('/api/home-assistant-accounts', {
      method: 'POST',
      token: nour.token,
      json: { name: 'House' },
    });
    const { page } = await visit({
      as: await api.administrator(),
      language,
      size: language === 'ar' ? 'phone' : 'desk',
    });
    await page.goto('/viewEmployees');
    await page.getByRole('button', { name: t('employees:deleteOf', { name: 'Nour Samir' }) }).click();
    const dialog = page.getByRole('dialog', { name: t('employees:deleteDialog.title') });
    const keep = dialog.getByLabel(t('employees:deleteDialog.handOver'));
    await keep.check();
    await dialog.getByRole('button', { name: t('employees:deleteDialog.confirm') }).click();
    await expect(notice(page, t('employees:deleteDialog.success'))).toBeVisible();
    const { accounts } = await api.call<{ accounts: { _id: string; madeBy: string }[] }>(
      '/api/home-assistant-accounts',
      { token },
    );
    expect(accounts.find(({ _id }) => _id === account._id)?.madeBy).toBe((await api.administrator()).id);
  });
}
