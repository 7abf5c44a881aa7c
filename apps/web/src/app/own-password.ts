/** The screen on which staff set a password of their own; its code and texts load on first use. */
import { lazy } from 'react';
import { loadTexts } from '../i18n/i18n.ts';

export const OwnPassword = lazy(async () => {
  const [screen] = await Promise.all([
    import('../features/password/own-password-screen.tsx'),
    import('../ui/library-styles.ts'),
    loadTexts(['password', 'auth']),
  ]);
  return screen;
});
