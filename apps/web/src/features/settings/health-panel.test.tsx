/** The health of the installation: loading, what needs attention, all well, failures, and who sees it. */
import { HEALTH_CHECKS, type HealthFinding, healthRoutes } from '@haris/contract/http/health';
import { BUILT_IN_ROLES } from '@haris/contract/permissions';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { handle, refuse, server } from '../../testing/contract-server.ts';
import { admin } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const as = { admin: admin() };
const PATH = '/settings/health';

const well: HealthFinding[] = HEALTH_CHECKS.map((id) => ({ id, state: 'ok', detail: `All well: ${id}` }));
/** As the server sends them: the worst first. */
const findings: HealthFinding[] = [
  { id: 'backup', state: 'bad', detail: 'There was none yet.', todo: 'Set BACKUP_DIR.' },
  { id: 'mail', state: 'warn', detail: 'None is sent.', todo: 'Set a mail server under Settings, Mail.' },
  { id: 'restore', state: 'unknown', detail: 'No restore of this data is known.' },
  ...well.filter(({ id }) => !['backup', 'mail', 'restore'].includes(id)),
];

/** The first of them as the server says it in Arabic, with isolates around what is Latin. */
const inArabic: HealthFinding[] = [
  { id: 'backup', state: 'bad', detail: 'لم تُنشأ أي نسخة بعد.', todo: 'اضبط \u2068BACKUP_DIR\u2069.' },
  ...findings.slice(1),
];

/** Examined at 10:00 in Cairo. Returns how often the page asked. */
function serve(): () => number {
  let asked = 0;
  server.use(
    handle(healthRoutes.getHealth, ({ query }) => {
      asked++;
      return {
        findings: query.language === 'ar' ? inArabic : findings,
        examinedAt: '2026-11-20T08:00:00.000Z',
      };
    }),
  );
  return () => asked;
}

const list = () => screen.findByRole('list', { name: 'Health' });

test('what needs attention comes first, with its state in words and what to do', async () => {
  serve();
  await renderScreen(PATH, { as });
  const lines = within(await list()).getAllByRole('listitem');
  expect(lines).toHaveLength(HEALTH_CHECKS.length);
  const [backup, mail, restore, first] = lines.map((line) => line.textContent);
  expect(backup).toBe('Last backupProblemThere was none yet.What to do: Set BACKUP_DIR.');
  expect(mail).toContain('MailNeeds attentionNone is sent.');
  expect(restore).toBe('Last restoreUnknownNo restore of this data is known.');
  expect(first).toBe('VersionIn orderAll well: version');
  const summary = within(screen.getByRole('region', { name: 'Health' })).getByRole('status');
  expect(summary).toHaveTextContent('2 things need attention');
  expect(summary).toHaveTextContent('1 thing could not be found out');
  expect(summary).toHaveTextContent('Examined at 10:00');
});

test('“Check again” waits for the answer, and shows that all is well now', async () => {
  let release = (): void => {};
  const later = new Promise<void>((resolve) => {
    release = resolve;
  });
  serve();
  const { user } = await renderScreen(PATH, { as });
  await list();
  server.use(
    handle(healthRoutes.getHealth, async () => {
      await later;
      return { findings: well, examinedAt: '2026-11-20T08:05:00.000Z' };
    }),
  );
  const button = screen.getByRole('button', { name: 'Check again' });
  await user.click(button);
  await waitFor(() => expect(button).toHaveAttribute('data-loading', 'true'));
  release();
  expect(await screen.findByText('Everything is in order.')).toBeVisible();
  expect(screen.queryByText(/need attention/)).toBeNull();
  expect(screen.queryByText(/could not be found out/)).toBeNull();
  expect(screen.getByText(/^Examined at 10:05/)).toBeVisible();
  await waitFor(() => expect(button).not.toHaveAttribute('data-loading'));
});

test('while it loads there are placeholders; a failure can be tried again', async () => {
  let release = (): void => {};
  const later = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.use(
    handle(healthRoutes.getHealth, async () => {
      await later;
      return refuse('internal_error');
    }),
  );
  const { user } = await renderScreen(PATH, { as });
  expect(await screen.findByRole('status', { name: 'Loading…' })).toBeVisible();
  release();
  expect(await screen.findByRole('alert')).toBeVisible();
  serve();
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await list()).toBeVisible();
});

test('a failed “Check again” is said, and what was found stays', async () => {
  serve();
  const { user } = await renderScreen(PATH, { as });
  await list();
  server.use(handle(healthRoutes.getHealth, refuse('internal_error')));
  await user.click(screen.getByRole('button', { name: 'Check again' }));
  expect(await screen.findByText('An unexpected error occurred.')).toBeVisible();
  expect(await list()).toBeVisible();
});

test('in Arabic, on a phone: names, states and the server’s sentences are Arabic', async () => {
  serve();
  await renderScreen(PATH, { as, language: 'ar', size: 'phone' });
  const region = within(await screen.findByRole('region', { name: 'حالة النظام' }));
  expect(region.getByText('أمران يحتاجان إلى انتباه')).toBeVisible();
  expect(region.getByText('تعذّر التحقق من أمر واحد')).toBeVisible();
  const [backup] = region.getAllByRole('listitem');
  expect(backup).toHaveTextContent('آخر نسخة احتياطية');
  expect(backup).toHaveTextContent('مشكلة');
  expect(backup).toHaveTextContent('لم تُنشأ أي نسخة بعد.');
  expect(backup).toHaveTextContent('ما العمل: اضبط \u2068BACKUP_DIR\u2069.');
  expect(region.getByRole('button', { name: 'إعادة الفحص' })).toBeVisible();
});

test('who does not operate the installation has no such part, and the page asks for nothing', async () => {
  const asked = serve();
  const manager = admin({ permissions: [...BUILT_IN_ROLES.manager] });
  const { unmount } = await renderScreen(PATH, { as: { admin: manager } });
  expect(await screen.findByRole('tab', { name: 'Mail' })).toBeVisible();
  expect(screen.queryByRole('tab', { name: 'Health' })).toBeNull();
  expect(screen.queryByRole('region', { name: 'Health' })).toBeNull();
  await unmount();
  // The permission alone does not open the parts that change settings.
  const operator = admin({ permissions: ['settings.view', 'installation.operate'] });
  await renderScreen(PATH, { as: { admin: operator } });
  expect(await list()).toBeVisible();
  expect(screen.queryByRole('tab', { name: 'Phones' })).toBeNull();
  expect(asked()).toBe(1);
});
