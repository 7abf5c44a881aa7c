/** HTTP routes for the server's calls (contract `vision.ts`), on a recognizer and an in-memory gallery. Opens no port. */
import { timingSafeEqual } from 'node:crypto';
import { FACE_QUESTION_CHILDREN } from '@haris/contract/constants';
import {
  type NearChild,
  type PhotoProblem,
  VISION_ASKER_HEADER,
  VISION_SERVER_HEADER,
  VISION_WIRE,
  type VisionAsker,
  visionEnrolAnswerSchema,
  visionGallerySchema,
  visionGuideAnswerSchema,
  visionHealthSchema,
  visionIdentifyAnswerSchema,
  visionIdentifyQuerySchema,
  visionMatchAnswerSchema,
  visionMatchRequestSchema,
  visionNormalizeAnswerSchema,
  visionPaths,
  visionProblemSchema,
} from '@haris/contract/vision';
import { createLimiter, type Limiter } from '@haris/runtime/limiter';
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { Certificate } from '@haris/runtime/setting-files';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import { $ZodError } from 'zod/v4/core';
import type { EnrolledFaces } from './faces/enrolled.ts';
import { findMatch, type Gallery, listNearest, type Near, once } from './faces/match.ts';
import { FaceProblemError } from './faces/recognizer.ts';
import type { Seat } from './live/seat.ts';
import { type KeptPhoto, LatePhotoError, UnreadablePhotoError } from './picture/photo.ts';
import { FacesDownError } from './process/faces-process.ts';
import type { PhotoDesk } from './process/photo-desk.ts';
import { hashToken } from './token.ts';

const MEGABYTE = 1024 * 1024;
/** Fits a photo of 8 MB with some headroom. Bytes. */
const PHOTO_LIMIT = 9 * MEGABYTE;
/** Fits 10,000 children with five encodings each, as JSON. Bytes. */
const GALLERY_LIMIT = 160 * MEGABYTE;

export interface VisionDeps {
  readonly recognizer: PhotoDesk;
  readonly enrolled: EnrolledFaces;
  readonly seat: Seat;
  readonly token: string;
  readonly log: Logger;
  /** PEM; without it the app speaks plain HTTP. */
  readonly tls?: Certificate | null;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const problemTexts: Record<PhotoProblem, string> = {
  unreadable_photo: 'The photo is no readable PNG, JPEG or WebP.',
  no_face: 'No face was found in the photo.',
  many_faces: 'There are several faces in the photo.',
  face_too_small: 'The face in the photo is too small.',
  face_cut_off: "The face is cut off by the photo's edge.",
  photo_too_dark: 'The face is too dark.',
  photo_blurred: 'The face is blurred.',
  face_upside_down: 'The face is upside down.',
  face_unevenly_lit: 'Half of the face is in the dark.',
  eyes_covered: 'The eyes are covered.',
  mouth_covered: 'The lower half of the face is covered.',
  not_a_photo: 'The face is drawn.',
};

/** Maps an error to an HTTP refusal; an unknown error becomes a 500 without detail. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof UnreadablePhotoError)
    return new Refusal(422, 'unreadable_photo', problemTexts.unreadable_photo);
  if (error instanceof FacesDownError) return new Refusal(503, 'unavailable', 'The face engine is starting.');
  if (error instanceof FaceProblemError) return new Refusal(422, error.problem, problemTexts[error.problem]);
  const status = (error as Partial<FastifyError>).statusCode ?? 500;
  if (status >= 400 && status < 500) return new Refusal(status, 'bad_request', 'The call is not as agreed.');
  return new Refusal(500, 'internal', 'The face engine failed at this photo.');
}

/** Builds an app that is ready for `listen` or `inject`. Closing it clears the gallery. */
export function buildVisionApp(deps: VisionDeps): FastifyInstance {
  const options = { logger: false, bodyLimit: PHOTO_LIMIT } as const;
  // The type of an HTTPS server differs, but nothing below depends on it.
  const app = (deps.tls ? Fastify({ ...options, https: deps.tls }) : Fastify(options)) as FastifyInstance;
  app.removeContentTypeParser(['text/plain']);
  app.addContentTypeParser(
    ['application/octet-stream', 'image/jpeg', 'image/png', 'image/webp'],
    { parseAs: 'buffer' },
    (_request, body, done) => done(null, body),
  );
  addHooks(app, deps);
  addStateRoutes(app, deps);
  addFaceRoutes(app, deps);
  return app;
}

/** Adds authentication, request logging and error responses. */
function addHooks(app: FastifyInstance, { seat, enrolled, token, log }: VisionDeps): void {
  const expected = hashToken(`Bearer ${token}`);
  app.addHook('onRequest', async (request) => {
    const isHealth = request.routeOptions.url === visionPaths.health;
    if (!isHealth && !timingSafeEqual(hashToken(request.headers.authorization ?? ''), expected))
      throw new Refusal(401, 'unauthorized', 'The token is missing or wrong.');
    // Anybody may call the health route without a server id.
    if (isHealth && serverOf(request) === '') return;
    if (!seat.admits(serverOf(request)))
      throw new Refusal(409, 'engine_taken', 'Another server controls this face engine.');
  });
  app.addHook('onResponse', async (request, reply) => {
    const call = request.routeOptions.url ?? 'unknown';
    log.debug({ call, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'answered');
  });
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    const isTaken = refusal.code === 'engine_taken';
    const isLate = error instanceof LatePhotoError;
    if (refusal.status >= 500)
      log.error({ call: request.routeOptions.url, ...describeFailure(error) }, 'failed');
    return reply.status(refusal.status).send(
      visionProblemSchema.parse({
        code: refusal.code,
        message: refusal.message,
        ...(isLate && { late: true }),
        ...(isTaken && { freeWithinMs: seat.freeWithinMs }),
      }),
    );
  });
  app.setNotFoundHandler(() => {
    throw new Refusal(404, 'bad_request', 'There is no such call.');
  });
  app.addHook('onClose', async () => enrolled.forget());
}

