/** Name, phone number, time zone and region of the facility, for every screen. */
import { operationRoutes } from '@haris/contract/http/operations';
import type { Facility } from '@haris/contract/objects';
import { useQuery } from '@tanstack/react-query';
import { configAnswerQuery } from '../start/config-answer.ts';

function facilityIn(answer: unknown): Facility | null {
  const parsed = operationRoutes.getClientConfig.answer.safeParse(answer);
  return parsed.success ? parsed.data.facility : null;
}

/** The facility; null until it is known, and if the server's answer cannot be read. */
export function useFacility(): Facility | null {
  return useQuery({ ...configAnswerQuery, select: facilityIn }).data ?? null;
}
