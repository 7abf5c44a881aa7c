/** Viewers of live pictures in a separate process, for `bench/live.ts`: they count pictures and keep none. */
import { connect, type Socket } from 'node:net';
import { decodeMessage, pictureHeaderSchema } from '@haris/contract/live/video';

/**
 * Message of the parent process: viewers of `kind`, each with its path and token, and the number of seconds to
 * measure after all have a picture.
 */
export interface ViewersAsk {
  readonly port: number;
  readonly kind: 'multipart' | 'layers';
  /** Occurs once in each part. */
  readonly mark: string;
  readonly viewers: readonly { readonly path: string; readonly token: string | null }[];
  readonly seconds: number;
}

export interface ViewersFigures {
  /** Number of pictures of each viewer. */
  readonly pictures: number[];
  readonly bytes: number;
  /** Age of each picture in milliseconds, if the stream contains the time. */
  readonly ages: number[];
  readonly seconds: number;
  /** CPU seconds of this process. */
  readonly cpu: number;
}

const TIMESTAMP = 'X-Timestamp: ';
let measuring = false;
let pictures: number[] = [];
let started = new Set<number>();
let bytes = 0;
let ages: number[] = [];

function count(viewer: number, capturedAt: number | null): void {
  started.add(viewer);
  if (!measuring) return;
  pictures[viewer] = (pictures[viewer] ?? 0) + 1;
  if (capturedAt !== null) ages.push(Date.now() - capturedAt);
}

/** Counts parts by their mark; bodies are scanned and discarded. */
function openMultipart(ask: ViewersAsk, viewer: number): Socket {
  const { path, token } = ask.viewers[viewer] ?? { path: '/', token: null };
  const socket = connect({ port: ask.port, host: '127.0.0.1' });
  const authorization = token === null ? '' : `authorization: Bearer ${token}\r\n`;
  socket.write(`GET ${path} HTTP/1.1\r\nhost: haris\r\n${authorization}\r\n`);
  let tail = Buffer.alloc(0);
  // The longest text that must be found in one piece: the mark, and the time after it.
  const keep = ask.mark.length + 20;
  /** Counts the marks in `text` that begin before `end`, and returns the start of the first incomplete one. */
  const look = (text: Buffer, end: number): number => {
    for (let from = 0; ; ) {
      const at = text.indexOf(ask.mark, from);
      if (at < 0 || at >= end) return Math.max(from, Math.min(end, text.length - keep));
      if (at + keep > text.length) return at;
      const moment = Number(text.toString('latin1', at + TIMESTAMP.length, at + TIMESTAMP.length + 14));
      count(viewer, ask.mark === TIMESTAMP ? moment * 1_000 : null);
      from = at + ask.mark.length;
    }
  };
  socket.on('data', (chunk: Buffer) => {
    if (measuring) bytes += chunk.length;
    // Scans the remainder together with only the beginning of the chunk, so that the chunk is not copied.
    if (tail.length > 0 && chunk.length >= keep) {
      const seam = Buffer.concat([tail, chunk.subarray(0, keep)]);
      look(seam, tail.length);
      tail = Buffer.alloc(0);
    }
    const text = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk;
    tail = Buffer.from(text.subarray(look(text, text.length)));
  });
  socket.on('error', () => {});
  return socket;
}

function openLayers(ask: ViewersAsk, viewer: number): WebSocket {
  const { path, token } = ask.viewers[viewer] ?? { path: '/', token: '' };
  const socket = new WebSocket(`ws://127.0.0.1:${ask.port}${path}`, ['bearer', token ?? '']);
  socket.binaryType = 'arraybuffer';
  socket.onmessage = ({ data }) => {
    if (!(data instanceof ArrayBuffer)) return;
    if (measuring) bytes += data.byteLength;
    const header = pictureHeaderSchema.parse(decodeMessage(new Uint8Array(data)).json);
    count(viewer, header.capturedAt);
    socket.send(JSON.stringify({ type: 'taken', seq: header.seq }));
  };
  socket.onerror = () => {};
  return socket;
}

async function measure(ask: ViewersAsk): Promise<ViewersFigures> {
  [pictures, started, bytes, ages] = [ask.viewers.map(() => 0), new Set(), 0, []];
  const open = ask.viewers.map((_, viewer) =>
    ask.kind === 'layers' ? openLayers(ask, viewer) : openMultipart(ask, viewer),
  );
  const until = Date.now() + 60_000;
  while (started.size < ask.viewers.length) {
    if (Date.now() > until) throw new Error(`${ask.viewers.length - started.size} viewers got no picture`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const cpu = process.cpuUsage();
  const at = performance.now();
  measuring = true;
  await new Promise((resolve) => setTimeout(resolve, ask.seconds * 1_000));
  measuring = false;
  const seconds = (performance.now() - at) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  for (const one of open) {
    if (one instanceof WebSocket) one.close();
    else one.destroy();
  }
  return { pictures, bytes, ages, seconds, cpu: (user + system) / 1e6 };
}

process.on('message', (message) => {
  measure(message as ViewersAsk).then(
    (figures) => process.send?.({ figures }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
