/**
 * One reader of events for all open streams of this server: it reads each page once and sends it from memory. A stream
 * that is behind reads its own pages until it has caught up with the reader. Independent of database and accounts.
 */
import { createLimiter } from '@haris/runtime/limiter';

/** An event of a page. */
export interface PageEvent<Who> {
  readonly id: number;
  /** Text for an account; null if the account may not see the event. */
  textFor(who: Who): string | null;
}

export interface Page<Who> {
  /** In the order of ids. */
  readonly events: readonly PageEvent<Who>[];
  /** Id of the last row of the page; for an empty page, the id after which the page was read. */
  readonly lastId: number;
  /** Whether the page is full, so that another page may follow. */
  readonly isFull: boolean;
}

/** Connection of a stream. */
export interface Outlet<Who> {
  readonly who: Who;
  write(text: string): void;
  /** Bytes that wait for the client to read them. */
  waiting(): number;
  /** Resolves with true when the client has read everything, or with false if it does not read in time. */
  taken(): Promise<boolean>;
  end(): void;
}

export interface FanOutParts<Who> {
  /** Reads a page after an id. With `who`, the page may leave out events that the account may not see. */
  readAfter(id: number, who?: Who): Promise<Page<Who>>;
  onFailure(error: unknown): void;
}

export interface FanOut<Who> {
  /**
   * Sends an outlet all events after `lastId`, each once and in order. `newest`: the newest id when `lastId` was chosen.
   * Returns a function that closes the stream.
   */
  open(outlet: Outlet<Who>, lastId: number, newest: number): () => void;
  /** Makes the reader look for new events. */
  wake(): void;
}

/** Unsent bytes beyond which a stream gets no events from memory; it reads its own pages once its client has caught up. */
const MAX_WAITING_BYTES = 256 * 1024;
/** Streams that read their own pages at once: when 500 reconnect together, calls from the desk must not wait. */
const CATCHING_UP_AT_ONCE = 4;

interface Stream<Who> {
  readonly outlet: Outlet<Who>;
  /** All events up to this id were sent or are not for this account. */
  lastId: number;
}

/** Sends the events after the stream's `lastId`. */
function send<Who>(stream: Stream<Who>, events: readonly PageEvent<Who>[]): void {
  let text = '';
  for (const event of events) {
    if (event.id <= stream.lastId) continue;
    stream.lastId = event.id;
    text += event.textFor(stream.outlet.who) ?? '';
  }
  if (text !== '') stream.outlet.write(text);
}

export function openFanOut<Who>({ readAfter, onFailure }: FanOutParts<Who>): FanOut<Who> {
  const open = new Set<Stream<Who>>();
  /** Open streams that the reader sends to. All have received the events up to `position`. */
  const caughtUp = new Set<Stream<Who>>();
  const catchUps = createLimiter(CATCHING_UP_AT_ONCE);
  let position = 0;

  function leave(stream: Stream<Who>): void {
    open.delete(stream);
    caughtUp.delete(stream);
  }

  function fail(streams: Iterable<Stream<Who>>, error: unknown): void {
    onFailure(error);
    // Clients reconnect and resume.
    for (const stream of [...streams]) {
      leave(stream);
      stream.outlet.end();
    }
  }

  async function readOn(): Promise<void> {
    for (let isFull = true; isFull && caughtUp.size > 0; ) {
      const page = await readAfter(position);
      // No await until the end of the round, so that no stream catches up in the middle of it.
      isFull = page.isFull;
      position = Math.max(position, page.lastId);
      for (const stream of caughtUp) {
        send(stream, page.events);
        stream.lastId = Math.max(stream.lastId, position);
        if (stream.outlet.waiting() <= MAX_WAITING_BYTES) continue;
        caughtUp.delete(stream);
        void catchUp(stream);
      }
    }
  }

  let isReading = false;
  let isToReadAgain = false;
  async function read(): Promise<void> {
    isReading = true;
    do {
      isToReadAgain = false;
      await readOn().catch((error: unknown) => fail(caughtUp, error));
    } while (isToReadAgain);
    isReading = false;
  }

  function wake(): void {
    isToReadAgain = true;
    if (!isReading) void read();
  }

  async function readOwn(stream: Stream<Who>): Promise<void> {
    const readerWasAt = position;
    const page = await catchUps.run(() => readAfter(stream.lastId, stream.outlet.who));
    if (!open.has(stream)) return;
    send(stream, page.events);
    // A page that is not full contains all events so far, including those that the reader had already sent.
    stream.lastId = Math.max(stream.lastId, page.isFull ? page.lastId : readerWasAt);
  }

  async function catchUp(stream: Stream<Who>): Promise<void> {
    try {
      while (open.has(stream)) {
        if (stream.outlet.waiting() > MAX_WAITING_BYTES) {
          if (!(await stream.outlet.taken())) {
            leave(stream);
            return stream.outlet.end();
          }
        } else if (stream.lastId < position) await readOwn(stream);
        else {
          caughtUp.add(stream);
          // Events committed since the stream's last page have not woken it.
          return wake();
        }
      }
    } catch (error) {
      fail([stream], error);
    }
  }

  return {
    open(outlet, lastId, newest) {
      const stream: Stream<Who> = { outlet, lastId };
      open.add(stream);
      // The reader does not read while no stream uses it.
      if (caughtUp.size === 0) position = Math.max(position, newest);
      void catchUp(stream);
      return () => leave(stream);
    },
    wake,
  };
}
