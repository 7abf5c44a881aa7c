/**
 * Subscribes to feeds from the engine, once per feed for all its viewers. The caller checks the rights.
 */
import { LIVE_MAX_FPS } from '@haris/contract/constants';
import type { VisionView } from '@haris/contract/vision-live';
import type { Logger } from '@haris/runtime/log';
import type { VisionLink } from '../../vision/live-link.ts';
import type { LivePicture } from '../../vision/live-picture.ts';
import { createNameDrawer } from './name-drawer.ts';
import { createPictureEncoder, type EncoderParts, type PictureFormat } from './picture-encoder.ts';
import type { EncodedPicture } from './sink.ts';

/** View of one camera in one format. */
export interface Feed {
  readonly cameraId: string;
  readonly view: VisionView;
  readonly format: PictureFormat;
}

export interface Feeds {
  /** Calls back with each new picture of a feed. Returns a function that unsubscribes; its second call does nothing. */
  subscribe(feed: Feed, receive: (picture: EncodedPicture) => void): () => void;
}

/** Viewers whose feeds have the same key get the same bytes. */
export function feedKey({ cameraId, view, format }: Feed): string {
  return JSON.stringify([cameraId, format, view.kind === 'only' ? [...view.childIds].sort() : view.kind]);
}

export interface FeedParts extends EncoderParts {
  readonly link: VisionLink;
  readonly log: Logger;
}

interface OpenFeed {
  readonly receivers: Set<(picture: EncodedPicture) => void>;
  readonly stop: () => void;
}

export function openFeeds({ link, log, ...parts }: FeedParts): Feeds {
  const feeds = new Map<string, OpenFeed>();
  const encoder = createPictureEncoder(parts);

  function open(feed: Feed): OpenFeed {
    const receivers = new Set<(picture: EncodedPicture) => void>();
    const deliver = (picture: LivePicture): void => {
      const encoded = encoder.encode(picture, feed);
      if (encoded) for (const receive of receivers) receive(encoded);
    };
    const isDrawn = feed.format === 'jpeg' && feed.view.kind === 'whole';
    const onPicture = isDrawn
      ? createNameDrawer({ log, nameFaces: (faces) => encoder.nameFaces(faces, feed.cameraId), deliver })
      : deliver;
    return { receivers, stop: link.watch({ ...feed, maxFps: LIVE_MAX_FPS }, onPicture) };
  }

  return {
    subscribe(feed, receive) {
      const key = feedKey(feed);
      const shared = feeds.get(key) ?? open(feed);
      feeds.set(key, shared);
      shared.receivers.add(receive);
      return () => {
        shared.receivers.delete(receive);
        if (shared.receivers.size > 0 || feeds.get(key) !== shared) return;
        feeds.delete(key);
        shared.stop();
      };
    },
  };
}
