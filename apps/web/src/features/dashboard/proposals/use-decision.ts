/** Sends the desk's decision about a proposal: accepted or rejected, with the displayed revision. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { childRoutes } from '@haris/contract/http/children';
import type { Child, Parent } from '@haris/contract/objects';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../calls/api-error.ts';
import { showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { notifySuccess } from '../../../ui/toast.ts';

/** The child or parent whom a decision is about. */
export type Waiting =
  | { readonly kind: 'child'; readonly of: Child }
  | { readonly kind: 'parent'; readonly of: Parent };

export interface Decision {
  accept: boolean;
  /** True if staff accept the photo although they have seen the look-alikes. */
  confirm: boolean;
  /** Revision of what staff saw. */
  revision: string | undefined;
}

/** Sends the decision about the displayed revision, then refetches the families and children. */
export function useDecision({ kind, of }: Waiting, onDone: () => void) {
  const { t } = useTranslation('dashboard');
  const client = useQueryClient();
  const readAgain = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: [keys.parents] }),
      client.invalidateQueries({ queryKey: [keys.children] }),
    ]);
  return useMutation({
    mutationFn: async (body: Decision) => {
      const request = { params: { id: of._id }, body };
      if (kind === 'child') await call(childRoutes.confirmChild, request);
      else await call(accountRoutes.confirmParent, request);
    },
    onSuccess: (_, { accept }) => {
      notifySuccess(t(accept ? 'proposals.accepted' : 'proposals.rejected'));
      onDone();
    },
    onError: (error) => {
      // The dialog itself shows the look-alikes.
      if (!(error instanceof ApiError && error.code === 'face_already_registered')) showFailure(error);
    },
    onSettled: readAgain,
  });
}

/** Rejects what the family sent for a child, as it was displayed, also after the form has closed. */
export function useRejection(): (child: Child) => Promise<void> {
  const { t } = useTranslation('dashboard');
  const client = useQueryClient();
  return async ({ _id, proposal }) => {
    try {
      const body = { accept: false, confirm: false, revision: proposal?.revision };
      await call(childRoutes.confirmChild, { params: { id: _id }, body });
      notifySuccess(t('proposals.rejected'));
    } catch (error) {
      showFailure(error);
    }
    await client.invalidateQueries({ queryKey: [keys.parents] });
    await client.invalidateQueries({ queryKey: [keys.children] });
  };
}

/** Number of families with a proposal; undefined until loaded. */
export function useWaitingCount(): number | undefined {
  const { data } = useQuery({
    queryKey: [keys.parents, 'waiting'],
    queryFn: ({ signal }) =>
      call(accountRoutes.listParents, { query: { pending: 'true', limit: '1' }, signal }),
  });
  return data?.total;
}