/** Adds the routes for health, the seat and the gallery. */
function addStateRoutes(app: FastifyInstance, { recognizer, seat, enrolled }: VisionDeps): void {
  app.get(visionPaths.health, async () =>
    visionHealthSchema.parse({
      status: 'ok',
      wire: VISION_WIRE,
      model: recognizer.model,
      galleryRevision: enrolled.revision,
    }),
  );

  app.post(visionPaths.claim, async (request, reply) => {
    if (!seat.claim(serverOf(request))) throw new Refusal(400, 'bad_request', 'The call is not as agreed.');
    return reply.status(204).send();
  });

  app.put(visionPaths.gallery, { bodyLimit: GALLERY_LIMIT }, async (request, reply) => {
    enrolled.put(
      serverOf(request),
      parsed(() => visionGallerySchema.parse(request.body)),
    );
    return reply.status(204).send();
  });
}

/** Adds the routes that take a photo or an encoding. */
function addFaceRoutes(app: FastifyInstance, { recognizer, enrolled }: VisionDeps): void {
  const withPhoto = createPhotoReader();

  function childrenOf(request: FastifyRequest, revision: number): Gallery {
    const children = enrolled.childrenOf(serverOf(request), revision);
    if (!children) throw new Refusal(409, 'gallery_stale', 'The gallery is of another revision.');
    return children;
  }

  app.post(visionPaths.normalize, async (request) =>
    visionNormalizeAnswerSchema.parse(encodePhoto(await withPhoto(request, recognizer.normalize))),
  );

  app.post(visionPaths.enrol, async (request) => {
    const { photo, ...face } = await withPhoto(request, recognizer.enrol);
    return visionEnrolAnswerSchema.parse({ photo: encodePhoto(photo), ...face, model: recognizer.model });
  });

  app.post(visionPaths.guide, async (request) => {
    const { problem, ...rest } = await withPhoto(request, recognizer.guide);
    return visionGuideAnswerSchema.parse({ advice: problem ?? 'ready', ...rest });
  });

  app.post(visionPaths.match, async (request) => {
    const question = parsed(() => visionMatchRequestSchema.parse(request.body));
    const children = childrenOf(request, question.revision);
    const nearest = listNearest(children, question.encoding, question.maxDistance, new Set(question.exclude));
    return visionMatchAnswerSchema.parse({ nearest: nearest.map(presentNear) });
  });

  app.post(visionPaths.identify, async (request) => {
    const { revision, threshold, margin, questionDistance } = parsed(() =>
      visionIdentifyQuerySchema.parse(request.query),
    );
    childrenOf(request, revision);
    const found = await withPhoto(request, recognizer.findFaces);
    // Read the gallery again: it may have changed while the photo was processed.
    const children = childrenOf(request, revision);
    return visionIdentifyAnswerSchema.parse({
      faces: found.map(({ box, encoding }) => {
        const match = encoding && findMatch(children, once(encoding), threshold, margin);
        const near = match || !encoding ? [] : listNearest(children, encoding, questionDistance);
        return {
          box,
          match: match && presentNear(match),
          near: near.slice(0, FACE_QUESTION_CHILDREN).map(presentNear),
        };
      }),
    });
  });
}

/** Returns a function that processes a request's photo, one at a time per asker kind. It skips closed connections. */
function createPhotoReader() {
  /** One photo at a time per asker kind, because a photo process takes only one. */
  const photos: Readonly<Record<VisionAsker, Limiter>> = {
    staff: createLimiter(1),
    public: createLimiter(1),
  };
  return async <T>(
    request: FastifyRequest,
    work: (bytes: Buffer, asker: VisionAsker) => Promise<T>,
  ): Promise<T> => {
    const { body } = request;
    if (!Buffer.isBuffer(body) || body.length === 0) throw new UnreadablePhotoError();
    const asker = request.headers[VISION_ASKER_HEADER] === 'staff' ? 'staff' : 'public';
    return photos[asker].run(async () => {
      if (request.raw.socket.destroyed) throw new Refusal(499, 'bad_request', 'The asker has gone.');
      return work(body, asker);
    });
  };
}

function parsed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof $ZodError) throw new Refusal(400, 'bad_request', 'The call is not as agreed.');
    throw error;
  }
}

/** Converts a match to its wire form. Its subject must be a child. */
function presentNear({ subject, distance }: Near): NearChild {
  return { childId: subject.id, distance };
}

/** The id of the calling server; empty without one. */
function serverOf({ headers }: FastifyRequest): string {
  return String(headers[VISION_SERVER_HEADER] ?? '');
}

function encodePhoto({ jpeg, width, height }: KeptPhoto): { jpeg: string; width: number; height: number } {
  return { jpeg: jpeg.toString('base64'), width, height };
}
