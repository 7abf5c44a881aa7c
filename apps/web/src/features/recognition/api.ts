/** The calls by which an adult lets the cameras recognise them, and takes it back. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { recognitionRoutes } from '@haris/contract/http/recognition';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../client/http.ts';
import { keys } from '../../client/query-client.ts';
import { useParent, useSession } from '../../client/session.tsx';
import type { RecognitionAccount } from './recognition-panel.tsx';

function photoForm(photo: File): FormData {
  const form = new FormData();
  form.set('photo', photo);
  return form;
}

/** The signed-in parent, who is known by the photo of the account. */
export function useGuardian(): RecognitionAccount {
  const client = useQueryClient();
  const { _id: id, photo } = useParent();
  // Below the parents: what happens to the account at the desk is shown here, too.
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
    // The photo may have been kept although it cannot be used.
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

/** The signed-in member of staff, whose photo is looked at and not kept. */
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
