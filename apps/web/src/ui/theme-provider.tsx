/**
 * MantineProvider without runtime CSS injection, because the page has a static style sheet (bundling/theme-css.ts).
 * index.html sets `data-respect-reduced-motion`.
 */
import {
  localStorageColorSchemeManager,
  MantineContext,
  MantineThemeProvider,
  useProviderColorScheme,
} from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { theme } from './theme.ts';

/** Storage key of the colour scheme; public/boot.js reads it too. */
const SCHEME_STORAGE_KEY = 'haris.scheme';

const manager = localStorageColorSchemeManager({ key: SCHEME_STORAGE_KEY });
const getRootElement = () => document.documentElement;

/** The theme with the only words of the library that a screen does not give: they would be English on every screen. */
function useThemeInWords(): typeof theme {
  const { t } = useTranslation('common');
  const showPassword = t('showPassword');
  return useMemo(
    () => ({
      ...theme,
      components: {
        ...theme.components,
        PasswordInput: {
          defaultProps: {
            ...theme.components?.PasswordInput?.defaultProps,
            visibilityToggleButtonProps: { 'aria-label': showPassword },
          },
        },
      },
    }),
    [showPassword],
  );
}

/** Provides the theme and the colour scheme. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const worded = useThemeInWords();
  const { colorScheme, setColorScheme, clearColorScheme } = useProviderColorScheme({
    manager,
    defaultColorScheme: 'auto',
    getRootElement,
    forceColorScheme: undefined,
  });
  const context = useMemo(
    () => ({
      colorScheme,
      setColorScheme,
      clearColorScheme,
      getRootElement,
      classNamesPrefix: 'mantine',
      cssVariablesSelector: ':root',
      withStaticClasses: true,
    }),
    [colorScheme, setColorScheme, clearColorScheme],
  );
  return (
    <MantineContext value={context}>
      <MantineThemeProvider theme={worded}>{children}</MantineThemeProvider>
    </MantineContext>
  );
}
