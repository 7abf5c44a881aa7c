/**
 * Pulls each stream once from the face engine, however many watch it, and makes each picture once into the bytes that all
 * of them are sent. Knows no viewer's rights: who may join is decided before.
 */
import { LIVE_MAX_FPS } from '@haris/contract/constants';
import { encodePicture, type PictureHeader } from '@haris/contract/live/video';
import type { VisionView } from '@haris/contract/vision-live';
import type { Clock } from '../../clock.ts';
import type { VisionLink } from '../../vision/live-link.ts';
import type { LivePicture } from '../../vision/live-picture.ts';
import { multipartPart } from './mjpeg.ts';
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

/** `nameOf`: name of a child in staff's pictures, null for one that is unknown here. */
export function openFeeds(link: VisionLink, clock: Clock, nameOf: (childId: string) => string | null): Feeds {
  const feeds = new Map<string, { receivers: Set<(picture: Prepared) => void>; stop: () => void }>();
  let pictures = 0;

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
      ...(picture.faces
        ? {
            faces: picture.faces.map(({ box, subjectId }) => {
              const name = subjectId === null ? null : nameOf(subjectId);
              const known = name !== null;
              return { box, childId: known ? subjectId : null, name, kind: known ? 'child' : 'unknown' };
            }),
          }
        : {}),
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

  return {
    count: () => feeds.size,
    join(stream, receive) {
      const key = streamKey(stream);
      let feed = feeds.get(key);
      if (!feed) {
        const receivers = new Set<(picture: Prepared) => void>();
        const stop = link.watch({ ...stream, maxFps: LIVE_MAX_FPS }, (picture) => {
          const prepared = prepare(picture, stream.format);
          if (prepared) for (const each of receivers) each(prepared);
        });
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
