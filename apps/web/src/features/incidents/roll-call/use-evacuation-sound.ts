/** The sound of an evacuation on a screen of staff, and of each danger that comes while it runs. */
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { SOUND_MS, startSound } from '../../../ui/alarm-sound.ts';
import { airKey } from '../air-check.ts';
import { isInAir, type ShownDanger } from '../danger/shown-danger.ts';

interface Silenced {
  /** Id of the evacuation. */
  readonly id: string;
  /** The dangers that nobody had acknowledged then, by {@link causeOf}. */
  readonly causes: ReadonlySet<string>;
}

/** What was silenced on this page; the roll call may be mounted again. */
let silencedBefore: Silenced | null = null;

/** The page's own finding and the server's incident of the same condition are one cause. */
function causeOf(danger: ShownDanger): string {
  return isInAir(danger) && danger.area !== null ? airKey(danger.kind, danger.area) : danger.key;
}

export interface EvacuationSound {
  readonly isSounding: boolean;
  /** Ends the sound on this page; a danger that comes later sounds again. */
  readonly silence: () => void;
  /** After a mark: whoever marks has heard the evacuation. A danger that came afterwards goes on until it is silenced. */
  readonly mark: () => void;
  /** A danger that this page has reported itself makes no sound here; `key` is that of the danger. */
  readonly reported: (key: string) => void;
}

/**
 * Sounds until it is silenced, for five minutes at most, because nobody acknowledges an evacuation; then again for each new
 * danger that nobody has acknowledged. `id` null: there is no evacuation, and the dialog of the dangers has the sound.
 */
export function useEvacuationSound(id: string | null, dangers: readonly ShownDanger[]): EvacuationSound {
  const [silenced, setSilenced] = useState(silencedBefore);
  const change = useCallback((next: Silenced) => {
    silencedBefore = next;
    setSilenced(next);
  }, []);
  const open = useMemo(
    () => new Set(dangers.filter(({ isAnswered }) => !isAnswered).map(causeOf)),
    [dangers],
  );
  const known = silenced?.id === id ? silenced.causes : null;
  const news = [...open].filter((cause) => known === null || !known.has(cause));
  const sounding = id === null ? [] : known === null ? [id, ...news] : news;
  const isSounding = sounding.length > 0;
  const isHeard = known !== null;

  const silence = useCallback(() => {
    if (id !== null) change({ id, causes: open });
  }, [id, open, change]);
  const mark = useCallback(() => {
    if (!isHeard) silence();
  }, [isHeard, silence]);
  const reported = (key: string) => {
    // As it is now: the call that reported it took its time.
    const now = silencedBefore;
    if (now !== null && now.id === id) change({ ...now, causes: new Set([...now.causes, key]) });
  };

  // What is over sounds again when it comes back.
  const present = useMemo(() => new Set(dangers.map(causeOf)), [dangers]);
  const presentBefore = useRef(present);
  const forget = useEffectEvent((over: ReadonlySet<string>) => {
    if (silenced === null || ![...over].some((cause) => silenced.causes.has(cause))) return;
    change({ ...silenced, causes: new Set([...silenced.causes].filter((cause) => !over.has(cause))) });
  });
  useEffect(() => {
    forget(new Set([...presentBefore.current].filter((cause) => !present.has(cause))));
    presentBefore.current = present;
  }, [present]);

  useEffect(() => (isSounding ? startSound() : undefined), [isSounding]);
  const onLong = useEffectEvent(silence);
  // As one text, so that a new danger sounds for its whole time.
  const all = sounding.join(' ');
  useEffect(() => {
    if (all === '') return;
    const timer = setInterval(onLong, SOUND_MS);
    return () => clearInterval(timer);
  }, [all]);
  return { isSounding, silence, mark, reported };
}
