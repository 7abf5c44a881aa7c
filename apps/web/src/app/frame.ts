/** The frame of the dashboard, and when the first drawing has it: it takes the place of the one that index.html has. */
import { type ComponentType, lazy } from 'react';
import { opensWithFrame } from '../client/frame-paint.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { LoadingScreen } from '../ui/loading-screen.tsx';

async function loadFrame(): Promise<{ default: ComponentType }> {
  try {
    const [frame] = await Promise.all([
      import('../features/dashboard/dashboard-frame.tsx'),
      loadTexts(['dashboard']),
    ]);
    return frame;
  } catch {
    // The screen itself will say what is wrong.
    return { default: LoadingScreen };
  }
}

// Fetched beside the screen's own code and not after the first drawing.
const first = opensWithFrame ? loadFrame() : null;

export const DashboardFrame = lazy(() => first ?? loadFrame());

/** Ends once the first drawing of a page that opens with a frame has it; at once on any other. Never fails. */
export async function frameLoaded(): Promise<void> {
  await first;
}
