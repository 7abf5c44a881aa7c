/** Shows the roll call that this device stored last, for a reload while the server cannot be reached. */
import { useEffect, useState } from 'react';
import { type KeptList, openList } from './kept-list.ts';
import { RollCallOf } from './roll-call.tsx';

export function KeptRollCall() {
  const [kept, setKept] = useState<KeptList | null>(null);
  useEffect(() => {
    void openList().then(setKept);
  }, []);
  if (kept === null) return null;
  return (
    <RollCallOf
      evacuation={kept.evacuation}
      staffId={kept.staffId}
      dangers={[]}
      keptAt={new Date(kept.keptAt).toISOString()}
      mayTick={kept.mayTick}
      mayAdd={kept.mayTick}
      maySearch={kept.mayTick}
      cards={kept.cards}
    />
  );
}
