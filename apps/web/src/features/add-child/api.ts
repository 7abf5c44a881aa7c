/** Calls for adding a child: the guide, the encoding of the face, the child. */
import { childRoutes } from '@haris/contract/http/children';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getConfig } from '../../calls/config.ts';
import { call } from '../../calls/http.ts';
import { keys, refetchStale } from '../../calls/query-client.ts';
import type { FaceAnswer } from './guide.ts';
import type { Photo } from './picture.ts';

/** Timeout that allows for uploading a photo and an encoding from a phone. */
const UPLOAD_TIMEOUT_MS = 60_000;
/** A later response would describe a picture that is no longer visible. Milliseconds. */
const GUIDE_TIMEOUT_MS = 4000;

/** Checks a small picture for problems. The server does not store it. */
export function askGuide(picture: Blob, signal: AbortSignal): Promise<FaceAnswer> {
  const form = new FormData();
  form.append('image', picture, 'frame.jpg');
  return call(childRoutes.guideFace, { form, signal, timeoutMs: GUIDE_TIMEOUT_MS });
}

export interface NewChild {
  parentId: string;
  name: string;
  /** `YYYY-MM-DD`; null: not known. */
  birthDate: string | null;
  photo: Photo;
  /** Further photos, from other angles. */
  more: readonly Photo[];
  /** Null: the server knows it. */
  facilityId: string | null;
  /** True if staff have confirmed that this is another child than the similar ones. */
  confirm: boolean;
}

/** Adds photos of a child one by one; returns the failures. */
async function addPhotos(id: string, photos: readonly Photo[]): Promise<Error[]> {
  const failures: Error[] = [];
  for (const { blob, fileName } of photos) {
    const form = new FormData();
    form.append('photo', blob, fileName);
    try {
      await call(childRoutes.addChildPhoto, { params: { id }, form, timeoutMs: UPLOAD_TIMEOUT_MS });
    } catch (error) {
      failures.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  return failures;
}

/**
 * Saves a child (spec §7): the register host computes the encoding, which goes to the server with the child. Each photo
 * is encoded only once, even if staff confirm a known face and the child is sent again. `failures`: why further photos were
 * not added; the child exists nevertheless.
 */
export function useSaveChild() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ parentId, name, birthDate, photo, more, facilityId, confirm }: NewChild) => {
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
      if (birthDate !== null) form.append('birthDate', birthDate);
      if (facilityId !== null) form.append('facilityId', facilityId);
      form.append('photo', photo.blob, photo.fileName);
      form.append('encoding', JSON.stringify(encoding));
      if (confirm) form.append('confirm', 'true');
      const saved = await call(childRoutes.createChild, {
        params: { parentId },
        form,
        timeoutMs: UPLOAD_TIMEOUT_MS,
      });
      return { ...saved, failures: await addPhotos(saved.child._id, more) };
    },
    onSuccess: () => refetchStale(client, [keys.session, keys.children, keys.parents]),
  });
}
