/** Asks the vision process: one method per call of its wire. Knows no process and no database. */
import { errorCatalogue } from '@haris/contract/errors';
import {
  photoProblemSchema,
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

/** Where the vision process listens, and the token it wants; null while there is none. */
export interface VisionAddress {
  readonly url: string;
  readonly token: string;
}

/** The gallery in the vision process is another than the one the question is about: send it, and ask again. */
export class GalleryStaleError extends Error {
  override name = 'GalleryStaleError';
}

/**
 * All methods throw AppError: 422 with the photo's problem, 503 `face_engine_unavailable` while the process is down,
 * starting or does not answer in time.
 */
export interface VisionClient {
  /** True once the networks have run. Never throws. */
  healthy(): Promise<boolean>;
  normalize(photo: Uint8Array): Promise<z.infer<typeof visionNormalizeAnswerSchema>>;
  enrol(photo: Uint8Array): Promise<VisionEnrolAnswer>;
  guide(photo: Uint8Array): Promise<z.infer<typeof visionGuideAnswerSchema>>;
  putGallery(gallery: VisionGallery): Promise<void>;
  /** Throws {@link GalleryStaleError}. */
  match(question: {
    revision: number;
    encoding: number[];
    maxDistance: number;
    exclude: string[];
  }): Promise<z.infer<typeof visionMatchAnswerSchema>>;
  /** Throws {@link GalleryStaleError}. */
  identify(
    photo: Uint8Array,
    question: { revision: number; threshold: number; margin: number },
  ): Promise<z.infer<typeof visionIdentifyAnswerSchema>>;
}

/** A photo takes some 30 ms; a call that takes this long will not come back. Milliseconds. */
const TIMEOUT_MS = 15_000;
/** Photos that wait for their turn; at some 30 ms each the last one waits two seconds. */
const PHOTOS_WAITING = 64;

/** `onTimeout` is told when a call was given up, so that whoever runs the process can look after it. */
export function createVisionClient(
  address: () => VisionAddress | null,
  onTimeout: () => void = () => {},
): VisionClient {
  async function ask(path: string, init: RequestInit): Promise<Response> {
    const target = address();
    if (!target) throw new AppError('face_engine_unavailable');
    let response: Response;
    let body: ArrayBuffer;
    try {
      response = await fetch(target.url + path, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${target.token}` },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      body = await response.arrayBuffer();
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') onTimeout();
      throw new AppError('face_engine_unavailable');
    }
    if (response.ok) return new Response(response.status === 204 ? null : body, { status: response.status });
    const problem = visionProblemSchema.safeParse(parseJson(body));
    const code = problem.success ? problem.data.code : '';
    if (response.status === 409 && code === 'gallery_stale') throw new GalleryStaleError();
    const photoProblem = photoProblemSchema.safeParse(code);
    if (response.status === 422 && photoProblem.success && photoProblem.data in errorCatalogue)
      throw new AppError(photoProblem.data);
    throw new AppError('face_engine_unavailable');
  }

  async function json<S extends z.ZodType>(schema: S, path: string, init: RequestInit): Promise<z.infer<S>> {
    const parsed = schema.safeParse(await (await ask(path, init)).json());
    if (!parsed.success) throw new AppError('face_engine_unavailable');
    return parsed.data;
  }

  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  /** Photos take turns: each has the whole time limit for itself, and a crowd is refused instead of ending the engine. */
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= PHOTOS_WAITING) throw new AppError('face_engine_unavailable', { retryAfter: 2 });
    waiting++;
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      waiting--;
    }
  }

  const photoInit = (photo: Uint8Array): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: photo as Uint8Array<ArrayBuffer>,
  });
  const jsonInit = (method: string, body: unknown): RequestInit => ({
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  return {
    async healthy() {
      try {
        await json(visionHealthSchema, visionPaths.health, { method: 'GET' });
        return true;
      } catch {
        return false;
      }
    },
    normalize: (photo) =>
      inTurn(() => json(visionNormalizeAnswerSchema, visionPaths.normalize, photoInit(photo))),
    enrol: (photo) => inTurn(() => json(visionEnrolAnswerSchema, visionPaths.enrol, photoInit(photo))),
    guide: (photo) => inTurn(() => json(visionGuideAnswerSchema, visionPaths.guide, photoInit(photo))),
    async putGallery(gallery) {
      await ask(visionPaths.gallery, jsonInit('PUT', gallery));
    },
    match: (question) => json(visionMatchAnswerSchema, visionPaths.match, jsonInit('POST', question)),
    identify(photo, question) {
      const query = new URLSearchParams({
        revision: String(question.revision),
        threshold: String(question.threshold),
        margin: String(question.margin),
      });
      return inTurn(() =>
        json(visionIdentifyAnswerSchema, `${visionPaths.identify}?${query}`, photoInit(photo)),
      );
    },
  };
}

function parseJson(body: ArrayBuffer): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}
