/** The code for the desk on the parent's phone: it counts down, is replaced when it ends, and goes when it is used. */
import { vouchingRoutes } from '@haris/contract/http/vouching';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { handle, refuse, server } from '../testing/contract-server.ts';
import { stopClock } from '../testing/house-clock.ts';
import { child, parent } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';

const LIFE_MS = 10 * 60_000;
/** The page renders a passed time with its next tick, which may be a second away. */
const TICK = { timeout: 10_000 };
const mona = { parent: parent() };

/** Codes 100001, 100002 and so on, each for ten minutes. */
function giveCodes(): { count: () => number } {
  let given = 0;
  server.use(
    handle(vouchingRoutes.createDeskCode, () => {
      given++;
      return { code: String(100_000 + given), expiresAt: new Date(Date.now() + LIFE_MS).toISOString() };
    }),
  );
  return { count: () => given };
}

test('counts down, and is replaced once it has ended', async () => {
  const clock = stopClock();
  const codes = giveCodes();
  const { user } = await renderScreen('/profile', { as: mona, size: 'phone' });
  await user.click(await screen.findByRole('button', { name: 'Show a code for the desk' }));
  expect(await screen.findByText('100001')).toBeVisible();
  expect(screen.getByText(/^It works once, for another (10:00|09:5\d)\.$/)).toBeVisible();
  await clock.pass(5 * 60_000);
  expect(await screen.findByText(/^It works once, for another 0[45]:\d\d\.$/, {}, TICK)).toBeVisible();
  expect(codes.count()).toBe(1);
  await clock.pass(5 * 60_000);
  expect(await screen.findByText('100002', {}, TICK)).toBeVisible();
  expect(screen.queryByText('100001')).not.toBeInTheDocument();
  expect(codes.count()).toBe(2);
});

test('goes when the desk has used it', async () => {
  const codes = giveCodes();
  const { user, events } = await renderScreen('/profile', { as: mona });
  await user.click(await screen.findByRole('button', { name: 'Show a code for the desk' }));
  expect(await screen.findByText('100001')).toBeVisible();
  await events.send({ type: 'parent.updated', parentId: mona.parent._id });
  await waitFor(() => expect(screen.queryByText('100001')).not.toBeInTheDocument());
  expect(screen.getByRole('button', { name: 'Show a code for the desk' })).toBeVisible();
  expect(codes.count()).toBe(1);
});

test('that cannot be replaced is not shown any longer, and is asked for once', async () => {
  const clock = stopClock();
  giveCodes();
  const { user } = await renderScreen('/profile', { as: mona });
  await user.click(await screen.findByRole('button', { name: 'Show a code for the desk' }));
  expect(await screen.findByText('100001')).toBeVisible();
  let refused = 0;
  server.use(
    handle(vouchingRoutes.createDeskCode, () => {
      refused++;
      return refuse('too_many_attempts');
    }),
  );
  await clock.pass(LIFE_MS + 1000);
  await waitFor(
    () => expect(screen.getByRole('button', { name: 'Show a code for the desk' })).toBeEnabled(),
    TICK,
  );
  expect(refused).toBe(1);
  await clock.pass(60_000);
  expect(screen.queryByText('100001')).not.toBeInTheDocument();
  expect(refused).toBe(1);
});

test('is in Arabic digits in Arabic', async () => {
  giveCodes();
  const { user } = await renderScreen('/profile', { as: mona, language: 'ar', size: 'phone' });
  await user.click(await screen.findByRole('button', { name: 'عرض رمز لمكتب الاستقبال' }));
  const code = await screen.findByText('١٠٠٠٠١');
  expect(code).toHaveAttribute('dir', 'ltr');
  expect(screen.getByText(/^يعمل مرة واحدة، والوقت المتبقي [٠-٩]{2}:[٠-٩]{2}\.$/)).toBeVisible();
});

test('is on the home view until the first child, and on the account page', async () => {
  giveCodes();
  const name = 'Show a code for the desk';
  const { unmount } = await renderScreen('/profile', { as: mona });
  expect(await screen.findByRole('button', { name })).toBeVisible();
  await unmount();
  const withChild = { parent: parent({ children: [child()] }) };
  const { unmount: leave } = await renderScreen('/profile', { as: withChild });
  await screen.findAllByText('Omar Hassan');
  expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
  await leave();
  const { user } = await renderScreen('/account', { as: withChild });
  const card = within(await screen.findByRole('region', { name: 'Code for the desk' }));
  await user.click(card.getByRole('button', { name }));
  expect(await card.findByText('100001')).toBeVisible();
});
