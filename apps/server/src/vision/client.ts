/** Asks the vision process: one method per call of its wire. Knows no process and no database. */
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
import type { z } from 'zod';
import { AppError } from '../app-error.ts';
import { callVision, type VisionAddress, type VisionCall } from './address.ts';

/** The gallery in the vision process is another than the one the question is about: send it, and ask again. */
export class GalleryStaleError extends Error {
  override name = 'GalleryStaleError';
}

/** For whom the engine looks at a photo: the desk has a line of its own. */
export function askerOf({ kind }: { readonly kind: string }): VisionAsker {
  return kind === 'admin' ? 'staff' : 'public';
}

/**
 * All methods throw AppError: 422 with the photo's problem, 503 `face_engine_unavailable` while the process is down,
 * starting or does not answer in time. Without an asker a photo waits in the public line.
 */
export interface VisionClient {
  /** True once the networks have run; false where the engine does not say so at once. Never throws. */
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
  /** Waits in the line of staff. Throws {@link GalleryStaleError}. */
  identify(
    photo: Uint8Array,
    question: { revision: number; threshold: number; margin: number; questionDistance: number },
  ): Promise<z.infer<typeof visionIdentifyAnswerSchema>>;
}

/** A photo takes some 30 ms, and one that hangs is given up by the engine after 8 s. Milliseconds. */
const TIMEOUT_MS = 15_000;
const HEALTH_WITHIN_MS = 3_000;
/** Photos that wait for their turn in one line; at some 30 ms each the last one waits two seconds. */
const PHOTOS_WAITING = 64;

/** `address` answers null while there is no engine. */
export function createVisionClient(address: () => VisionAddress | null): VisionClient {
  /** The body of a good answer. */
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

  async function json<S extends z.ZodType>(schema: S, path: string, call: VisionCall): Promise<z.infer<S>> {
    const parsed = schema.safeParse(await ask(path, call));
    if (!parsed.success) throw new AppError('face_engine_unavailable');
    return parsed.data;
  }

  const lines = { staff: openLine(), public: openLine() };

  /** Photos take turns: each has the whole time limit for itself, and a crowd is refused instead of ending the engine. */
  const askAbout = <S extends z.ZodType>(
    schema: S,
    path: string,
    photo: Uint8Array,
    asker: VisionAsker = 'public',
  ): Promise<z.infer<S>> =>
    lines[asker](() =>
      json(schema, path, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream', [VISION_ASKER_HEADER]: asker },
        body: photo,
      }),
    );
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

/** Does one thing after the other, and refuses more than may wait. */
function openLine(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (work) => {
    if (waiting >= PHOTOS_WAITING) throw new AppError('face_engine_unavailable', { retryAfter: 2 });
    waiting++;
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      waiting--;
    }
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
