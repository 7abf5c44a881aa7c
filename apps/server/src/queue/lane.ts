/** A lane of a queue: claims jobs while there is room, and works on at most N of them at once. Knows no database. */
import { acrossFacilities } from '../facility.ts';

export interface LaneParts<Job> {
  readonly atOnce: number;
  /** The next job; undefined: there is none; null: ask again. */
  claim(): Promise<Job | undefined | null>;
  /** Must not reject. */
  work(job: Job): Promise<void>;
  /** Called with the error of a failed claim; the lane then rests until the next kick. */
  fail(error: unknown): void;
}

export interface Lane {
  /** Claims all available jobs. A kick during a claim causes one more claim. */
  kick(): void;
  isIdle(): boolean;
  /** Resolves once no job is claimed or in progress. */
  idle(): Promise<void>;
  /** Stops claiming. */
  close(): void;
}

export function openLane<Job>({ atOnce, claim, work, fail }: LaneParts<Job>): Lane {
  const running = new Set<Promise<void>>();
  let claiming: Promise<void> | null = null;
  let isKicked = false;
  let isClosed = false;

  async function claimAll(): Promise<void> {
    while (isKicked && !isClosed) {
      isKicked = false;
      let job: Job | undefined | null = null;
      while (job !== undefined && !isClosed && running.size < atOnce) {
        job = await claim();
        if (job) begin(job);
      }
    }
  }

  function begin(job: Job): void {
    const run = work(job).finally(() => {
      running.delete(run);
      // There is room for another job.
      kick();
    });
    running.add(run);
  }

  function kick(): void {
    isKicked = true;
    if (isClosed) return;
    // Jobs are of all facilities, whichever request kicked.
    claiming ??= acrossFacilities(claimAll)
      .catch(fail)
      .finally(() => {
        claiming = null;
        // A kick may have come after the last check of the flag.
        if (isKicked) kick();
      });
  }

  const isIdle = (): boolean => claiming === null && running.size === 0;
  return {
    kick,
    isIdle,
    async idle() {
      while (!isIdle()) await Promise.all([claiming, ...running]);
    },
    close() {
      isClosed = true;
    },
  };
}
