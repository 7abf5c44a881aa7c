/** Client of the face engine, with one method per call. */
import { errorCatalogue } from '@haris/contract/errors';
import {
  photoProblemSchema,
  VISION_ASKER_HEADER,
  type VisionAsker,
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
import { createLimiter } from '@haris/runtime/limiter';
import * as z from 'zod/mini';
import { AppError } from '../app-error.ts';
import { callVision, type VisionAddress, type VisionCall } from './address.ts';

/** The engine has a different gallery revision than the call names: send the gallery, and repeat the call. */
export class GalleryStaleError extends Error {
  override name = 'GalleryStaleError';
}

/** Kind of asker of an actor; each kind has its own queue in the engine. */
export function askerOf({ kind }: { readonly kind: string }): VisionAsker {
  return kind === 'admin' ? 'staff' : 'public';
}

/**
 * All methods throw AppError: 422 with the photo's problem; 503 `face_engine_unavailable` if the engine is down, is
 * starting, or does not respond in time. Without an asker, a photo waits in the public queue.
 */
export interface VisionClient {
  /** True once the networks have run; false if the engine does not respond soon. Never throws. */
  healthy(): Promise<boolean>;
  normalize(photo: Uint8Array, asker?: VisionAsker): Promise<z.infer<typeof visionNormalizeAnswerSchema>>;
  enrol(photo: Uint8Array, asker?: VisionAsker): Promise<VisionEnrolAnswer>;
  guide(photo: Uint8Array, asker?: VisionAsker): Promise<z.infer<typeof visionGuideAnswerSchema>>;
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
/** Maximum of photos in one queue; at some 30 ms each, the last photo waits two seconds. */
const PHOTOS_WAITING = 64;

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

  const lines = { staff: createLimiter(1), public: createLimiter(1) };

  /** Sends one photo at a time, so that each has the whole time-out, and refuses photos beyond the queue's limit. */
  const askAbout = async <S extends z.core.$ZodType>(
    schema: S,
    path: string,
    photo: Uint8Array,
    asker: VisionAsker = 'public',
  ): Promise<z.infer<S>> => {
    const line = lines[asker];
    if (line.size >= PHOTOS_WAITING) throw new AppError('face_engine_unavailable', { retryAfter: 2 });
    return line.run(() =>
      json(schema, path, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream', [VISION_ASKER_HEADER]: asker },
        body: photo,
      }),
    );
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
      return askAbout(visionIdentifyAnswerSchema, `${visionPaths.identify}?${query}`, photo, 'staff');
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
