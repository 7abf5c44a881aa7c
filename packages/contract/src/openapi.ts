/** Builds the OpenAPI 3.1 document from the schemas that validate requests and responses. */
import * as z from 'zod/mini';
import { PRODUCT_NAME, PROOF_MS, ROWS_WITHOUT_PROOF } from './constants.ts';
import { type ErrorCode, errorBodySchema, errorCatalogue } from './errors.ts';
import type { ProofRule, Route } from './http/route.ts';
import type { Socket, SocketMessages, Stream } from './live/sockets.ts';

type Json = Record<string, unknown>;

const PROOF_MINUTES = PROOF_MS / 60_000;
const PROOF_HOW = `a proof not older than ${PROOF_MINUTES} minutes: a sign-in, or \`POST /api/session/proof\`. Without one the answer is 403 \`proof_required\`.`;

/** Notes on calls that need a proof. */
const PROOF_NOTES: Readonly<Record<ProofRule, string>> = {
  always: `Needs ${PROOF_HOW}`,
  parent: `For parents it needs ${PROOF_HOW}`,
  'by-body': `For some bodies (see the summary) it needs ${PROOF_HOW}`,
};

const ROWS_NOTE = `Staff who have read more than ${ROWS_WITHOUT_PROOF} different rows of such lists in an hour need ${PROOF_HOW}`;

/** Whether some staff may not make a call that parents may make. */
function isForSome({ access, permission }: Route): boolean {
  return access === 'signed-in' && permission !== 'own' && permission !== 'by-subject';
}

/** Errors that any call with this access can return. */
function commonErrors(route: Route): ErrorCode[] {
  // An unexpected body is parsed too, and refused if it is malformed.
  const takes = route.method !== 'GET' || route.query || route.headers;
  return [
    ...(route.access === 'visitor' ? [] : (['unauthenticated'] as const)),
    // Of a session whose owner has no role at the facility that the client names.
    ...(route.access === 'kiosk' || route.access === 'desk' ? [] : (['unknown_facility'] as const)),
    ...(['staff', 'parent', 'kiosk', 'desk'].includes(route.access) || isForSome(route)
      ? (['forbidden'] as const)
      : []),
    ...(['visitor', 'kiosk', 'desk'].includes(route.access) || route.limited
      ? []
      : (['second_factor_required'] as const)),
    ...(route.proof ? (['proof_required'] as const) : []),
    ...(route.approval ? (['approval_required', 'too_many_attempts'] as const) : []),
    ...(takes
      ? (['invalid_request', 'invalid_body', 'unsupported_content_type', 'payload_too_large'] as const)
      : []),
    // The number of concurrent photo uploads per account is limited.
    ...(route.files ? (['too_many_attempts'] as const) : []),
    'internal_error',
    'storage_full',
    'unavailable',
  ];
}

/** Converts schemas and collects the named ones under `components`. */
function createConverter() {
  const components: Record<string, Json> = {};
  const place = (text: string): string => text.replaceAll('"#/$defs/', '"#/components/schemas/');
  const converted = { input: new Map<z.ZodMiniType, Json>(), output: new Map<z.ZodMiniType, Json>() };
  // Cached: most of the document repeats a few schemas, above all the error. The results are never modified.
  function convert(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
    const known = converted[io].get(schema);
    if (known) return known;
    const json = convertAnew(schema, io);
    converted[io].set(schema, json);
    return json;
  }
  function convertAnew(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
    const { $schema: _, $defs, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>))
      components[name] = JSON.parse(place(JSON.stringify(definition)));
    const { id, ...rest } = json;
    const placed = JSON.parse(place(JSON.stringify(rest))) as Json;
    if (typeof id !== 'string') return placed;
    components[id] = placed;
    return { $ref: `#/components/schemas/${id}` };
  }
  return { components, convert };
}

type Convert = (schema: z.ZodMiniType, io: 'input' | 'output') => Json;

