/**
 * Pulls each stream once from the face engine, however many watch it, and makes each picture once into the bytes that all
 * of them are sent. Knows no viewer's rights: who may join is decided before.
 */
import { LIVE_MAX_FPS } from '@haris/contract/constants';
import { encodePicture, type PictureHeader } from '@haris/contract/live/video';
import type { VisionView } from '@haris/contract/vision-live';
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { Clock } from '../../clock.ts';
import type { VisionLink } from '../../vision/live-link.ts';
import type { LivePicture } from '../../vision/live-picture.ts';
import { multipartPart } from './mjpeg.ts';
import { drawNames } from './named-boxes.ts';
import type { Prepared } from './sink.ts';

/** One stream: what of which camera, in which form. */
export interface Stream {
  readonly cameraId: string;
  readonly view: VisionView;
  /** `jpeg`: parts of a multipart answer; `layers`: messages of the live socket. */
  readonly format: 'jpeg' | 'layers';
}

export interface Feeds {
  /** Pictures of the stream from now on, until the answered function is called. */
  join(stream: Stream, receive: (picture: Prepared) => void): () => void;
  /** Streams that are pulled. */
  count(): number;
}

/** Two viewers with the same key are sent the same bytes. */
export function streamKey({ cameraId, view, format }: Stream): string {
  return JSON.stringify([
    cameraId,
    format,
    view.kind === 'only' ? [...view.childIds].sort() : view.behindZones,
  ]);
}

type Faces = NonNullable<PictureHeader['faces']>;

/** Faces are looked for a few times a second only: boxes stay over the pictures that follow for so long. Milliseconds. */
const FACES_KEPT_MS = 1_000;

export interface FeedParts {
  readonly link: VisionLink;
  readonly clock: Clock;
  readonly log: Logger;
  /** Who it is in staff's pictures, null for one that is unknown here. */
  nameOf(subjectId: string): Named | null;
}

/** Somebody whom the face engine knows. */
export interface Named {
  readonly name: string;
  readonly kind: Exclude<Faces[number]['kind'], 'unknown'>;
}

export function openFeeds({ link, clock, log, nameOf }: FeedParts): Feeds {
  const feeds = new Map<string, { receivers: Set<(picture: Prepared) => void>; stop: () => void }>();
  let pictures = 0;

  function nameFaces(faces: NonNullable<LivePicture['faces']>): Faces {
    return faces.map(({ box, subjectId }) => {
      const named = subjectId === null ? null : nameOf(subjectId);
      if (named === null) return { box, childId: null, name: null, kind: 'unknown' };
      return { box, childId: named.kind === 'child' ? subjectId : null, ...named };
    });
  }

  function headerOf(picture: LivePicture, seq: number, capturedAt: number): PictureHeader {
    return {
      seq,
      capturedAt,
      width: picture.width,
      height: picture.height,
      layers: picture.layers.map(({ bytes, box, childId, feather }) => ({
        bytes,
        box,
        ...(childId === undefined ? {} : { childId }),
        ...(feather === undefined ? {} : { feather }),
      })),
      ...(picture.faces ? { faces: nameFaces(picture.faces) } : {}),
    };
  }

  function prepare(picture: LivePicture, format: Stream['format']): Prepared | null {
    const seq = ++pictures;
    // A picture from the future is one of another clock; it must not look fresher than it can be.
    const capturedAt = Math.min(picture.capturedAt, clock.now());
    const [first] = picture.layers;
    if (!first) return null;
    if (format === 'jpeg') return { seq, bytes: multipartPart(first.jpeg, capturedAt) };
    const layers = picture.layers.map(({ jpeg }) => jpeg);
    return { seq, bytes: encodePicture(headerOf(picture, seq, capturedAt), layers) };
  }

  /**
   * Staff's multipart pictures: whoever opens them sees nothing but the picture, so that boxes and names are drawn into
   * it. One after the other; of those that come meanwhile the newest waits.
   */
  function drawing(deliver: (picture: LivePicture) => void): (picture: LivePicture) => void {
    let known: { readonly faces: NonNullable<LivePicture['faces']>; readonly at: number } | null = null;
    let waiting: LivePicture | null = null;
    let busy = false;

    async function draw(picture: LivePicture): Promise<LivePicture> {
      const [first] = picture.layers;
      if (picture.faces) known = { faces: picture.faces, at: picture.capturedAt };
      if (!first || !known || known.faces.length === 0 || picture.capturedAt - known.at > FACES_KEPT_MS)
        return picture;
      try {
        return {
          ...picture,
          layers: [{ ...first, jpeg: await drawNames(first.jpeg, nameFaces(known.faces)) }],
        };
      } catch (error) {
        // Staff may see all of it: better without names than not at all.
        log.warn(describeFailure(error), 'names could not be drawn');
        return picture;
      }
    }

    async function drawAll(picture: LivePicture): Promise<void> {
      busy = true;
      for (let next: LivePicture | null = picture; next; ) {
        deliver(await draw(next));
        next = waiting;
        waiting = null;
      }
      busy = false;
    }

    return (picture) => {
      if (!busy) void drawAll(picture);
      // The one that is left out may be the one that knew the faces.
      else waiting = picture.faces || !waiting?.faces ? picture : { ...picture, faces: waiting.faces };
    };
  }

  return {
    count: () => feeds.size,
    join(stream, receive) {
      const key = streamKey(stream);
      let feed = feeds.get(key);
      if (!feed) {
        const receivers = new Set<(picture: Prepared) => void>();
        const deliver = (picture: LivePicture): void => {
          const prepared = prepare(picture, stream.format);
          if (prepared) for (const each of receivers) each(prepared);
        };
        const isDrawn = stream.format === 'jpeg' && stream.view.kind === 'whole';
        const take = isDrawn ? drawing(deliver) : deliver;
        const stop = link.watch({ ...stream, maxFps: LIVE_MAX_FPS }, take);
        feed = { receivers, stop };
        feeds.set(key, feed);
      }
      const joined = feed;
      joined.receivers.add(receive);
      return () => {
        joined.receivers.delete(receive);
        if (joined.receivers.size > 0 || feeds.get(key) !== joined) return;
        feeds.delete(key);
        joined.stop();
      };
    },
  };
}
