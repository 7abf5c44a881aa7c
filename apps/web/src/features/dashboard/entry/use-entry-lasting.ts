/** How long the stays of a check-in last: as the family came last, until somebody chooses another. */
import type { UsualEntry } from '@haris/contract/http/search';
import type { Child } from '@haris/contract/objects';
import { useState } from 'react';
import { useMinute } from '../../../facilities/use-minute.ts';
import type { Lasting } from '../stays/check-in.ts';
import { useStayEnds } from './use-stay-ends.ts';
import { usualLasting } from './usual-lasting.ts';

/** `chosen`: the children who come in. `usual`: how their family came last; undefined before a family is known. */
export function useEntryLasting(chosen: readonly Child[], usual: UsualEntry | undefined) {
  const [picked, setLasting] = useState<Lasting | null>(null);
  const ends = useStayEnds(chosen);
  const now = useMinute();
  return {
    lasting: picked ?? usualLasting(usual, ends, now),
    /** Null: as the family came last. */
    setLasting,
  };
}
