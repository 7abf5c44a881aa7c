/** Calls with which adults turn their recognition by cameras on and off. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { recognitionRoutes } from '@haris/contract/http/recognition';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { useParent, useSession } from '../../session/session.tsx';
import type { RecognitionAccount } from './recognition-panel.tsx';

function photoForm(photo: File): FormData {
  const form = new FormData();
  form.set('photo', photo);
  return form;
}

/** Recognition of the signed-in parent, by the photo of the account. */
export function useGuardian(): RecognitionAccount {
  const client = useQueryClient();
  const { _id: id, photo } = useParent();
  // The key starts with that of parents, so that changes at the desk refetch this query too.
  const key = [keys.parents, 'recognition', id] as const;
  const state = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(recognitionRoutes.getParentRecognition, { params: { id }, signal }),
  });
  const start = useMutation({
    mutationFn: async (chosen: File | null) => {
      if (chosen) await call(accountRoutes.updateParent, { params: { id }, form: photoForm(chosen) });
      return call(recognitionRoutes.startParentRecognition, { params: { id } });
    },
    onSuccess: (answer) => client.setQueryData(key, answer),
    // The server may have stored the photo although recognition cannot use it.
    onSettled: () => client.invalidateQueries({ queryKey: [keys.session] }),
  });
  const replace = useMutation({
    mutationFn: (chosen: File) =>
      call(accountRoutes.updateParent, { params: { id }, form: photoForm(chosen) }),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: key });
      await client.invalidateQueries({ queryKey: [keys.session] });
    },
  });
  const stop = useMutation({
    mutationFn: () => call(recognitionRoutes.stopParentRecognition, { params: { id } }),
    onSuccess: (answer) => client.setQueryData(key, answer),
  });
  return {
    state,
    isBusy: start.isPending || replace.isPending || stop.isPending,
    start: start.mutateAsync,
    replace: replace.mutateAsync,
    stop: () => stop.mutateAsync(),
    photo,
  };
}

/** Recognition of the signed-in staff member, whose photo is analysed but not stored. */
export function useColleague(): RecognitionAccount {
  const client = useQueryClient();
  const key = [keys.admins, 'recognition', useSession().admin.identity?._id] as const;
  const state = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(recognitionRoutes.getOwnRecognition, { signal }),
  });
  const start = useMutation({
    mutationFn: async (chosen: File | null) => {
      if (chosen === null) throw new Error('A photo comes first');
      return call(recognitionRoutes.startOwnRecognition, { form: photoForm(chosen) });
    },
    onSuccess: (answer) => client.setQueryData(key, answer),
  });
  const stop = useMutation({
    mutationFn: () => call(recognitionRoutes.stopOwnRecognition),
    onSuccess: (answer) => client.setQueryData(key, answer),
  });
  return {
    state,
    isBusy: start.isPending || stop.isPending,
    start: start.mutateAsync,
    replace: start.mutateAsync,
    stop: () => stop.mutateAsync(),
    photo: null,
  };
}
