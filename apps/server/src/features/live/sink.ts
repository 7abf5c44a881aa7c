/** Interface of one viewer's connection, as the relay uses it. */
import type { LiveNote } from '@haris/contract/live/video';

/** A picture as bytes for all viewers of its feed. */
export interface EncodedPicture {
  /** Sequence number across all feeds of this server, so that it also grows when a viewer changes cameras. */
  readonly seq: number;
  readonly bytes: Uint8Array;
}

export type EndReason = Extract<LiveNote, { type: 'end' }>['reason'];

/** `end` also closes the connection. */
export interface Sink {
  picture(picture: EncodedPicture): void;
  note(note: LiveNote): void;
  end(reason: EndReason): void;
}
