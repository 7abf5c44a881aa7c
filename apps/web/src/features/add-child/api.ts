/** Calls of adding a child: the guide, the face's encoding, the child. */
import { childRoutes } from '@haris/contract/http/children';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getConfig } from '../../client/config.ts';
import { call } from '../../client/http.ts';
import { keys, refetchStale } from '../../client/query-client.ts';
import type { FaceAnswer } from './guide.ts';
import type { Photo } from './picture.ts';

/** A photo and an encoding travel over a phone's uplink. */
const UPLOAD_TIMEOUT_MS = 60_000;
/** A guide's answer that is later than this describes a picture nobody sees any more. */
const GUIDE_TIMEOUT_MS = 4000;

/** Asks what is wrong with a small picture. Nothing is kept of it. */
export function askGuide(picture: Blob, signal: AbortSignal): Promise<FaceAnswer> {
  const form = new FormData();
  form.append('image', picture, 'frame.jpg');
  return call(childRoutes.guideFace, { form, signal, timeoutMs: GUIDE_TIMEOUT_MS });
}

export interface NewChild {
  parentId: string;
  name: string;
  photo: Photo;
  /** Staff have said that it is another child than those that look like it. */
  confirm: boolean;
}

/**
 * Saves a child as spec §7 has it: the register host makes the encoding, which goes with the child to the server.
 * The encoding of a photo is asked for once, also when the question about a known face sends the child again.
 */
export function useSaveChild() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ parentId, name, photo, confirm }: NewChild) => {
      const { registerUrl } = await getConfig(client);
      const encoding = await client.ensureQueryData({
        queryKey: ['encoding', photo.url],
        queryFn: () => {
          const form = new FormData();
          form.append('image', photo.blob, photo.fileName);
          form.append('childName', name);
          form.append('parentId', parentId);
          return call(childRoutes.registerFace, {
            form,
            baseUrl: registerUrl,
            timeoutMs: UPLOAD_TIMEOUT_MS,
          }).then(({ data }) => data.encoding);
        },
      });
      const form = new FormData();
      form.append('name', name);
      form.append('photo', photo.blob, photo.fileName);
      form.append('encoding', JSON.stringify(encoding));
      if (confirm) form.append('confirm', 'true');
      return call(childRoutes.createChild, { params: { parentId }, form, timeoutMs: UPLOAD_TIMEOUT_MS });
    },
    onSuccess: () => refetchStale(client, [keys.session, keys.children, keys.parents]),
  });
}