function parametersFrom(
  object: z.ZodMiniObject | undefined,
  where: 'query' | 'header',
  convert: Convert,
): Json[] {
  return Object.entries(object?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: where,
    required: !(schema as z.ZodMiniType).safeParse(undefined).success,
    schema: convert(schema as z.ZodMiniType, 'input'),
  }));
}

function parametersOf(route: Route, convert: Convert): Json[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return [
    ...inPath,
    ...parametersFrom(route.query, 'query', convert),
    ...parametersFrom(route.headers, 'header', convert),
  ];
}

function requestBodyOf(route: Route, convert: Convert): Json | null {
  if (!route.body && !route.files) return null;
  const fields: Json = route.body ? convert(route.body, 'input') : { type: 'object', properties: {} };
  const content: Json = {};
  const accepts = route.accepts ?? ['json'];
  if (accepts.includes('json')) content['application/json'] = { schema: fields };
  if (accepts.includes('multipart')) {
    const files = Object.entries(route.files ?? {});
    content['multipart/form-data'] = {
      schema: {
        type: 'object',
        properties: {
          ...((fields.properties as Json) ?? {}),
          ...Object.fromEntries(
            files.map(([name]) => [
              name,
              { type: 'string', contentMediaType: 'image/*', description: 'PNG, JPEG or WebP, at most 8 MB' },
            ]),
          ),
        },
        required: [
          ...((fields.required as string[]) ?? []),
          ...files.filter(([, need]) => need === 'required').map(([name]) => name),
        ],
      },
    };
  }
  const optional = route.body?.safeParse(undefined).success === true;
  return { required: !optional, content };
}

function responsesOf(route: Route, convert: Convert): Json {
  const responses: Json = {};
  const success: Json = { description: route.summary };
  if (typeof route.answer === 'string') success.content = { [route.answer]: { schema: { type: 'string' } } };
  else if (route.answer)
    success.content = { 'application/json': { schema: convert(route.answer, 'output') } };
  responses[route.status] = success;
  return { ...responses, ...failuresOf([...commonErrors(route), ...route.errors], convert) };
}

/** Responses for error codes, one per status, lowest first. */
function failuresOf(errors: readonly ErrorCode[], convert: Convert): Json {
  const byStatus = Map.groupBy(new Set(errors), (code) => errorCatalogue[code].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        status,
        {
          description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].message}`).join('\n\n'),
          content: { 'application/json': { schema: convert(errorBodySchema, 'output') } },
        },
      ]),
  );
}

const PROTOCOL_HEADER = 'Sec-WebSocket-Protocol';

/** OpenAPI has no sockets: the upgrade is described as a GET with response 101; `x-sockets` has the rest. */
function socketOperation(socket: Socket, convert: Convert): Json {
  return {
    operationId: socket.id,
    summary: socket.summary,
    description: `A WebSocket: see \`x-sockets\`. The token goes into \`${PROTOCOL_HEADER}: ${socket.scheme}, <token>\`.`,
    parameters: [
      ...parametersFrom(socket.query, 'query', convert),
      {
        name: PROTOCOL_HEADER,
        in: 'header',
        required: socket.query === undefined,
        schema: { type: 'string' },
      },
    ],
    responses: { 101: { description: 'The socket opens.' }, ...failuresOf(socket.errors, convert) },
    ...(socket.permission ? { 'x-permission': socket.permission } : {}),
    security: [{}],
  };
}

/** Ways to say who one is: a ticket in the query, and the token in a header. */
function authenticationOf(purpose: Stream['ticket'], ...headers: Json[]): Json[] {
  const ticket = {
    in: 'query',
    name: 'ticket',
    description: `From \`POST /api/tickets\`, for \`${purpose}\`; for one use.`,
  };
  return [...headers, ...(purpose === undefined ? [] : [ticket])];
}

const BEARER_HEADER = { in: 'header', name: 'Authorization', description: '`Bearer <token>`' };

