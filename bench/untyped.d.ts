/** Types for packages without types, limited to what the benches use. */

declare module 'autocannon' {
  interface Client {
    setRequests(requests: readonly Request[]): void;
  }
  interface Request {
    readonly method?: string;
    readonly path?: string;
  }
  interface Instance extends Promise<{ readonly duration: number }> {
    /** `ms` is the time until the full response. */
    on(
      event: 'response',
      listener: (client: Client, status: number, bytes: number, ms: number) => void,
    ): this;
    on(event: 'reqError', listener: (error: Error) => void): this;
  }
  export default function autocannon(options: {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly requests?: readonly Request[];
    readonly setupClient?: (client: Client) => void;
  }): Instance;
}

declare module 'express' {
  import type { IncomingMessage, Server, ServerResponse } from 'node:http';

  export interface Response extends ServerResponse {
    status(code: number): this;
    json(body: unknown): this;
  }
  export interface Request extends IncomingMessage {
    readonly params: Readonly<Record<string, string>>;
    readonly query: Readonly<Record<string, string>>;
  }
  type Handler = (request: Request, response: Response) => void;
  interface Application {
    get(path: string, handler: Handler): this;
    post(path: string, handler: Handler): this;
    use(handler: unknown): this;
    listen(port: number, host: string): Server;
  }
  interface Express {
    (): Application;
    json(): unknown;
  }
  const express: Express;
  export default express;
}
