/** An IP camera: RTSP with H.264, H.265 or whatever else it sends. TCP first; UDP where a camera has no TCP. */
import { isRtspRedirect, judgeHost } from './camera-host.ts';
import { SourceError, type TakeFrame } from './source-error.ts';
import { playStream } from './stream.ts';

export async function playRtsp(address: string, take: TakeFrame): Promise<void> {
  const host = await judgeHost(address);
  if (await isRtspRedirect(host)) throw new SourceError('redirected');
  await playStream(
    {
      url: host.url,
      format: 'rtsp',
      options: {
        rtsp_flags: 'prefer_tcp',
        protocol_whitelist: 'rtp,rtsp,rtsps,tcp,tls,udp',
        allowed_media_types: 'video',
        fflags: 'nobuffer',
        // Of a second: with less, a stream was seen to start without a picture.
        analyzeduration: '1000000',
        // Of a silent connection; microseconds.
        timeout: '4000000',
      },
      // A camera that redirects the reader alone: nothing that comes from there is shown.
      staysAtUrl: true,
    },
    take,
  );
}
