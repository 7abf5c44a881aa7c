/** Asks whose faces a photo shows. */
import { childRoutes } from '@haris/contract/http/children';
import { useMutation } from '@tanstack/react-query';
import { type AnswerOf, call } from '../../client/http.ts';
import { cutFace } from './cut-face.ts';

/** A photo travels over a phone's uplink. */
const UPLOAD_TIMEOUT_MS = 60_000;

export type SeenFace = AnswerOf<typeof childRoutes.checkFace>['faces'][number] & {
  /** The face cut out of the photo, as a URL. */
  picture: string;
};

/** The faces of a photo, each with its picture. Nothing is kept of the photo. */
export function useCheckFace() {
  return useMutation({
    mutationFn: async (photo: File): Promise<SeenFace[]> => {
      const form = new FormData();
      form.append('image', photo, photo.name);
      const { faces } = await call(childRoutes.checkFace, { form, timeoutMs: UPLOAD_TIMEOUT_MS });
      return Promise.all(faces.map(async (face) => ({ ...face, picture: await cutFace(photo, face.box) })));
    },
  });
}
