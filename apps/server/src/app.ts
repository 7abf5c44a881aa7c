/** Builds the HTTP application from its parts. Knows no port and no environment. */

import { randomUUID } from 'node:crypto';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import websocket from '@fastify/websocket';
import { REQUEST_ID_HEADER, SERVER_TIME_HEADER } from '@haris/contract/constants';
import { errorCatalogue } from '@haris/contract/errors';
import { routes } from '@haris/contract/http/routes';
import { buildOpenApi } from '@haris/contract/openapi';
import type { Logger } from '@haris/runtime/log';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify';
import { toMoment } from './clock.ts';
import type { Context } from './context.ts';
import { findDiskSpace } from './data-folder.ts';
import { recognitionFeature } from './features/accounts/recognition-routes.ts';
import { accountFeature } from './features/accounts/routes.ts';
import { auditFeature } from './features/audit/routes.ts';
import { deviceStreamFeature } from './features/cameras/device-stream.ts';
import { cameraFeature } from './features/cameras/routes.ts';
import { childFeature } from './features/children/routes.ts';
import { demoFeature } from './features/demo/routes.ts';
import { environmentFeature } from './features/environment/routes.ts';
import { sensorLifeOf } from './features/environment/truth.ts';
import { eventFeature } from './features/events/stream.ts';
import type { IncidentEngine } from './features/incidents/engine.ts';
import { incidentFeature } from './features/incidents/routes.ts';
import { liveFeature } from './features/live/routes.ts';
import { noticeFeature } from './features/notices/routes.ts';
import { photoFeature } from './features/photos/routes.ts';
import { reportFeature } from './features/reports/routes.ts';
import { settingsFeature } from './features/settings/routes.ts';
import { sightingFeature } from './features/sightings/routes.ts';
import { stayFeature } from './features/stays/routes.ts';
import { ticketFeature } from './features/tickets/routes.ts';
import type { FireDrill } from './fire-drill.ts';
import {
  handleErrors,
  handleUnknown,
  refuseConnection,
  sendFailure,
  translateFailure,
} from './http/failures.ts';
import { multipartLimits } from './http/multipart.ts';
import { socketOptions } from './http/sockets.ts';
import { serveWebApp } from './http/web-app.ts';
import type { IncidentStepReceiver } from './incident-step.ts';

const VERSION = '0.1.0';
/** A JSON body holds some fields; photos come as multipart. Bytes. */
const JSON_LIMIT = 256 * 1024;
/** How long `security.txt` is valid. Milliseconds. */
const SECURITY_TXT_MS = 90 * 24 * 3_600_000;
/** A whole request must have come by then: the largest photo over a slow phone line takes some two minutes. */
const REQUEST_WITHIN_MS = 180_000;

export interface AppOptions {
  /** Serves the built web app when it is there. */
  readonly web?: boolean;
  /** Looks for incidents by the clock; a test looks itself, by the sweep of `app.incidents`. */
  readonly sweepsIncidents?: boolean;
  /** Takes the steps of incidents that are due; by itself, what brings notices to people. */
  readonly receiveStep?: IncidentStepReceiver;
  /** The demo's: only with it there is a call that starts it. */
  readonly fireDrill?: FireDrill;
}

declare module 'fastify' {
  interface FastifyInstance {
    incidents: IncidentEngine;
  }
}

