/** The screen for an own password, whose code and texts come when somebody has to see it. */
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
