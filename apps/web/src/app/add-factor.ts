/** The screen for setting up a required second factor; its code and texts load on first use. */
import { lazy } from 'react';
import { loadTexts } from '../i18n/i18n.ts';

export const AddFactor = lazy(async () => {
  const [screen] = await Promise.all([
    import('../features/security/add-factor-screen.tsx'),
    import('../ui/library-styles.ts'),
    loadTexts(['security']),
  ]);
  return screen;
});
