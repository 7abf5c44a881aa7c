/**
 * One reader of the events for all open streams of this server: each page is read once and told from memory. A stream
 * that is behind reads its own pages until it has reached the reader, and then joins. Knows no database and no account.
 */

/** An event that was read, ready to be sent. */
export interface Told<Who> {
  readonly id: number;
  /** The text for this account; null if it may not see the event. */
  textFor(who: Who): string | null;
}

export interface Page<Who> {
  /** In the order of ids. */
  readonly events: readonly Told<Who>[];
  /** Id of the last row of the page; the asked id where the page is empty. */
  readonly lastId: number;
  /** Whether the page is full, so that another may follow. */
  readonly isFull: boolean;
}

/** Where a stream is written to. */
export interface Outlet<Who> {
  readonly who: Who;
  write(text: string): void;
  /** Bytes that the client has not taken yet. */
  waiting(): number;
  /** Resolves when the client has taken all of it; false when it does not in time. */
  taken(): Promise<boolean>;
  end(): void;
}

export interface FanOutParts<Who> {
  /** A page after an id. With `who` it may leave out what is not theirs to know. */
  readAfter(id: number, who?: Who): Promise<Page<Who>>;
  onFailure(error: unknown): void;
}

export interface FanOut<Who> {
  /**
   * Tells an outlet all that comes after `lastId`, each event once and in order. `newest`: the newest id that was there
   * when `lastId` was chosen. Answers how to leave.
   */
  open(outlet: Outlet<Who>, lastId: number, newest: number): () => void;
  /** There may be new events. */
  wake(): void;
}

/** A stream with more than this waiting gets no more from memory: it reads on from the database once it has taken it. Bytes. */
const MAX_WAITING_BYTES = 256 * 1024;
/** Streams that read for themselves at one time: 500 that come back at once must not keep the desk waiting. */
const CATCHING_UP_AT_ONCE = 4;

interface Stream<Who> {
  readonly outlet: Outlet<Who>;
  /** All events up to here were sent, or are not for this account. */
  lastId: number;
}

export function openFanOut<Who>({ readAfter, onFailure }: FanOutParts<Who>): FanOut<Who> {
  const open = new Set<Stream<Who>>();
  /** Those of `open` that are told by the reader. Each has been told all up to `position`. */
  const joined = new Set<Stream<Who>>();
  const catchUpTurn = createTurns(CATCHING_UP_AT_ONCE);
  let position = 0;

  function tell(stream: Stream<Who>, events: readonly Told<Who>[]): void {
    let text = '';
    for (const event of events) {
      if (event.id <= stream.lastId) continue;
      stream.lastId = event.id;
      text += event.textFor(stream.outlet.who) ?? '';
    }
    if (text !== '') stream.outlet.write(text);
  }

  function leave(stream: Stream<Who>): void {
    open.delete(stream);
    joined.delete(stream);
  }

  function fail(streams: Iterable<Stream<Who>>, error: unknown): void {
    onFailure(error);
    // They come back and resume.
    for (const stream of [...streams]) {
      leave(stream);
      stream.outlet.end();
    }
  }

  async function readOn(): Promise<void> {
    for (let isFull = true; isFull && joined.size > 0; ) {
      const page = await readAfter(position);
      // Nothing is awaited from here to the end of the round: a stream joins before it or after it.
      isFull = page.isFull;
      position = Math.max(position, page.lastId);
      for (const stream of joined) {
        tell(stream, page.events);
        stream.lastId = Math.max(stream.lastId, position);
        if (stream.outlet.waiting() <= MAX_WAITING_BYTES) continue;
        joined.delete(stream);
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
      await readOn().catch((error: unknown) => fail(joined, error));
    } while (isToReadAgain);
    isReading = false;
  }

  function wake(): void {
    isToReadAgain = true;
    if (!isReading) void read();
  }

  async function readOwn(stream: Stream<Who>): Promise<void> {
    const readerWasAt = position;
    const page = await catchUpTurn(() => readAfter(stream.lastId, stream.outlet.who));
    if (!open.has(stream)) return;
    tell(stream, page.events);
    // A page that is not full held all there was, so also all that the reader had seen before it was read.
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
          joined.add(stream);
          // Events committed since its last look have not woken it.
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
      // No stream uses the reader, so it does not read.
      if (joined.size === 0) position = Math.max(position, newest);
      void catchUp(stream);
      return () => leave(stream);
    },
    wake,
  };
}

/** Runs at most so many of the works at one time, in the order in which they came. */
function createTurns(atOnce: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The slot goes to the next one.
      if (next) next();
      else running--;
    }
  };
}
