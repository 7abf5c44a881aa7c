/** Address of the face engine and the data for calls: bearer token, id of this server, authority of its certificate. */
import { randomUUID } from 'node:crypto';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { VISION_SERVER_HEADER } from '@haris/contract/vision';

export interface VisionAddress {
  readonly url: string;
  readonly token: string;
  /** Id that distinguishes this server from others; new at each start. */
  readonly server: string;
  /** PEM certificate of the authority that signed the engine's certificate; null for a public authority. */
  readonly ca: string | null;
}

/** Creates the `server` id of a {@link VisionAddress}. */
export function makeServerId(): string {
  return randomUUID();
}

/** Headers of all calls and of the WebSocket upgrade. */
export function headersFor({ token, server }: VisionAddress): Record<string, string> {
  return { authorization: `Bearer ${token}`, [VISION_SERVER_HEADER]: server };
}

export interface VisionCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** Calls the engine. Rejects if it is unreachable, has no valid certificate, or does not respond in time. */
export function callVision(
  address: VisionAddress,
  path: string,
  { method, headers, body }: VisionCall,
  withinMs: number,
): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const isTls = address.url.startsWith('https:');
    const options = {
      method,
      headers: { ...headersFor(address), ...headers },
      // Open a new connection per call: the engine may have restarted since the last call.
      agent: false,
      signal: AbortSignal.timeout(withinMs),
    } as const;
    const url = new URL(address.url + path);
    const asked = isTls
      ? requestTls(url, { ...options, ...(address.ca !== null && { ca: address.ca }) })
      : requestPlain(url, options);
    asked.on('error', reject);
    asked.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts) }));
    });
    asked.end(body);
  });
}
