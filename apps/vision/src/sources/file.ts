/** A video file, played again and again at its own rate: for the demo and the tests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SourceError, type TakeFrame } from './source-error.ts';
import { playStream } from './stream.ts';

/** A file that lags behind by more starts its clock anew instead of running faster. Milliseconds. */
const LAG_MS = 500;

export async function playFile(path: string, take: TakeFrame): Promise<void> {
  /** When the picture after the last one is due: the next round keeps step, however long the file takes to open. */
  let due = Number.NaN;
  for (;;) {
    let start = Number.NaN;
    let last = Number.NaN;
    let pictures = 0;
    await playStream(
      {
        url: path,
        format: undefined,
        options: {
          protocol_whitelist: 'file',
          format_whitelist: 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,h264,hevc,avi,mjpeg',
        },
        async pace(at) {
          const now = performance.now();
          if (pictures++ === 0) start = due - at;
          if (Number.isNaN(start) || now - (start + at) > LAG_MS) start = now - at;
          const early = start + at - now;
          due = start + at + (Number.isNaN(last) ? 0 : at - last);
          last = at;
          if (early > 0) await sleep(early);
        },
      },
      take,
    );
    if (pictures === 0) throw new SourceError('no_picture');
  }
}
