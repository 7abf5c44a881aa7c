/** The socket of live pictures (`/api/live`) for page tests: the test sends pictures and notes, or refuses it. */
import {
  encodePicture,
  LIVE_PATH,
  type LiveNote,
  liveNoteSchema,
  liveTakenSchema,
  type PictureHeader,
  pictureHeaderSchema,
} from '@haris/contract/live/video';
import { waitFor } from '@testing-library/react';
import type { WebSocketHandler } from 'msw';
import { createTestSocket } from './test-socket.ts';

export interface LiveSocket {
  readonly handler: WebSocketHandler;
  /** Sends a note to the open socket, once there is one. */
  note: (note: LiveNote) => Promise<void>;
  /** Sends a picture and waits until the page has acknowledged it; `sharp` lists the children whose region is in it. */
  picture: (more?: { sharp?: readonly string[]; faces?: PictureHeader['faces'] }) => Promise<void>;
}

const JPEG = new Uint8Array([1]);
const WHOLE: [number, number, number, number] = [0, 0, 1, 1];

/** `isRefused` makes sockets fail, as behind a proxy that blocks them. */
export function createLiveSocket({ isRefused = false } = {}): LiveSocket {
  const taken = new Set<number>();
  let seq = 0;

  const { handler, send } = createTestSocket(LIVE_PATH, (client) => {
    if (isRefused) client.close(1011);
    client.addEventListener('message', ({ data }) => {
      taken.add(liveTakenSchema.parse(JSON.parse(String(data))).seq);
    });
  });

  return {
    handler,
    note: (note) => send(JSON.stringify(liveNoteSchema.parse(note))),
    async picture({ sharp = [], faces } = {}) {
      const header = pictureHeaderSchema.parse({
        seq: ++seq,
        capturedAt: Date.now(),
        width: 640,
        height: 360,
        layers: [
          { bytes: JPEG.length, box: WHOLE },
          ...sharp.map((childId) => ({ bytes: JPEG.length, box: WHOLE, childId })),
        ],
        faces,
      });
      await send(
        encodePicture(
          header,
          header.layers.map(() => JPEG),
        ),
      );
      const mine = seq;
      await waitFor(() => {
        if (!taken.has(mine)) throw new Error('the page has not taken the picture');
      });
    },
  };
}
