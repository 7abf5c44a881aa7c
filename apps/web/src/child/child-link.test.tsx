import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { family, serveDesk } from '../features/dashboard/testing/desk.ts';
import { admin, child } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { searchWithSheet } from './child-link.tsx';

const nour = family(
  { _id: 'parent-nour', name: 'Nour Adel' },
  child({ _id: 'child-omar', name: 'Omar Hassan', isInside: true }),
);

describe('searchWithSheet', () => {
  it('keeps the other parameters, and shows one sheet at a time', () => {
    expect(searchWithSheet('?day=1&child=a', { param: 'family', id: 'b c' })).toBe('?day=1&family=b+c');
    expect(searchWithSheet('?child=a', null)).toBe('');
    expect(searchWithSheet('?day=1&family=a', null)).toBe('?day=1');
  });
});

describe('the link to a child', () => {
  it('opens the sheet over the screen; Back, Escape and the button close it, and the focus returns', async () => {
    serveDesk(nour);
    const { user, router } = await renderScreen('/adminDashboard', { as: { admin: admin() } });
    const link = (await screen.findAllByRole('link', { name: 'Omar Hassan' }))[0] as HTMLElement;
    await user.click(link);
    const sheet = await screen.findByRole('dialog', { name: 'Child' });
    expect(await within(sheet).findByRole('heading', { name: 'Omar Hassan' })).toBeVisible();
    expect(router.state.location.search).toBe('?child=child-omar');

    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location.search).toBe('');
    await waitFor(() => expect(link).toHaveFocus());

    await user.click(link);
    await screen.findByRole('dialog', { name: 'Child' });
    await router.navigate(-1);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('works as an address; a child that is gone is said to be gone', async () => {
    serveDesk(nour);
    const { user, router } = await renderScreen('/adminDashboard?child=nobody', { as: { admin: admin() } });
    const sheet = await screen.findByRole('dialog', { name: 'Child' });
    expect(await within(sheet).findByText('This child was not found.')).toBeVisible();
    await user.click(within(sheet).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location.pathname + router.state.location.search).toBe('/adminDashboard');
  });
});
