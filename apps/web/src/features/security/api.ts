/** Calls for the second factors and sessions of a person's own account. */
import { factorRoutes } from '@haris/contract/http/factors';
import { sessionRoutes } from '@haris/contract/http/session';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../calls/http.ts';

export const factorsKey = ['account', 'factors'] as const;
export const sessionsKey = ['account', 'sessions'] as const;

export function useFactors() {
  return useQuery({
    queryKey: factorsKey,
    queryFn: ({ signal }) => call(factorRoutes.listFactors, { signal }),
    staleTime: 0,
  });
}

export function useSessions() {
  return useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => call(sessionRoutes.listSessions, { signal }),
    staleTime: 0,
  });
}
