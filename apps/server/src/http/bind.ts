/**
 * Binds a call of the contract to a handler. The order of refusals is the contract's (§2): 401, then 403 / 404, then
 * 403 `proof_required`, then 400, 413, 415; what the handler throws (409, 422) comes after.
 */
import type { Readable } from 'node:stream';
import type { PathParams, Route } from '@haris/contract/http/route';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Actor, Visitor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { isPhotoType, readMultipart, type UploadedFile } from './multipart.ts';
import { requireProofOf } from './proof.ts';
import { claimsSession, identify, originOf } from './session.ts';
import { createUploadCounter } from './uploads.ts';

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;
type Answer<T> = T extends z.ZodType ? z.input<T> : T extends 'text/csv' ? Readable : undefined;
type ActorOf<R extends Route> = R['access'] extends 'visitor' ? Actor | Visitor : Actor;
type Files<R extends Route> = {
  readonly [Name in keyof R['files']]: R['files'][Name] extends 'required' ? Buffer : Buffer | undefined;
};

export interface Call<R extends Route, Subject> {
  readonly actor: ActorOf<R>;
  readonly params: Readonly<Record<PathParams<R['path']>, string>>;
  readonly query: Output<R['query']>;
  readonly headers: Output<R['headers']>;
  readonly body: Output<R['body']>;
  /** Photos that came, each a PNG, JPEG or WebP by its bytes and within the size. */
  readonly files: Files<R>;
  readonly subject: Subject;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface Binding<R extends Route, Subject> {
  /**
   * For a call that anyone may make but that does another thing for staff: a dead token is 401, for whoever sends it
   * means to be somebody. Without it a dead token counts as none: nobody is kept from signing in by an old one.
   */
  readonly refusesDeadToken?: boolean;
  /** Whether this request may come at all, before a byte of its body is read. Throws 429. */
  readonly admit?: (call: { actor: ActorOf<R>; request: FastifyRequest }) => Promise<void>;
  /** Finds what the call is about, before the body is read. Throws 403 or 404. */
  readonly find?: (call: {
    actor: ActorOf<R>;
    params: Readonly<Record<PathParams<R['path']>, string>>;
  }) => Promise<Subject> | Subject;
  /** What must be checked of the raw text fields before they are validated: throws 404. */
  readonly precheck?: (call: {
    actor: ActorOf<R>;
    fields: Readonly<Record<string, unknown>>;
  }) => Promise<void> | void;
  /** Schema for this request where it depends on who asks; the route's by default. */
  readonly bodySchema?: (actor: ActorOf<R>) => z.ZodType;
  readonly handle: (call: Call<R, Subject>) => Promise<Answer<R['answer']>>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who acts, once known; for the log. */
    harisActor: Actor | Visitor | null;
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
    // Who and what come first, before a byte of the body is looked at.
    async onRequest(request, reply) {
      const actor = await admitActor(context, route, request);
      request.harisActor = actor;
      if (binding.refusesDeadToken && actor.kind === 'visitor' && claimsSession(request))
        throw new AppError('unauthenticated');
      await binding.admit?.({ actor: actor as ActorOf<R>, request });
      // No id has a NUL, and PostgreSQL would refuse to look for one.
      if (Object.values(request.params as Record<string, string>).some((value) => value.includes('\0')))
        throw new AppError('not_found');
      if (route.files && actor.kind !== 'visitor') uploads.take(actor, reply);
      if (binding.find)
        request.harisSubject = await binding.find({
          actor: actor as ActorOf<R>,
          params: request.params as Record<PathParams<R['path']>, string>,
        });
      // After 403 and 404: a caller without permission is not asked for a password.
      requireProofOf(context, route.proof, actor);
    },
    async handler(request, reply) {
      const actor = request.harisActor as ActorOf<R>;
      const query = parse(route.query, request.query) as Output<R['query']>;
      const headers = parse(route.headers, request.headers) as Output<R['headers']>;
      const { fields, files } = await readBody(route, request);
      if (!holdsNul(fields)) await binding.precheck?.({ actor, fields: isRecord(fields) ? fields : {} });
      const schema = binding.bodySchema?.(actor) ?? route.body;
      const body = parse(schema, fields) as Output<R['body']>;
      const photos = checkFiles(route, files) as Files<R>;
      const answer = await binding.handle({
        actor,
        params: request.params as Record<PathParams<R['path']>, string>,
        query,
        headers,
        body,
        files: photos,
        subject: request.harisSubject as Subject,
        request,
        reply,
      });
      if (reply.sent) return reply;
      reply.header('cache-control', 'no-store').code(route.status);
      if (route.answer === null || typeof route.answer === 'string') return reply.send(answer ?? undefined);
      // Strips whatever the schema does not name: nothing leaves by accident.
      return reply.send(route.answer.parse(answer));
    },
  });
}

async function admitActor(context: Context, route: Route, request: FastifyRequest): Promise<Actor | Visitor> {
  const actor = await identify(context, request);
  if (route.access === 'visitor') return actor ?? { kind: 'visitor', origin: originOf(request) };
  if (!actor) throw new AppError('unauthenticated');
  if (route.access === 'staff' && actor.kind !== 'admin') throw new AppError('forbidden');
  if (route.access === 'parent' && actor.kind !== 'parent') throw new AppError('forbidden');
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

/** As the bound calls do it, for those that are not bound. Throws 400 with all fields' messages. */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  return parse(schema, input) as z.output<S>;
}

/** Parses with the first failing field's message as the answer's own. Throws 400 with all fields' messages. */
function parse(schema: z.ZodType | undefined, input: unknown): unknown {
  if (!schema) return undefined;
  if (holdsNul(input)) throw new AppError('invalid_body');
  const parsed = schema.safeParse(input ?? (schema.safeParse(undefined).success ? undefined : {}));
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) {
    const name = String(issue.path[0] ?? '');
    if (name && !(name in fields)) fields[name] = issue.message;
  }
  const first = Object.values(fields)[0];
  if (first === undefined) throw new AppError('invalid_body');
  throw new AppError('invalid_request', { message: first, fields });
}

/** Whether a text anywhere in the input has a NUL: nothing that people type, and PostgreSQL cannot store it. */
function holdsNul(input: unknown): boolean {
  // Not recursive: a body may be nested deeper than the stack.
  const left = [input];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && value.includes('\0')) return true;
    if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) left.push(one);
  }
  return false;
}
