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
import { theme } from './theme.ts';

/** Storage key of the colour scheme; public/boot.js reads it too. */
const SCHEME_STORAGE_KEY = 'haris.scheme';

const manager = localStorageColorSchemeManager({ key: SCHEME_STORAGE_KEY });
const getRootElement = () => document.documentElement;

/** Provides the theme and the colour scheme. */
export function ThemeProvider({ children }: { children: ReactNode }) {
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
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  );
}
