/** Starts the web app: texts first, then the page. */
import './ui/global.css';
import '@fontsource-variable/readex-pro';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import './ui/theme.css';
// The page has the frame of the dashboard in it (bundling/static-frame.ts).
import './features/dashboard/glance.module.css';
import './features/dashboard/screen.module.css';
import './features/dashboard/sidebar.module.css';
import './features/dashboard/top.module.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { frameLoaded } from './app/frame.ts';
import { mayReload } from './app/lazy-screen.ts';
import { watchForUpdates } from './app/update.ts';
import { startI18n } from './i18n/i18n.ts';

/** Not awaited by the module: the frame is a file of its own, and needs this one to have ended. */
async function open(root: HTMLElement): Promise<void> {
  try {
    await startI18n();
  } catch (error) {
    // Without texts there is nothing to show but what index.html says then.
    if (mayReload()) location.reload();
    else document.documentElement.dataset.failed = '';
    throw error;
  }
  // What stands there of the dashboard stays until the same can be drawn in its place.
  await frameLoaded();
  // In pieces that give way: the browser paints what stands there meanwhile.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
void open(root);
if (import.meta.env.PROD) {
  if (document.readyState === 'complete') void watchForUpdates();
  else addEventListener('load', () => void watchForUpdates(), { once: true });
}
