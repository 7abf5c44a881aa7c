/** Sends the desk's decision about a proposal: accepted or rejected, with the revision that was shown. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { childRoutes } from '@haris/contract/http/children';
import type { Child, Parent } from '@haris/contract/objects';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../client/api-error.ts';
import { showFailure } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { keys } from '../../client/query-client.ts';
import { notifySuccess } from '../../ui/toast.ts';

/** Whom a decision is about. */
export type Waiting =
  | { readonly kind: 'child'; readonly of: Child }
  | { readonly kind: 'parent'; readonly of: Parent };

export interface Decision {
  accept: boolean;
  /** Staff have seen who looks alike. */
  confirm: boolean;
}

/** Sends the decision about the revision on screen. What somebody else changed meanwhile is read again. */
export function useDecision({ kind, of }: Waiting, onDone: () => void) {
  const { t } = useTranslation('dashboard');
  const client = useQueryClient();
  const readAgain = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: [keys.parents] }),
      client.invalidateQueries({ queryKey: [keys.children] }),
    ]);
  return useMutation({
    mutationFn: async ({ accept, confirm }: Decision) => {
      const request = {
        params: { id: of._id },
        body: { accept, confirm, revision: of.proposal?.revision },
      };
      if (kind === 'child') await call(childRoutes.confirmChild, request);
      else await call(accountRoutes.confirmParent, request);
    },
    onSuccess: (_, { accept }) => {
      notifySuccess(t(accept ? 'proposals.accepted' : 'proposals.rejected'));
      onDone();
    },
    onError: (error) => {
      // Who looks alike is asked in the dialog.
      if (!(error instanceof ApiError && error.code === 'face_already_registered')) showFailure(error);
    },
    onSettled: readAgain,
  });
}

/** How many families have something that waits; undefined while nobody knows. */
export function useWaitingCount(): number | undefined {
  const { data } = useQuery({
    queryKey: [keys.parents, 'waiting'],
    queryFn: ({ signal }) =>
      call(accountRoutes.listParents, { query: { pending: 'true', limit: '1' }, signal }),
  });
  return data?.total;
}
