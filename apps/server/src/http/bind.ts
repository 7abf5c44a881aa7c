/**
 * Binds a call of the contract to a handler. Checks in the contract's order (§2): 401, then 403 or 404, then 403
 * `proof_required`, then 400, 413, 415; errors of the handler (409, 422) come last.
 */
import type { Readable } from 'node:stream';
import type { PathParams, Route } from '@haris/contract/http/route';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Actor, DeskDevice, KioskDevice, Visitor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { findOnlyFacility } from '../db/facilities.ts';
import { inScopeOf } from '../facility.ts';
import { mayCall } from '../policy.ts';
import { withApproval } from './approval.ts';
import { asCaller } from './guard.ts';
import { identifyDevice } from './kiosk.ts';
import { isPhotoType, readMultipart, type UploadedFile } from './multipart.ts';
import { requireProofOf } from './proof.ts';
import { countRows } from './read-rows.ts';
import { claimsSession, enterFacility, identify, originOf } from './session.ts';
import { createUploadCounter } from './uploads.ts';

type Output<T> = T extends z.core.$ZodType ? z.output<T> : undefined;
type Answer<T> = T extends z.core.$ZodType ? z.input<T> : T extends 'text/csv' ? Readable : undefined;
type ActorOf<R extends Route> = R['access'] extends 'visitor'
  ? Actor | Visitor
  : R['access'] extends 'kiosk'
    ? KioskDevice
    : R['access'] extends 'desk'
      ? DeskDevice
      : Actor;
type AnyActor = Actor | Visitor | KioskDevice | DeskDevice;
type Files<R extends Route> = {
  readonly [Name in keyof R['files']]: R['files'][Name] extends 'required' ? Buffer : Buffer | undefined;
};

export interface Call<R extends Route, Subject> {
  readonly actor: ActorOf<R>;
  readonly params: Readonly<Record<PathParams<R['path']>, string>>;
  readonly query: Output<R['query']>;
  readonly headers: Output<R['headers']>;
  readonly body: Output<R['body']>;
  /** The uploaded photos, each a PNG, JPEG or WebP by its bytes and within the size limit. */
  readonly files: Files<R>;
  readonly subject: Subject;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface Binding<R extends Route, Subject> {
  /**
   * For a call that anyone may make but that acts differently for staff: a dead token is refused with 401, because its
   * sender expects to be signed in. Otherwise a dead token is ignored, so that an old token does not prevent a sign-in.
   */
  readonly refusesDeadToken?: boolean;
  /** Applies rate limits before the body is read. Throws 429. */
  readonly admit?: (call: { actor: ActorOf<R>; request: FastifyRequest }) => Promise<void>;
  /** Finds the subject of the call before the body is read. Throws 403 or 404. */
  readonly find?: (call: {
    actor: ActorOf<R>;
    params: Readonly<Record<PathParams<R['path']>, string>>;
  }) => Promise<Subject> | Subject;
  /** Checks raw text fields before they are validated. Throws 404. */
  readonly precheck?: (call: {
    actor: ActorOf<R>;
    fields: Readonly<Record<string, unknown>>;
  }) => Promise<void> | void;
  /** Schema for this request if it depends on the actor; by default the route's. */
  readonly bodySchema?: (actor: ActorOf<R>) => z.core.$ZodType;
  readonly handle: (call: Call<R, Subject>) => Promise<Answer<R['answer']>>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The actor, once known; for the log. */
    harisActor: AnyActor | null;
    harisSubject: unknown;
  }
}

const uploads = createUploadCounter();

/** Registers the route on the app. */
export function bind<const R extends Route, Subject = undefined>(
  app: FastifyInstance,
  context: Context,
  route: R,
  binding: Binding<R, Subject>,
): void {
  app.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
    // Actor and subject are checked before the body is read.
    async onRequest(request, reply) {
      const actor = await admitActor(context, route, request);
      request.harisActor = actor;
      if (binding.refusesDeadToken && actor.kind === 'visitor' && claimsSession(request))
        throw new AppError('unauthenticated');
      await binding.admit?.({ actor: actor as ActorOf<R>, request });
      // No id contains a NUL, and PostgreSQL refuses one in a query.
      if (Object.values(request.params as Record<string, string>).some((value) => value.includes('\0')))
        throw new AppError('not_found');
      if (route.files && (actor.kind === 'admin' || actor.kind === 'parent')) uploads.take(actor, reply);
      if (binding.find)
        request.harisSubject = await binding.find({
          actor: actor as ActorOf<R>,
          params: request.params as Record<PathParams<R['path']>, string>,
        });
      // After 403 and 404, so that a caller without permission is not asked for a password.
      await requireProofOf(context, route.proof, actor);
    },
    // Once more in the request's scope, because reading a body may leave it.
    handler: (request, reply) => inScopeOf(request.facilityScope, () => handle(request, reply)),
  });

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const query = parse(route.query, request.query) as Output<R['query']>;
    const headers = parse(route.headers, request.headers) as Output<R['headers']>;
    const { fields, files } = await readBody(route, request);
    // A body may come minutes after its headers. Meanwhile the session may have ended, or the kiosk been replaced.
    if (request.body !== undefined || request.isMultipart()) {
      const before = request.harisActor;
      const now = await admitActor(context, route, request);
      // The subject was found at the facility of before.
      if (now.kind === 'admin' && before?.kind === 'admin' && now.facility !== before.facility)
        throw new AppError('unknown_facility');
      request.harisActor = now;
    }
    const actor = request.harisActor as ActorOf<R>;
    if (!holdsNul(fields)) await binding.precheck?.({ actor, fields: isRecord(fields) ? fields : {} });
    const schema = binding.bodySchema?.(actor) ?? route.body;
    const body = parse(schema, fields) as Output<R['body']>;
    const photos = checkFiles(route, files) as Files<R>;
    const answer = await asCaller(context, route, actor as AnyActor, () =>
      withApproval(context, route, actor as AnyActor, { request, body }, () =>
        binding.handle({
          actor,
          params: request.params as Record<PathParams<R['path']>, string>,
          query,
          headers,
          body,
          files: photos,
          subject: request.harisSubject as Subject,
          request,
          reply,
        }),
      ),
    );
    if (reply.sent) return reply;
    await countRows(context, route, actor as AnyActor, answer);
    reply.header('cache-control', 'no-store').code(route.status);
    if (route.answer === null || typeof route.answer === 'string') return reply.send(answer ?? undefined);
    // Strips all fields that the schema does not name, so nothing leaks by accident.
    return reply.send(route.answer.parse(answer));
  }
}

