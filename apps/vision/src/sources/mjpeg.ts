/** A camera that sends JPEG pictures one after the other in one HTTP answer (`multipart/x-mixed-replace`). */
import type { TakeFrame } from './source-error.ts';
import { playStream } from './stream.ts';

export function playMjpeg(url: string, take: TakeFrame): Promise<void> {
  return playStream(
    {
      url,
      format: 'mpjpeg',
      options: {
        protocol_whitelist: 'http,https,tcp,tls,crypto,httpproxy',
        fflags: 'nobuffer',
        analyzeduration: '1000000',
        // Of a silent connection; microseconds.
        rw_timeout: '4000000',
      },
    },
    take,
  );
}
