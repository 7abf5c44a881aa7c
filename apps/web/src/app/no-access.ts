/** The screen for staff whose role does not include a page; its code and texts load on first use. */
import { lazy } from 'react';
import { loadTexts } from '../i18n/i18n.ts';

export const NoAccess = lazy(async () => {
  const [screen] = await Promise.all([
    import('./no-access-screen.tsx'),
    import('../ui/library-styles.ts'),
    loadTexts(['frame']),
  ]);
  return screen;
});
