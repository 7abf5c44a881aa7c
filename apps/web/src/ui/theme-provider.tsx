/**
 * The component library's provider without what writes style sheets at run time: ours is one of the page
 * (bundling/theme-css.ts). `data-respect-reduced-motion` stands in index.html.
 */
import {
  localStorageColorSchemeManager,
  MantineContext,
  MantineThemeProvider,
  useProviderColorScheme,
} from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { theme } from './theme.ts';

/** Where the choice of light or dark is kept; public/boot.js reads it too. */
const SCHEME_STORAGE_KEY = 'haris.scheme';

const manager = localStorageColorSchemeManager({ key: SCHEME_STORAGE_KEY });
const getRootElement = () => document.documentElement;

/** Theme and scheme for everything below. */
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
