/** Client of the face engine, with one method per call. */
import { errorCatalogue } from '@haris/contract/errors';
import {
  photoProblemSchema,
  VISION_ASKER_HEADER,
  type VisionEnrolAnswer,
  type VisionGallery,
  visionEnrolAnswerSchema,
  visionGuideAnswerSchema,
  visionHealthSchema,
  visionIdentifyAnswerSchema,
  visionMatchAnswerSchema,
  visionNormalizeAnswerSchema,
  visionPaths,
  visionProblemSchema,
} from '@haris/contract/vision';
import { createFairLimiter, NoRoomError } from '@haris/runtime/limiter';
import * as z from 'zod/mini';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { callVision, type VisionAddress, type VisionCall } from './address.ts';

/** The engine has a different gallery revision than the call names: send the gallery, and repeat the call. */
export class GalleryStaleError extends Error {
  override name = 'GalleryStaleError';
}

/** The engine gave a photo up because its time was over. Anybody else waited that long. */
export class LatePhotoError extends AppError {
  constructor() {
    super('unreadable_photo');
  }
}

/**
 * Whose photo it is. Staff have a queue of their own. In the other one parents go before visitors, and those of a kind take
 * turns by `key`: a parent's account, a visitor's network.
 */
export type PhotoAsker =
  | { readonly kind: 'staff' }
  | { readonly kind: 'parent' | 'visitor'; readonly key: string };

export const STAFF: PhotoAsker = { kind: 'staff' };

export function askerOf({ kind, id }: Pick<Actor, 'kind' | 'id'>): PhotoAsker {
  return kind === 'admin' ? STAFF : { kind: 'parent', key: id };
}

/**
 * All methods throw AppError: 422 with the photo's problem; 503 `face_engine_unavailable` if the engine is down, is
 * starting, or does not respond in time. Those with a photo also throw 503 `photos_busy`, and {@link LatePhotoError}.
 */
export interface VisionClient {
  /** True once the networks have run; false if the engine does not respond soon. Never throws. */
  healthy(): Promise<boolean>;
  normalize(photo: Uint8Array, asker: PhotoAsker): Promise<z.infer<typeof visionNormalizeAnswerSchema>>;
  enrol(photo: Uint8Array, asker: PhotoAsker): Promise<VisionEnrolAnswer>;
  guide(photo: Uint8Array, asker: PhotoAsker): Promise<z.infer<typeof visionGuideAnswerSchema>>;
  putGallery(gallery: VisionGallery): Promise<void>;
  /** Throws {@link GalleryStaleError}. */
  match(question: {
    revision: number;
    encoding: number[];
    maxDistance: number;
    exclude: string[];
  }): Promise<z.infer<typeof visionMatchAnswerSchema>>;
  /** Uses the queue of staff. Throws {@link GalleryStaleError}. */
  identify(
    photo: Uint8Array,
    question: { revision: number; threshold: number; margin: number; questionDistance: number },
  ): Promise<z.infer<typeof visionIdentifyAnswerSchema>>;
}

/** Time-out of a call: a photo takes some 30 ms, and the engine aborts after 8 s. Milliseconds. */
const TIMEOUT_MS = 15_000;
const HEALTH_WITHIN_MS = 3_000;
/** Photos that may wait; at some 30 ms each, the last of 64 waits two seconds. */
const STAFF_PHOTOS = [{ perKey: 64, inAll: 64 }];
/** Of parents, as many as one account may upload at once; of visitors, ten from one network. */
const PUBLIC_PHOTOS = [
  { perKey: 20, inAll: 64 },
  { perKey: 10, inAll: 32 },
];
const BUSY_RETRY_AFTER_S = 2;

/** `address` returns null while there is no engine. */
export function createVisionClient(address: () => VisionAddress | null): VisionClient {
  /** Calls the engine; returns the body of a successful response. */
  async function ask(path: string, call: VisionCall, withinMs = TIMEOUT_MS): Promise<unknown> {
    const target = address();
    if (!target) throw new AppError('face_engine_unavailable');
    const { status, body } = await callVision(target, path, call, withinMs).catch(() => {
      throw new AppError('face_engine_unavailable');
    });
    if (status >= 200 && status < 300) return parseJson(body);
    const problem = visionProblemSchema.safeParse(parseJson(body));
    const code = problem.success ? problem.data.code : '';
    if (status === 409 && code === 'gallery_stale') throw new GalleryStaleError();
    const photoProblem = photoProblemSchema.safeParse(code);
    if (problem.data?.late) throw new LatePhotoError();
    if (status === 422 && photoProblem.success && photoProblem.data in errorCatalogue)
      throw new AppError(photoProblem.data);
    throw new AppError('face_engine_unavailable');
  }

  async function json<S extends z.core.$ZodType>(
    schema: S,
    path: string,
    call: VisionCall,
  ): Promise<z.infer<S>> {
    const parsed = z.safeParse(schema, await ask(path, call));
    if (!parsed.success) throw new AppError('face_engine_unavailable');
    return parsed.data;
  }

  const lines = {
    staff: createFairLimiter(1, STAFF_PHOTOS),
    public: createFairLimiter(1, PUBLIC_PHOTOS),
  };

  /** Sends one photo at a time, so that each has the whole time-out, and refuses photos beyond the queue's limits. */
  const askAbout = async <S extends z.core.$ZodType>(
    schema: S,
    path: string,
    photo: Uint8Array,
    asker: PhotoAsker,
  ): Promise<z.infer<S>> => {
    const line = asker.kind === 'staff' ? 'staff' : 'public';
    const turn =
      asker.kind === 'staff'
        ? { rank: 0, key: '' }
        : { rank: asker.kind === 'parent' ? 0 : 1, key: asker.key };
    try {
      return await lines[line].run(turn, () =>
        json(schema, path, {
          method: 'POST',
          headers: { 'content-type': 'application/octet-stream', [VISION_ASKER_HEADER]: line },
          body: photo,
        }),
      );
    } catch (error) {
      if (error instanceof NoRoomError) throw new AppError('photos_busy', { retryAfter: BUSY_RETRY_AFTER_S });
      throw error;
    }
  };
  const jsonCall = (method: 'POST' | 'PUT', body: unknown): VisionCall => ({
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  return {
    async healthy() {
      try {
        const answer = await ask(visionPaths.health, { method: 'GET' }, HEALTH_WITHIN_MS);
        return visionHealthSchema.safeParse(answer).success;
      } catch {
        return false;
      }
    },
    normalize: (photo, asker) => askAbout(visionNormalizeAnswerSchema, visionPaths.normalize, photo, asker),
    enrol: (photo, asker) => askAbout(visionEnrolAnswerSchema, visionPaths.enrol, photo, asker),
    guide: (photo, asker) => askAbout(visionGuideAnswerSchema, visionPaths.guide, photo, asker),
    async putGallery(gallery) {
      await ask(visionPaths.gallery, jsonCall('PUT', gallery));
    },
    match: (question) => json(visionMatchAnswerSchema, visionPaths.match, jsonCall('POST', question)),
    identify(photo, question) {
      const query = new URLSearchParams({
        revision: String(question.revision),
        threshold: String(question.threshold),
        margin: String(question.margin),
        questionDistance: String(question.questionDistance),
      });
      return askAbout(visionIdentifyAnswerSchema, `${visionPaths.identify}?${query}`, photo, STAFF);
    },
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
