/** Keeps a kiosk on its page: no way back, no menu, full screen after the first touch. The system must do the rest. */
import { useEffect } from 'react';

export function useLockedPage(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    // Back leads to this page again.
    const stay = () => history.pushState(history.state, '', location.href);
    stay();
    const stop = (event: Event) => event.preventDefault();
    const fill = () => {
      if (document.fullscreenElement) return;
      // Not every browser can, and some ask for a touch first.
      void document.documentElement.requestFullscreen?.().catch(() => {});
    };
    addEventListener('popstate', stay);
    addEventListener('contextmenu', stop);
    addEventListener('dragstart', stop);
    addEventListener('pointerup', fill);
    return () => {
      removeEventListener('popstate', stay);
      removeEventListener('contextmenu', stop);
      removeEventListener('dragstart', stop);
      removeEventListener('pointerup', fill);
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
    };
  }, [active]);
}
