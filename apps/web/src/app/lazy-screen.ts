/** Loads screens on demand. A screen that fails to load reloads the page once (spec §4). */
import type { ComponentType } from 'react';
import { loadTexts, MESSAGES, type TextNamespace } from '../i18n/i18n.ts';
import { startData } from '../start/start-data.ts';

/** The code of a screen failed to load, most often because a newer version has replaced it. */
export class ScreenLoadError extends Error {}

const RELOADED_KEY = 'haris.reloadedAt';
/** Reloading would not help against a second failure within this time: show the error screen instead. Milliseconds. */
const RELOAD_PAUSE_MS = 30_000;

type LoadScreen = () => Promise<{ default: ComponentType }>;

/**
 * `lazy` of a route. Imports the module whose default export is the screen. In parallel, it fetches the screen's texts, those
 * of failures, and the component library's styles.
 */
export function lazyScreen(load: LoadScreen, ...texts: readonly TextNamespace[]) {
  return lightScreen(
    async () => {
      const styles = import('../ui/library-styles.ts');
      // `Promise.all` below reports a failure; this prevents an unhandled rejection.
      styles.catch(() => {});
      await startData();
      const [screen] = await Promise.all([load(), styles]);
      return screen;
    },
    ...MESSAGES,
    ...texts,
  );
}

/** Same for a screen that uses no part of the component library. */
export function lightScreen(load: LoadScreen, ...texts: readonly TextNamespace[]) {
  return async () => {
    try {
      const [screen] = await Promise.all([load(), loadTexts(texts)]);
      return { Component: screen.default };
    } catch (cause) {
      throw new ScreenLoadError('A screen could not be loaded', { cause });
    }
  };
}

/** Returns whether the caller may reload the page for a failed screen. */
export function mayReload(): boolean {
  try {
    const reloadedAt = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0);
    if (Date.now() - reloadedAt < RELOAD_PAUSE_MS) return false;
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
    return true;
  } catch {
    // Without storage, the page could reload endlessly.
    return false;
  }
}
