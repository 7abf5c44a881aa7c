/** Makes the OpenAPI 3.1 document from the same schemas that check requests and answers. */
import { z } from 'zod';
import { PRODUCT_NAME, PROOF_MS } from './constants.ts';
import { type ErrorCode, errorBodySchema, errorCatalogue } from './errors.ts';
import type { ProofRule, Route } from './http/route.ts';

type Json = Record<string, unknown>;

const PROOF_MINUTES = PROOF_MS / 60_000;
const PROOF_HOW = `a proof not older than ${PROOF_MINUTES} minutes: a sign-in, or \`POST /api/session/proof\`. Without one the answer is 403 \`proof_required\`.`;

/** What the document says of a call that wants a proof. */
const PROOF_NOTES: Readonly<Record<ProofRule, string>> = {
  always: `Wants ${PROOF_HOW}`,
  parent: `Of a parent it wants ${PROOF_HOW}`,
  'by-body': `For some bodies (see the summary) it wants ${PROOF_HOW}`,
};

/** Failures that any call may answer, by who may make it. */
function commonErrors(route: Route): ErrorCode[] {
  // A body that nobody asked for is still read, and refused when it cannot be.
  const takes = route.method !== 'GET' || route.query || route.headers;
  return [
    ...(route.access === 'visitor' ? [] : (['unauthenticated'] as const)),
    ...(route.access === 'staff' || route.access === 'parent' ? (['forbidden'] as const) : []),
    ...(route.proof ? (['proof_required'] as const) : []),
    ...(takes
      ? (['invalid_request', 'invalid_body', 'unsupported_content_type', 'payload_too_large'] as const)
      : []),
    // One account may have so many photos on their way at once.
    ...(route.files ? (['too_many_attempts'] as const) : []),
    'internal_error',
    'storage_full',
    'unavailable',
  ];
}

/** Converts schemas and collects the named ones below `components`. */
function createConverter() {
  const components: Record<string, Json> = {};
  const place = (text: string): string => text.replaceAll('"#/$defs/', '"#/components/schemas/');
  const converted = { input: new Map<z.ZodType, Json>(), output: new Map<z.ZodType, Json>() };
  // Most of a document is the same few schemas, the error's above all; nobody changes what is answered here.
  function convert(schema: z.ZodType, io: 'input' | 'output'): Json {
    const known = converted[io].get(schema);
    if (known) return known;
    const json = convertAnew(schema, io);
    converted[io].set(schema, json);
    return json;
  }
  function convertAnew(schema: z.ZodType, io: 'input' | 'output'): Json {
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

function parametersOf(route: Route, convert: (schema: z.ZodType, io: 'input' | 'output') => Json): Json[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const from = (object: z.ZodObject | undefined, where: string): Json[] =>
    Object.entries(object?.shape ?? {}).map(([name, schema]) => ({
      name,
      in: where,
      required: !(schema as z.ZodType).safeParse(undefined).success,
      schema: convert(schema as z.ZodType, 'input'),
    }));
  return [...inPath, ...from(route.query, 'query'), ...from(route.headers, 'header')];
}

function requestBodyOf(
  route: Route,
  convert: (schema: z.ZodType, io: 'input' | 'output') => Json,
): Json | null {
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

function responsesOf(route: Route, convert: (schema: z.ZodType, io: 'input' | 'output') => Json): Json {
  const responses: Json = {};
  const success: Json = { description: route.summary };
  if (typeof route.answer === 'string') success.content = { [route.answer]: { schema: { type: 'string' } } };
  else if (route.answer)
    success.content = { 'application/json': { schema: convert(route.answer, 'output') } };
  responses[route.status] = success;
  const byStatus = Map.groupBy(
    new Set([...commonErrors(route), ...route.errors]),
    (code) => errorCatalogue[code].status,
  );
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b))
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].message}`).join('\n\n'),
      content: { 'application/json': { schema: convert(errorBodySchema, 'output') } },
    };
  return responses;
}

/** The document for these calls. `version` is the product's. */
export function buildOpenApi(routes: Readonly<Record<string, Route>>, version: string): Json {
  const { components, convert } = createConverter();
  const paths: Record<string, Json> = {};
  for (const route of Object.values(routes)) {
    const parameters = parametersOf(route, convert);
    const requestBody = requestBodyOf(route, convert);
    const operation: Json = {
      operationId: route.id,
      summary: route.summary,
      ...(route.proof ? { description: PROOF_NOTES[route.proof], 'x-proof': route.proof } : {}),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(requestBody ? { requestBody } : {}),
      responses: responsesOf(route, convert),
      security: route.access === 'visitor' ? [{}, { bearer: [] }] : [{ bearer: [] }],
    };
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
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
    components: {
      schemas: components,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}
