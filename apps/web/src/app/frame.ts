/** The frame of the dashboard, drawn by React in place of the static frame of bundling/static-frame.ts. */
import { type ComponentType, lazy } from 'react';
import { loadTexts } from '../i18n/i18n.ts';
import { opensWithFrame } from '../start/frame-paint.ts';
import { LoadingScreen } from '../ui/loading-screen.tsx';

async function loadFrame(): Promise<{ default: ComponentType }> {
  try {
    const [frame] = await Promise.all([
      import('../features/dashboard/frame/dashboard-frame.tsx'),
      loadTexts(['dashboard']),
    ]);
    return frame;
  } catch {
    // The screen itself shows the error.
    return { default: LoadingScreen };
  }
}

// Fetched in parallel with the screen's own code, before the first render.
const first = opensWithFrame ? loadFrame() : null;

export const DashboardFrame = lazy(() => first ?? loadFrame());

/** Resolves once the code of the frame has loaded, or at once if the page opens without a frame. Never rejects. */
export async function frameLoaded(): Promise<void> {
  await first;
}
