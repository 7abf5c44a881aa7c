/** Queries of care cards: the signs of all children, one card, and the cards for a roll call (decision 050). */
import { type CareSign, careRoutes } from '@haris/contract/http/care';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../calls/http.ts';
import { keys } from '../calls/query-client.ts';
import { useMay } from '../session/may.ts';

interface CareSigns {
  readonly signs: ReadonlyMap<string, CareSign>;
  /** Whether entry slips name the allergies. */
  readonly onSlip: boolean;
}

const NONE: CareSigns = { signs: new Map(), onSlip: false };

function byChild({ signs, onSlip }: { signs: readonly CareSign[]; onSlip: boolean }): CareSigns {
  return { signs: new Map(signs.map((sign) => [sign.childId, sign])), onSlip };
}

/** The signs of the facility's children by id; none for people who may not see them. */
export function useCareSigns(): CareSigns {
  const maySee = useMay()('care.view');
  const { data } = useQuery({
    queryKey: [keys.care, 'signs'],
    queryFn: ({ signal }) => call(careRoutes.listCareSigns, { signal }),
    select: byChild,
    enabled: maySee,
  });
  return maySee ? (data ?? NONE) : NONE;
}

/** The card of a child. Each reading by staff is recorded, so it is read only when somebody opens it. */
export function careCardQuery(childId: string) {
  return queryOptions({
    queryKey: [keys.care, 'card', childId],
    queryFn: ({ signal }) => call(careRoutes.getCareCard, { params: { id: childId }, signal }),
  });
}

/**
 * The cards of the children on a roll call, read again when their number changes; undefined until they are known. None
 * for people who may not see them.
 */
export function useEvacuationCards(evacuationId: string | undefined, children: number) {
  const maySee = useMay()('care.view');
  const { data } = useQuery({
    queryKey: [keys.care, 'evacuation', evacuationId, children],
    queryFn: ({ signal }) => call(careRoutes.listEvacuationCareCards, { signal }),
    enabled: maySee && evacuationId !== undefined,
    placeholderData: keepPreviousData,
  });
  return maySee ? data?.cards : NO_CARDS;
}

const NO_CARDS: never[] = [];
