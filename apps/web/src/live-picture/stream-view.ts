/** State of a live stream, shown beside its pictures. */
import type { LiveNote, PictureHeader } from '@haris/contract/live/video';

export interface StreamTarget {
  readonly kind: 'child' | 'camera';
  readonly id: string;
}

export type EndReason = Exclude<Extract<LiveNote, { type: 'end' }>['reason'], 'restart'>;
export type WaitingReason = Extract<LiveNote, { type: 'waiting' }>['reason'] | 'child_outside';

export interface StreamView {
  /** `lost`: reconnecting. `paused`: the page is hidden. `ended`: the stream does not come back. */
  readonly link: 'connecting' | 'open' | 'lost' | 'paused' | 'ended';
  readonly ended: EndReason | null;
  /** Reason from the server why the subject is not visible. */
  readonly waiting: WaitingReason | null;
  readonly camera: { readonly id: string; readonly area: string; readonly name: string } | null;
  /** URL of the MJPEG for an image element; null while a socket delivers the pictures. */
  readonly imageUrl: string | null;
}

export const noStream: StreamView = {
  link: 'connecting',
  ended: null,
  waiting: null,
  camera: null,
  imageUrl: null,
};

export interface StreamHandlers {
  onView: (view: StreamView) => void;
  /**
   * Called for each picture; the layers are valid as long as the message. Call `taken` once for each picture, drawn or
   * not.
   */
  onPicture: (header: PictureHeader, layers: readonly Uint8Array<ArrayBuffer>[], taken: () => void) => void;
}
