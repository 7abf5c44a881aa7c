/** Where the pictures of one viewer go. Knows neither rights nor streams. */
import type { LiveNote } from '@haris/contract/live/video';

/** A picture in the bytes that every viewer of its stream is sent. */
export interface Prepared {
  /** Grows with every picture of the server, so that it also grows for a viewer who changes cameras. */
  readonly seq: number;
  readonly bytes: Uint8Array;
}

export type EndReason = Extract<LiveNote, { type: 'end' }>['reason'];

/** `end` also closes the connection. */
export interface Sink {
  picture(picture: Prepared): void;
  note(note: LiveNote): void;
  end(reason: EndReason): void;
}
