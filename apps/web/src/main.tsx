/** Starts the web app: loads the texts, then renders. */
import './ui/global.css';
import '@fontsource-variable/readex-pro';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import './ui/theme.css';
// Styles of the dashboard's static frame, which is part of the page (bundling/static-frame.ts).
import './features/dashboard/frame/glance.module.css';
import './features/dashboard/frame/screen.module.css';
import './features/dashboard/frame/top.module.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { frameLoaded } from './app/frame.ts';
import { mayReload } from './app/lazy-screen.ts';
import { createRouter } from './app/router.tsx';
import { watchForUpdates } from './app/update.ts';
import { createQueryClient } from './calls/query-client.ts';
import { startI18n } from './i18n/i18n.ts';
import { restorePlace } from './start/facility-place.ts';

// Created at once, so that the router loads the first screen in parallel with the texts.
const router = createRouter();
const client = createQueryClient();
restorePlace();

/**
 * Not awaited at module level: the frame is a separate chunk that imports this one and runs only after it has finished.
 */
async function open(root: HTMLElement): Promise<void> {
  try {
    await startI18n();
  } catch (error) {
    // Without texts, only the error message of index.html can be shown.
    if (mayReload()) location.reload();
    else document.documentElement.dataset.failed = '';
    throw error;
  }
  // Keep the static frame of the dashboard until React can render the same.
  await frameLoaded();
  // In a transition, so that the browser paints the static frame meanwhile.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App router={router} client={client} />
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
