/** The dialog of care cards over every screen; its code loads once the page is idle, or on first use. */
import { useEffect, useState } from 'react';
import { useOpenCareCard } from '../care/open-card.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { useLoaded } from '../ui/load-again.ts';
import { whenIdle } from '../ui/when-idle.ts';

/** Milliseconds. */
const IDLE_AT_MOST_MS = 5_000;

async function loadCard() {
  const [loaded] = await Promise.all([import('../care/care-dialog.tsx'), loadTexts(['care-card'])]);
  return loaded.CareDialog;
}

export function CareHost() {
  const { isOpen } = useOpenCareCard();
  const [isIdle, setIdle] = useState(false);
  // Early, so that it opens without a connection too.
  useEffect(() => whenIdle(() => setIdle(true), IDLE_AT_MOST_MS), []);
  const CareDialog = useLoaded(loadCard, isIdle || isOpen);
  return CareDialog === null ? null : <CareDialog />;
}
