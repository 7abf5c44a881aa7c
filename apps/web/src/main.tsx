/** Starts the web app: texts first, then the page. */
import './ui/global.css';
import '@fontsource-variable/readex-pro';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { mayReload } from './app/lazy-screen.ts';
import { watchForUpdates } from './app/update.ts';
import { startI18n } from './i18n/i18n.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
try {
  await startI18n();
} catch (error) {
  // Without texts there is nothing to show but what index.html says then.
  if (mayReload()) location.reload();
  else document.documentElement.dataset.failed = '';
  throw error;
}
// In pieces that give way: the browser paints what stands there meanwhile.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
if (import.meta.env.PROD) {
  if (document.readyState === 'complete') void watchForUpdates();
  else addEventListener('load', () => void watchForUpdates(), { once: true });
}
