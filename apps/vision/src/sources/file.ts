/** Plays a video file in a loop at its own frame rate, for the demo and the tests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SourceError, type TakeFrame } from './source-error.ts';
import { playStream } from './stream.ts';

/** Playback that lags by more than this restarts its clock instead of catching up. Milliseconds. */
const LAG_MS = 500;

export async function playFile(path: string, take: TakeFrame): Promise<void> {
  /** Due time of the next frame, so that the next round starts on time even if opening the file is slow. */
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
