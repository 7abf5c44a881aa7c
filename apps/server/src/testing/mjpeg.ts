/** A client of `multipart/x-mixed-replace` that checks the stream strictly against RFC 2046 and the contract. */
import { type IncomingHttpHeaders, request } from 'node:http';

export interface MjpegPart {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface MjpegClient {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Complete parts so far. */
  readonly parts: MjpegPart[];
  /** The body of a refusal. */
  text(): string;
  /** Error in the stream; null if there is none. */
  problem(): string | null;
  isOpen(): boolean;
  /** Whether the closing boundary has arrived. */
  isClosed(): boolean;
  readonly ended: Promise<void>;
  close(): void;
  /** Stops reading. */
  pause(): void;
}

export interface MjpegAsk {
  readonly token?: string | undefined;
  /** Do not read at all. */
  readonly neverReads?: boolean;
  /** Keep only the newest part, for long streams. */
  readonly keepLast?: boolean;
}

export function openMjpeg(port: number, path: string, ask: MjpegAsk = {}): Promise<MjpegClient> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = ask.token ? { authorization: `Bearer ${ask.token}` } : {};
    const outgoing = request({ port, host: '127.0.0.1', path, headers, agent: false }, (answer) => {
      const parts: MjpegPart[] = [];
      let rest: Buffer = Buffer.alloc(0);
      let open = true;
      let closed = false;
      let problem: string | null = null;
      const boundary = /^multipart\/x-mixed-replace; boundary=(\S+)$/.exec(
        String(answer.headers['content-type']),
      )?.[1];

      const read = (): void => {
        const delimiter = `--${boundary}`;
        for (;;) {
          if (closed && rest.length > 0) problem = 'bytes after the end';
          const line = rest.indexOf('\r\n');
          if (line < 0) return;
          const first = rest.subarray(0, line).toString('latin1');
          if (first === `${delimiter}--`) {
            closed = true;
            rest = rest.subarray(line + 2);
            if (rest.length === 0) return;
            continue;
          }
          if (first !== delimiter) {
            problem = `not a boundary: ${JSON.stringify(first.slice(0, 60))}`;
            return;
          }
          const head = rest.indexOf('\r\n\r\n');
          if (head < 0) return;
          const fields = Object.fromEntries(
            rest
              .subarray(line + 2, head)
              .toString('latin1')
              .split('\r\n')
              .map((text) => {
                const [name = '', value = ''] = text.split(': ');
                return [name.toLowerCase(), value];
              }),
          );
          const length = Number(fields['content-length']);
          const end = head + 4 + length;
          if (rest.length < end + 2) return;
          if (rest.subarray(end, end + 2).toString('latin1') !== '\r\n') {
            problem = 'a part is longer than it says';
            return;
          }
          if (ask.keepLast) parts.length = 0;
          parts.push({ headers: fields, body: Buffer.from(rest.subarray(head + 4, end)) });
          rest = rest.subarray(end + 2);
        }
      };
      const ended = new Promise<void>((done) => {
        answer.on('close', () => {
          open = false;
          done();
        });
      });
      answer.on('error', () => {});
      if (!ask.neverReads)
        answer.on('data', (chunk: Buffer) => {
          rest = Buffer.concat([rest, chunk]);
          if (boundary && problem === null) read();
        });
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        parts,
        text: () => rest.toString('utf8'),
        problem: () => problem,
        isOpen: () => open,
        isClosed: () => closed,
        ended,
        close: () => outgoing.destroy(),
        pause: () => void answer.pause(),
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
