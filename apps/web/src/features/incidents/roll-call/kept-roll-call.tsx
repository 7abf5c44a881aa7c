/** Shows the roll call that this device stored last, for a reload while the server cannot be reached. */
import { useEffect, useState } from 'react';
import { listenForFirstTouch } from '../../../ui/alarm-sound.ts';
import type { ShownDanger } from '../danger/shown-danger.ts';
import { type KeptList, openList } from './kept-list.ts';
import { RollCallOf } from './roll-call.tsx';

const NO_DANGERS: readonly ShownDanger[] = [];

export function KeptRollCall() {
  const [kept, setKept] = useState<KeptList | null>(null);
  useEffect(() => {
    void openList().then(setKept);
  }, []);
  useEffect(listenForFirstTouch, []);
  if (kept === null) return null;
  return (
    <RollCallOf
      evacuation={kept.evacuation}
      staffId={kept.staffId}
      dangers={NO_DANGERS}
      keptAt={new Date(kept.keptAt).toISOString()}
      mayTick={kept.mayTick}
      mayAdd={kept.mayTick}
      maySearch={kept.mayTick}
      cards={kept.cards}
    />
  );
}
