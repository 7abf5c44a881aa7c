/** A child's facilities in its sheet: where it is known, added to another one, removed from this one. */
import { facilityRoutes } from '@haris/contract/http/facilities';
import { BUILT_IN_ROLES } from '@haris/contract/permissions';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { handle, offline, refuse, server } from '../../../testing/contract-server.ts';
import { admin, child } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { family, serveDesk } from '../testing/desk.ts';

const stars = { _id: 'main', name: 'Little Stars' };
const moon = { _id: 'moon', name: 'Full Moon' };
const sun = { _id: 'sun', name: null };
const omar = child({ _id: 'child-omar', name: 'Omar Hassan' });
const work = { facilityId: 'main', facilities: [stars, moon, sun], everywhere: [] };
const owner = admin({ work });

/** The server's list; `known` of all three facilities. Removals are counted. */
function serveFacilities(...known: (typeof stars | typeof sun)[]) {
  const removed: string[] = [];
  const all = [stars, moon, sun];
  server.use(
    handle(facilityRoutes.listChildFacilities, () => ({
      facilities: known,
      addable: all.filter((one) => !known.includes(one)),
    })),
    handle(facilityRoutes.addChildFacility, ({ body }) => {
      known = all.filter((one) => known.includes(one) || one._id === body.facilityId);
      return { child: omar, facilities: known };
    }),
    handle(facilityRoutes.removeChildFacility, ({ params }) => {
      removed.push(`${params.id} ${params.facilityId}`);
      return { message: 'Removed' };
    }),
  );
  return {
    removed,
    know: (...now: (typeof stars | typeof sun)[]) => {
      known = now;
    },
  };
}

async function open(as = owner, options = {}) {
  serveDesk(family({ _id: 'parent-mona', name: 'Mona Hassan' }, omar));
  const page = await renderScreen('/adminDashboard?child=child-omar', { as: { admin: as }, ...options });
  const sheet = within(await screen.findByRole('dialog'));
  await sheet.findByRole('heading', { name: 'Omar Hassan' });
  return { ...page, sheet };
}
const namesIn = (list: HTMLElement) =>
  within(list)
    .getAllByRole('listitem')
    .map((item) => item.textContent);

describe('with one facility', () => {
  test('nothing is said of facilities', async () => {
    const { sheet } = await open(admin());
    await sheet.findByText('No visits yet.');
    expect(sheet.queryByText('Facilities')).toBeNull();
    expect(sheet.queryByRole('button', { name: /facility|Add to/ })).toBeNull();
  });
});

describe('with several', () => {
  test('the child is added by one press, chosen from a list, and by one more where only one is left', async () => {
    serveFacilities(stars);
    const { user, sheet } = await open();
    const list = await sheet.findByRole('list', { name: 'Facilities' });
    expect(namesIn(list)).toEqual(['Little StarsYou are here']);
    expect(sheet.queryByRole('button', { name: 'Remove from this facility' })).toBeNull();
    await user.click(sheet.getByRole('button', { name: 'Add to another facility' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Facility without a name' }));
    expect(await screen.findByText('Added to Facility without a name')).toBeVisible();
    await waitFor(() =>
      expect(namesIn(list)).toEqual(['Little StarsYou are here', 'Facility without a name']),
    );
    await user.click(await sheet.findByRole('button', { name: 'Add to Full Moon' }));
    await waitFor(() => expect(namesIn(list)).toHaveLength(3));
    expect(sheet.queryByRole('button', { name: /^Add to/ })).toBeNull();
  });

  test('removed from this one after a question, and the sheet closes', async () => {
    const { removed } = serveFacilities(stars, moon);
    const { user, sheet } = await open();
    await user.click(await sheet.findByRole('button', { name: 'Remove from this facility' }));
    const question = within(
      await screen.findByRole('dialog', { name: 'Remove Omar Hassan from this facility?' }),
    );
    expect(removed).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Removed from this facility')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Omar Hassan' })).toBeNull());
    expect(removed).toEqual(['child-omar main']);
  });

  test('a refusal says why, and changes nothing', async () => {
    serveFacilities(stars, moon);
    server.use(handle(facilityRoutes.removeChildFacility, refuse('child_inside')));
    const { user, sheet } = await open();
    await user.click(await sheet.findByRole('button', { name: 'Remove from this facility' }));
    await user.click(await screen.findByRole('button', { name: 'Remove' }));
    expect(await screen.findByText(/still inside/)).toBeVisible();
    expect(sheet.getByRole('heading', { name: 'Omar Hassan' })).toBeVisible();
  });

  test('a change at another desk is shown', async () => {
    const facilities = serveFacilities(stars);
    const { events, sheet } = await open();
    await sheet.findByText('Little Stars');
    facilities.know(stars, moon);
    await events.send({ type: 'child.updated', childId: 'child-omar' });
    expect(await sheet.findByText('Full Moon')).toBeVisible();
  });

  test('who edits no families sees them without buttons; in Arabic too', async () => {
    serveFacilities(stars, moon);
    const teacher = admin({ work, permissions: [...BUILT_IN_ROLES.teacher] });
    const { sheet } = await open(teacher, { language: 'ar' });
    const list = await sheet.findByRole('list', { name: 'الحضانات' });
    expect(namesIn(list)).toEqual(['Little Starsأنت هنا', 'Full Moon']);
    expect(sheet.queryByRole('button', { name: /حضانة|إضافة إلى/ })).toBeNull();
  });

  test('a list that cannot be loaded says so, and loads on request', async () => {
    server.use(handle(facilityRoutes.listChildFacilities, offline));
    const { user, sheet } = await open();
    const again = await sheet.findByRole('button', { name: 'Try Again' });
    serveFacilities(stars, moon);
    await user.click(again);
    expect(await sheet.findByText('Full Moon')).toBeVisible();
  });
});