async function admitActor(context: Context, route: Route, request: FastifyRequest): Promise<AnyActor> {
  const isForDevice = route.access === 'kiosk' || route.access === 'desk';
  if (isForDevice) {
    const device = await identifyDevice(context, request);
    if (device?.kind === route.access) return device;
  }
  const actor = await identify(context, request, 'limited');
  const isLimited = actor?.factor === 'mail';
  if (route.access === 'visitor') {
    if (actor && !isLimited) return actor;
    enterFacility(request, await findOnlyFacility(context.db));
    return { kind: 'visitor', origin: originOf(request) };
  }
  if (!actor) throw new AppError('unauthenticated');
  if (isLimited && route.limited !== true) throw new AppError('second_factor_required');
  if (route.access === 'staff' && actor.kind !== 'admin') throw new AppError('forbidden');
  if (route.access === 'parent' && actor.kind !== 'parent') throw new AppError('forbidden');
  if (isForDevice) throw new AppError('forbidden');
  if (route.permission !== undefined && !mayCall(actor, route.permission)) throw new AppError('forbidden');
  return actor;
}

async function readBody(
  route: Route,
  request: FastifyRequest,
): Promise<{ fields: unknown; files: Record<string, UploadedFile> }> {
  if (!request.isMultipart()) return { fields: request.body ?? undefined, files: {} };
  if (!route.accepts?.includes('multipart')) throw new AppError('unsupported_content_type');
  return readMultipart(request, Object.keys(route.files ?? {}));
}

function checkFiles(route: Route, files: Record<string, UploadedFile>): Record<string, Buffer | undefined> {
  const wanted = Object.entries(route.files ?? {});
  for (const [name, need] of wanted)
    if (need === 'required' && !files[name]) {
      const message = name === 'image' ? 'An image is required' : 'A photo is required';
      throw new AppError('invalid_request', { message, fields: { [name]: message } });
    }
  for (const [name] of wanted) if (files[name]?.tooLarge) throw new AppError('payload_too_large');
  const checked: Record<string, Buffer | undefined> = {};
  for (const [name] of wanted) {
    const file = files[name];
    if (file && !isPhotoType(file.bytes)) throw new AppError('unsupported_media_type');
    checked[name] = file?.bytes;
  }
  return checked;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Validates input for calls that are not bound. Throws 400 with the messages of all fields. */
export function parseInput<S extends z.core.$ZodType>(schema: S, input: unknown): z.output<S> {
  return parse(schema, input) as z.output<S>;
}

/**
 * Validates input; the first failing field's message becomes the response's message. Throws 400 with the messages of all
 * fields.
 */
function parse(schema: z.core.$ZodType | undefined, input: unknown): unknown {
  if (!schema) return undefined;
  if (holdsNul(input)) throw new AppError('invalid_body');
  const parsed = z.safeParse(schema, input ?? (z.safeParse(schema, undefined).success ? undefined : {}));
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) {
    const name = String(issue.path[0] ?? '');
    if (!name) continue;
    fields[name] ??= issue.message;
    // Within a field, the path says what was wrong: `openingHours.monday.0.to`.
    fields[issue.path.join('.')] ??= issue.message;
  }
  const first = Object.values(fields)[0];
  if (first === undefined) throw new AppError('invalid_body');
  throw new AppError('invalid_request', { message: first, fields });
}

/** Whether any text in the input contains a NUL, which nobody types and PostgreSQL cannot store. */
function holdsNul(input: unknown): boolean {
  // Iterative, because a body may be nested deeper than the stack allows.
  const left = [input];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && value.includes('\0')) return true;
    if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) left.push(one);
  }
  return false;
}
