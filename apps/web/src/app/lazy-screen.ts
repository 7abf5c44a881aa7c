/** Screens load when they are wanted; one that fails to load reloads the page, once (spec §4). */
import type { ComponentType } from 'react';
import { startData } from '../client/start-data.ts';
import { loadTexts, type TextNamespace } from '../i18n/i18n.ts';

/** The code of a screen could not be fetched, most often because a newer version has replaced it. */
export class ScreenLoadError extends Error {}

const RELOADED_KEY = 'haris.reloadedAt';
/** A second failure within this time is not cured by reloading: the error screen shows instead. */
const RELOAD_PAUSE_MS = 30_000;

type LoadScreen = () => Promise<{ default: ComponentType }>;

/**
 * `lazy` of a route, from an import of a module whose default export is the screen, and the texts that it shows, which
 * are fetched beside it, as are the component library's styles.
 */
export function lazyScreen(load: LoadScreen, ...texts: readonly TextNamespace[]) {
  return lightScreen(
    async () => {
      const styles = import('../ui/library-styles.ts');
      // Whatever comes of it is heard below.
      styles.catch(() => {});
      await startData();
      const [screen] = await Promise.all([load(), styles]);
      return screen;
    },
    ...texts,
  );
}

/** The same for a screen that uses nothing of the component library. */
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

/** True when the page may be reloaded for a failed screen; the caller does it then. */
export function mayReload(): boolean {
  try {
    const reloadedAt = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0);
    if (Date.now() - reloadedAt < RELOAD_PAUSE_MS) return false;
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
    return true;
  } catch {
    // Without storage a reload could go on for ever.
    return false;
  }
}
