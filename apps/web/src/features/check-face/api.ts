/** Identifies the faces in a photo. */
import { childRoutes } from '@haris/contract/http/children';
import { useMutation } from '@tanstack/react-query';
import { type AnswerOf, call } from '../../calls/http.ts';
import { cutFace } from './cut-face.ts';

/** Timeout that allows for the slow uplink of a phone. */
const UPLOAD_TIMEOUT_MS = 60_000;

/** A photo of the camera or of a file. */
export interface LookedAt {
  readonly blob: Blob;
  readonly fileName: string;
  /** Object URL for the preview. */
  readonly url: string;
}

export type SeenFace = AnswerOf<typeof childRoutes.checkFace>['faces'][number] & {
  /** The face cut out of the photo, as a URL. */
  picture: string;
};

/** The faces in a photo, each with its cropped picture. The photo is not stored. */
export function useCheckFace() {
  return useMutation({
    mutationFn: async ({ blob, fileName }: LookedAt): Promise<SeenFace[]> => {
      const form = new FormData();
      form.append('image', blob, fileName);
      const { faces } = await call(childRoutes.checkFace, { form, timeoutMs: UPLOAD_TIMEOUT_MS });
      return Promise.all(faces.map(async (face) => ({ ...face, picture: await cutFace(blob, face.box) })));
    },
  });
}
