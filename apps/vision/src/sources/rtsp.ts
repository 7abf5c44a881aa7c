/** Source for IP cameras: RTSP with any codec, over TCP, or over UDP if the camera has no TCP. */
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
        // Microseconds. With less than a second, streams started without a picture.
        analyzeduration: '1000000',
        // Time-out of a silent connection, in microseconds.
        timeout: '4000000',
      },
      // Catches a camera that redirects only ffmpeg: nothing from the other address is shown.
      staysAtUrl: true,
    },
    take,
  );
}
