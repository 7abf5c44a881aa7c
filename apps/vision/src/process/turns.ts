/** Gives photos and live pictures their turns on the one thread of the networks: one of each, one after the other. */

type Job = () => Promise<void>;

export interface Turns {
  addPhoto(job: Job): void;
  addFrame(job: Job): void;
}

/** `onError` is told when a job fails; the next one goes on. */
export function createTurns(onError: (error: unknown) => void): Turns {
  const photos: Job[] = [];
  const frames: Job[] = [];
  let running = false;
  let photoNext = true;

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    for (;;) {
      const [first, second] = photoNext ? [photos, frames] : [frames, photos];
      photoNext = !photoNext;
      const job = first.shift() ?? second.shift();
      if (!job) break;
      await job().catch(onError);
      // Orders that came meanwhile (a roster, above all) are read before the next picture.
      await new Promise(setImmediate);
    }
    running = false;
  }

  return {
    addPhoto(job) {
      photos.push(job);
      void run();
    },
    addFrame(job) {
      frames.push(job);
      void run();
    },
  };
}
