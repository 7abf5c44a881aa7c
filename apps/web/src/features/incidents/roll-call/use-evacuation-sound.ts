/** The sound of an evacuation on a signed-in screen of staff. */
import { useCallback, useEffect, useState } from 'react';
import { SOUND_MS, startSound } from '../../../ui/alarm-sound.ts';

/** The evacuation that was silenced on this page; the roll call may be mounted again. */
let silenced: string | null = null;

export interface EvacuationSound {
  readonly isSounding: boolean;
  /** Ends the sound of this evacuation on this page. */
  readonly silence: () => void;
}

/** Sounds until it is silenced, for five minutes at most: nobody acknowledges an evacuation. Null: there is none. */
export function useEvacuationSound(id: string | null): EvacuationSound {
  const [silencedId, setSilencedId] = useState(silenced);
  const isSounding = id !== null && id !== silencedId;
  const silence = useCallback(() => {
    if (id === null) return;
    silenced = id;
    setSilencedId(id);
  }, [id]);
  useEffect(() => {
    if (!isSounding) return;
    const stop = startSound();
    const timer = setInterval(silence, SOUND_MS);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [isSounding, silence]);
  return { isSounding, silence };
}
