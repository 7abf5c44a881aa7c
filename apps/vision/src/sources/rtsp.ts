/** An IP camera: RTSP with H.264, H.265 or whatever else it sends. TCP first; UDP where a camera has no TCP. */
import type { TakeFrame } from './source-error.ts';
import { playStream } from './stream.ts';

export function playRtsp(url: string, take: TakeFrame): Promise<void> {
  return playStream(
    {
      url,
      format: 'rtsp',
      options: {
        rtsp_flags: 'prefer_tcp',
        protocol_whitelist: 'rtp,rtsp,rtsps,tcp,tls,udp,crypto',
        allowed_media_types: 'video',
        fflags: 'nobuffer',
        // Of a second: with less, a stream was seen to start without a picture.
        analyzeduration: '1000000',
        // Of a silent connection; microseconds.
        timeout: '4000000',
      },
    },
    take,
  );
}
