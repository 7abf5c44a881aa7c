/** The wire to the server (contract `vision.ts`) over a recognizer and a gallery in memory. Opens no port. */
import { timingSafeEqual } from 'node:crypto';
import { FACE_QUESTION_CHILDREN } from '@haris/contract/constants';
import {
  type PhotoProblem,
  VISION_ASKER_HEADER,
  VISION_SERVER_HEADER,
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
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { Certificate } from '@haris/runtime/setting-files';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import { ZodError } from 'zod';
import { createGallery, findMatch, findNearest, type Gallery } from './faces/match.ts';
import { FaceProblemError } from './faces/recognizer.ts';
import type { Seat } from './live/seat.ts';
import { type KeptPhoto, UnreadablePhotoError } from './picture/photo.ts';
import { FacesDownError } from './process/faces-process.ts';
import type { PhotoDesk } from './process/photo-desk.ts';
import { createQueue, type Queue } from './queue.ts';
import { hashToken } from './token.ts';

const MEGABYTE = 1024 * 1024;
/** A photo of 8 MB, and room for what surrounds it. */
const PHOTO_LIMIT = 9 * MEGABYTE;
/** 10,000 children with five encodings each, as JSON. */
const GALLERY_LIMIT = 160 * MEGABYTE;

export interface VisionDeps {
  readonly recognizer: PhotoDesk;
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

/** What a failure answers; an unknown one is a 500 that says nothing. */
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

/** An app that is ready for `listen` or `inject`. It holds the gallery; closing it forgets the gallery. */
export function buildVisionApp({ recognizer, seat, token, log, tls }: VisionDeps): FastifyInstance {
  const options = { logger: false, bodyLimit: PHOTO_LIMIT } as const;
  // Which of the two servers it is makes no difference to anything below.
  const app = (tls ? Fastify({ ...options, https: tls }) : Fastify(options)) as FastifyInstance;
  const queues: Readonly<Record<VisionAsker, Queue>> = { staff: createQueue(), public: createQueue() };
  const expected = hashToken(`Bearer ${token}`);
  let gallery: { revision: number; faces: Gallery; server: string } | null = null;

  app.removeContentTypeParser(['text/plain']);
  app.addContentTypeParser(
    ['application/octet-stream', 'image/jpeg', 'image/png', 'image/webp'],
    { parseAs: 'buffer' },
    (_request, body, done) => done(null, body),
  );

  app.addHook('onRequest', async (request) => {
    const isHealth = request.routeOptions.url === visionPaths.health;
    if (!isHealth && !timingSafeEqual(hashToken(request.headers.authorization ?? ''), expected))
      throw new Refusal(401, 'unauthorized', 'The token is missing or wrong.');
    // Whoever asks without an id how the engine is gets an answer.
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
    if (refusal.status >= 500)
      log.error({ call: request.routeOptions.url, ...describeFailure(error) }, 'failed');
    return reply
      .status(refusal.status)
      .send(visionProblemSchema.parse({ code: refusal.code, message: refusal.message }));
  });
  app.setNotFoundHandler(() => {
    throw new Refusal(404, 'bad_request', 'There is no such call.');
  });

  /** Works on the request's photo in its turn; one whose asker has gone meanwhile is left out. */
  function withPhoto<T>(
    request: FastifyRequest,
    work: (bytes: Buffer, asker: VisionAsker) => Promise<T>,
  ): Promise<T> {
    const { body } = request;
    if (!Buffer.isBuffer(body) || body.length === 0) throw new UnreadablePhotoError();
    const asker = request.headers[VISION_ASKER_HEADER] === 'staff' ? 'staff' : 'public';
    return queues[asker].add(() => {
      if (request.raw.socket.destroyed) throw new Refusal(499, 'bad_request', 'The asker has gone.');
      return work(body, asker);
    });
  }

  /** Two servers may have two galleries of one revision. */
  function facesOf(request: FastifyRequest, revision: number): Gallery {
    if (gallery?.revision !== revision || gallery.server !== serverOf(request))
      throw new Refusal(409, 'gallery_stale', 'The gallery is of another revision.');
    return gallery.faces;
  }

  function parsed<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof ZodError) throw new Refusal(400, 'bad_request', 'The call is not as agreed.');
      throw error;
    }
  }

  app.get(visionPaths.health, async () =>
    visionHealthSchema.parse({
      status: 'ok',
      model: recognizer.model,
      galleryRevision: gallery?.revision ?? null,
    }),
  );

  app.post(visionPaths.claim, async (request, reply) => {
    if (!seat.claim(serverOf(request))) throw new Refusal(400, 'bad_request', 'The call is not as agreed.');
    return reply.status(204).send();
  });

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

  app.put(visionPaths.gallery, { bodyLimit: GALLERY_LIMIT }, async (request, reply) => {
    const { revision, entries } = parsed(() => visionGallerySchema.parse(request.body));
    gallery = { revision, faces: createGallery(entries), server: serverOf(request) };
    return reply.status(204).send();
  });

  app.post(visionPaths.match, async (request) => {
    const question = parsed(() => visionMatchRequestSchema.parse(request.body));
    const faces = facesOf(request, question.revision);
    const nearest = findNearest(faces, question.encoding, question.maxDistance, new Set(question.exclude));
    return visionMatchAnswerSchema.parse({ nearest });
  });

  app.post(visionPaths.identify, async (request) => {
    const { revision, threshold, margin, questionDistance } = parsed(() =>
      visionIdentifyQuerySchema.parse(request.query),
    );
    facesOf(request, revision);
    const found = await withPhoto(request, recognizer.findFaces);
    // Asked again: the gallery may have changed while the photo waited for its turn.
    const faces = facesOf(request, revision);
    return visionIdentifyAnswerSchema.parse({
      faces: found.map(({ box, encoding }) => {
        const match = encoding && findMatch(faces, encoding, threshold, margin);
        const near = match || !encoding ? [] : findNearest(faces, encoding, questionDistance);
        return { box, match, near: near.slice(0, FACE_QUESTION_CHILDREN) };
      }),
    });
  });

  app.addHook('onClose', async () => {
    gallery = null;
  });
  return app;
}

/** The id of the calling server; empty without one. */
function serverOf({ headers }: FastifyRequest): string {
  return String(headers[VISION_SERVER_HEADER] ?? '');
}

function encodePhoto({ jpeg, width, height }: KeptPhoto): { jpeg: string; width: number; height: number } {
  return { jpeg: jpeg.toString('base64'), width, height };
}
