/** Source for a camera that streams JPEGs in one HTTP response (`multipart/x-mixed-replace`). */
import { isHttpRedirect, judgeHost } from './camera-host.ts';
import { SourceError, type TakeFrame } from './source-error.ts';
import { playStream } from './stream.ts';

export async function playMjpeg(address: string, take: TakeFrame): Promise<void> {
  const host = await judgeHost(address);
  let taken = false;
  try {
    await playStream(
      {
        url: host.url,
        format: 'mpjpeg',
        options: {
          protocol_whitelist: 'http,https,tcp,tls',
          headers: `Host: ${host.host}\r\n`,
          // Follow no redirect: its target was not checked.
          max_redirects: '0',
          fflags: 'nobuffer',
          analyzeduration: '1000000',
          // Time-out of a silent connection, in microseconds.
          rw_timeout: '4000000',
        },
      },
      (frame) => {
        taken = true;
        take(frame);
      },
    );
  } catch (error) {
    if (
      !taken &&
      error instanceof SourceError &&
      error.problem === 'unreachable' &&
      (await isHttpRedirect(host))
    )
      throw new SourceError('redirected');
    throw error;
  }
}
