/** Asks the parent to become a guardian of a child of another family. The cards load when there is a question: few ever get one. */
import { guardianRoutes } from '@haris/contract/http/guardians';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { failureText } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { loadTexts } from '../../i18n/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { useLoaded } from '../../ui/load-again.ts';
import { ErrorState } from '../../ui/states.tsx';
import styles from './profile.module.css';

export const guardianRequestsQuery = queryOptions({
  queryKey: [keys.guardians, 'requests'],
  queryFn: async ({ signal }) => (await call(guardianRoutes.listGuardianRequests, { signal })).requests,
});

async function loadCard() {
  const [loaded] = await Promise.all([
    import('./guardian-request-card.tsx'),
    loadTexts(['guardian-request']),
  ]);
  return loaded.GuardianRequestCard;
}

/** Shows nothing without a question, and while that is not known. */
export function GuardianRequests() {
  const { data: requests, error, isRefetching, refetch } = useQuery(guardianRequestsQuery);
  const RequestCard = useLoaded(loadCard, requests !== undefined && requests.length > 0);
  const place = useRef<HTMLDivElement>(null);
  if (requests === undefined)
    return error === null ? null : (
      <Card p="md" mb="md">
        <ErrorState text={failureText(error)} onRetry={() => void refetch()} busy={isRefetching} />
      </Card>
    );
  return (
    <div ref={place} tabIndex={-1} className={styles.things}>
      {RequestCard === null
        ? null
        : requests.map((request) => (
            <RequestCard
              key={request.childId}
              request={request}
              // The card goes, and what was pressed with it.
              onAnswered={() => place.current?.focus({ preventScroll: true })}
            />
          ))}
    </div>
  );
}