/** The application, ready to listen or to be injected into. */
export async function buildApp(
  context: Context,
  { web = true, sweepsIncidents = true, fireDrill, receiveStep }: AppOptions = {},
): Promise<FastifyInstance> {
  const proxies = context.config.trustProxy;
  const app: FastifyInstance = Fastify({
    loggerInstance: libraryLog(context.log),
    // Fastify would log whole URLs, with what people search for.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: (_address, hop) => hop < proxies,
    bodyLimit: JSON_LIMIT,
    requestTimeout: REQUEST_WITHIN_MS,
    routerOptions: { maxParamLength: 500 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: refuseConnection,
    // What is refused before any hook has run.
    frameworkErrors: (error, request, reply) => {
      reply.header(REQUEST_ID_HEADER, request.id);
      sendFailure(reply as FastifyReply, translateFailure(error));
    },
  });
  app.decorateRequest('harisActor', null);
  app.decorateRequest('harisSubject', null);

  handleErrors(app);
  observe(app, context);
  await app.register(helmet, securityHeaders(context));
  acceptBodies(app);
  await app.register(multipart, { limits: { ...multipartLimits }, throwFileSizeLimit: false });
  await app.register(websocket, { options: socketOptions });
  await documentApi(app);
  health(app, context);
  tellSecurityContact(app, context);

  accountFeature(app, context);
  recognitionFeature(app, context);
  childFeature(app, context);
  stayFeature(app, context);
  photoFeature(app, context);
  ticketFeature(app, context);
  cameraFeature(app, context);
  auditFeature(app, context);
  reportFeature(app, context);
  settingsFeature(app, context);
  const notices = await noticeFeature(app, context);
  const streams = eventFeature(app, context);
  const devices = deviceStreamFeature(app, context);
  const environment = await environmentFeature(app, context);
  const sightings = sightingFeature(app, context);
  const looks = liveFeature(app, context);
  const incidents = incidentFeature(app, context, {
    onReading: (listener) =>
      environment.onReading(({ message, ...accepted }) => listener({ ...accepted, truth: message.truth })),
    sensors: () => environment.all().map((view) => sensorLifeOf(view, context.clock.now())),
    disk: () => findDiskSpace(context.config.dataDir),
    receiveStep: receiveStep ?? notices.onStep,
  });
  if (fireDrill) demoFeature(app, context, fireDrill);
  app.decorate('incidents', incidents);
  if (sweepsIncidents) incidents.start();
  app.addHook('preClose', async () => {
    streams.stop();
    devices.stop();
    await environment.stop();
    await looks.stop();
    await incidents.stop();
    await notices.stop();
  });
  app.addHook('onClose', () => sightings.stop());

  handleUnknown(app, web ? await serveWebApp(app, { demo: context.config.demo }) : null);
  await app.ready();
  return app;
}

/** The log for Fastify and its plugins: below `info` they would tell whole headers, with the token in them. */
function libraryLog(log: Logger): FastifyBaseLogger {
  return log.child({}, { level: log.isLevelEnabled('info') ? 'info' : log.level }) as FastifyBaseLogger;
}

/** Logs each answer by route, never by address; tells the client its request id and our clock. */
function observe(app: FastifyInstance, context: Context): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    reply.header('permissions-policy', 'camera=(self), microphone=(), geolocation=()');
    reply.header(SERVER_TIME_HEADER, toMoment(context.clock.now()));
  });
  app.addHook('onResponse', async (request, reply) => {
    const actor = request.harisActor;
    context.log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(actor && actor.kind !== 'visitor' ? { actor: actor.kind, actorId: actor.id } : {}),
      },
      'answered',
    );
  });
}

function securityHeaders(context: Context) {
  const register = context.config.registerUrl;
  const secure = context.config.publicUrl?.startsWith('https:') ?? false;
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'blob:', 'data:'],
        mediaSrc: ["'self'", 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...(register ? [new URL(register).origin] : [])],
        workerSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' as const },
    crossOriginEmbedderPolicy: false,
    originAgentCluster: true,
  };
}

/** JSON as Fastify reads it, but an empty body is no body: clients send the type along with nothing. */
function acceptBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parseJson(request, body as string, done);
  });
}

/** The page of the API needs nothing but its own files; the one that comes with it would take styles from anywhere. */
const DOCS_POLICY = {
  'default-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self' data:",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};

async function documentApi(app: FastifyInstance): Promise<void> {
  const document = buildOpenApi(routes, VERSION);
  await app.register(swagger, {
    mode: 'static',
    specification: { document: document as never },
  });
  app.get('/api/openapi.json', async (_request, reply) => reply.send(document));
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: DOCS_POLICY });
}

/** Where to report a vulnerability (RFC 9116). */
function tellSecurityContact(app: FastifyInstance, context: Context): void {
  app.get('/.well-known/security.txt', async (_request, reply) => {
    const lines = [
      `Contact: ${context.config.securityContact}`,
      // Asked for anew each time: what is kept of it elsewhere runs out.
      `Expires: ${toMoment(context.clock.now() + SECURITY_TXT_MS)}`,
      'Preferred-Languages: en, ar',
      `Canonical: ${context.publicUrl()}/.well-known/security.txt`,
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}

function health(app: FastifyInstance, context: Context): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const [storage, faces] = await Promise.all([context.storage.probe(), context.vision.healthy()]);
    const isDamaged = storage === 'ok' && context.integrity.state() === 'damaged';
    const database = isDamaged ? 'damaged' : storage;
    const broker = context.mqtt.state();
    const parts = { database, faces: faces ? 'ok' : 'down', broker };
    if (database === 'ok' && faces && broker !== 'down') return { status: 'ok', parts };
    return reply.code(503).send({ code: 'unavailable', message: errorCatalogue.unavailable.message, parts });
  });
}
