/** Stores the cameras' tracks of children as sightings. */
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../../context.ts';
import type { SeenNote } from '../../vision/live-link.ts';
import { recordSighting } from './service.ts';

/** Interval between writes of an ongoing track; a crash loses at most this much of its end. Milliseconds. */
const WRITE_EVERY_MS = 10_000;
/** A track without a note for this long has ended, even if its end was never reported. Milliseconds. */
const FORGOTTEN_AFTER_MS = 60_000;
/** Maximum of notes that wait for the database. Further notes are dropped: the track's next note repeats them. */
const WAITING_MOST = 1_000;

interface Track {
  writtenAt: number | null;
  toldAt: number;
}

export interface Tracks {
  /** Takes a note of the engine. Stores the start and the end of a track, and its progress now and then. */
  readonly take: (note: SeenNote) => void;
  /** Resolves when all taken notes are stored or have failed. */
  readonly settled: () => Promise<void>;
}

export function openTracks(context: Context): Tracks {
  const tracks = new Map<string, Track>();
  let work: Promise<void> = Promise.resolve();
  let waiting = 0;

  const report = (error: unknown): void =>
    context.log.warn(describeFailure(error), 'a sighting could not be kept');

  function take(note: SeenNote): void {
    if (note.childId === null) return;
    const now = context.clock.now();
    for (const [key, track] of tracks) if (now - track.toldAt > FORGOTTEN_AFTER_MS) tracks.delete(key);
    const name = `${note.trackId} ${note.from}`;
    const key = `${note.cameraId} ${note.childId} ${name}`;
    const track = tracks.get(key) ?? { writtenAt: null, toldAt: now };
    track.toldAt = now;
    if (note.ended) tracks.delete(key);
    else tracks.set(key, track);
    const due = track.writtenAt === null || note.ended || now - track.writtenAt >= WRITE_EVERY_MS;
    if (!due || waiting >= WAITING_MOST) return;
    track.writtenAt = now;
    waiting++;
    const seen = {
      childId: note.childId,
      cameraId: note.cameraId,
      track: name,
      // Use only the duration of the engine's times, because its clock may differ from ours.
      from: now - Math.max(0, note.to - note.from),
      to: now,
      confidence: note.confidence,
    };
    work = work
      .then(() => recordSighting(context, seen))
      .catch(report)
      .finally(() => {
        waiting--;
      });
  }

  return { take, settled: () => work };
}
