/** A crowd of events: the page reads again what changed, a few times and not once for each event. */
import { childRoutes } from '@haris/contract/http/children';
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { handle, server } from '../testing/contract-server.ts';
import { admin, child } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';

test('150 children who are not seen at once are read in a few calls, and the last state is shown', async () => {
  const inside = Array.from({ length: 150 }, (_, index) =>
    child({ _id: `child-${index}`, name: `Child ${index}`, isInside: true }),
  );
  let children = inside.slice(0, 1);
  let sent = Promise.resolve();
  server.use(
    handle(childRoutes.listChildren, async () => {
      await sent;
      return { children, total: children.length, nextCursor: null };
    }),
  );
  // Counts what the page begins: a call that is given up at once has reached a real server all the same.
  const begun = vi.spyOn(globalThis, 'fetch');
  const reads = () =>
    begun.mock.calls.filter(([address]) => String(address).includes('get-all-children')).length;
  const { events } = await renderScreen('/adminDashboard', { as: { admin: admin() } });
  const count = (text: string) =>
    waitFor(() => expect(screen.getByRole('button', { name: /Inside/ })).toHaveTextContent(text));
  await count('1');
  const before = reads();
  // The first read is answered once all events are sent.
  sent = (async () => {
    await Promise.all(inside.map(({ _id }) => events.send({ type: 'child.not_seen', childId: _id })));
    children = inside.slice(0, 3);
    await events.send({ type: 'child.checked_in', childId: 'child-2' });
  })();
  await sent;
  await count('3');
  expect(reads() - before).toBeLessThan(20);
  begun.mockRestore();
});