/** Everything about one socket that a client has to know, by path: `x-sockets` of the document. */
function describeSocket(socket: Socket, convert: Convert): Json {
  const messagesOf = ({ text, binaryHeader, note }: SocketMessages, io: 'input' | 'output'): Json => ({
    ...(text ? { text: convert(text, io) } : {}),
    ...(binaryHeader ? { binaryHeader: convert(binaryHeader, io) } : {}),
    ...(note ? { description: note } : {}),
  });
  return {
    operationId: socket.id,
    protocol: 'websocket',
    direction: directionOf(socket),
    summary: socket.summary,
    access: socket.access,
    ...(socket.permission ? { permission: socket.permission } : {}),
    authentication: authenticationOf(
      socket.ticket,
      {
        in: 'header',
        name: PROTOCOL_HEADER,
        description: `\`${socket.scheme}, <token>\`; the server answers with \`${socket.scheme}\`.`,
      },
      ...(socket.access !== 'camera' && socket.acceptsHeader ? [BEARER_HEADER] : []),
    ),
    serverMessages: messagesOf(socket.server, 'output'),
    clientMessages: messagesOf(socket.client, 'input'),
    closeCodes: socket.closes,
  };
}

function directionOf({ server, client }: Socket): 'to-client' | 'to-server' | 'both' {
  const sends = ({ text, binaryHeader }: SocketMessages): boolean => (text ?? binaryHeader) !== undefined;
  if (sends(server) && sends(client)) return 'both';
  return sends(server) ? 'to-client' : 'to-server';
}

function describeStream({ route, ticket, events, note }: Stream, convert: Convert): Json {
  const byName = Object.entries(events ?? {}).map(([name, schema]) => [name, convert(schema, 'output')]);
  return {
    operationId: route.id,
    protocol: route.answer,
    direction: 'to-client',
    summary: route.summary,
    access: route.access,
    permission: route.permission,
    authentication: authenticationOf(ticket, BEARER_HEADER),
    serverMessages: { ...(events ? { events: Object.fromEntries(byName) } : {}), description: note },
    clientMessages: { description: 'None.' },
    closeCodes: {},
  };
}

/** Builds the document for these calls, sockets and streams. `version` is the product's. */
export function buildOpenApi(
  routes: Readonly<Record<string, Route>>,
  { sockets, streams }: { readonly sockets: readonly Socket[]; readonly streams: readonly Stream[] },
  version: string,
): Json {
  const { components, convert } = createConverter();
  const paths: Record<string, Json> = {};
  for (const route of Object.values(routes)) {
    const parameters = parametersOf(route, convert);
    const requestBody = requestBodyOf(route, convert);
    const operation: Json = {
      operationId: route.id,
      summary: route.summary,
      ...(route.proof ? { description: PROOF_NOTES[route.proof], 'x-proof': route.proof } : {}),
      ...(route.rows ? { description: ROWS_NOTE, 'x-proof': 'by-amount' } : {}),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(requestBody ? { requestBody } : {}),
      responses: responsesOf(route, convert),
      ...(route.permission ? { 'x-permission': route.permission } : {}),
      security: route.access === 'visitor' ? [{}, { bearer: [] }] : [{ bearer: [] }],
    };
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  for (const socket of sockets) paths[socket.path] = { get: socketOperation(socket, convert) };
  return {
    openapi: '3.1.0',
    info: {
      title: PRODUCT_NAME,
      version,
      description: 'Child-safety check-in: accounts, children, stays, faces, photos, events, audit.',
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [{ url: '/' }],
    paths,
    'x-sockets': {
      ...Object.fromEntries(sockets.map((socket) => [socket.path, describeSocket(socket, convert)])),
      ...Object.fromEntries(streams.map((stream) => [stream.route.path, describeStream(stream, convert)])),
    },
    components: {
      schemas: components,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}
