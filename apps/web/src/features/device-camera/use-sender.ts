/** Connects the page's video, the lens and the sender of a room camera. */
import { useEffect, useState } from 'react';
import { nothingSent, type SenderReport, startSending } from './sender.ts';

/** Shows the lens in the page and sends its pictures; a change of `takeOvers` reconnects. */
export function useSender(
  video: HTMLVideoElement | null,
  stream: MediaStream | null,
  token: string,
  takeOvers: number,
): SenderReport {
  const [report, setReport] = useState(nothingSent);
  useEffect(() => {
    if (video === null || stream === null) return;
    video.srcObject = stream;
    // Some browsers do not start playback after a reload.
    video.play().catch(() => {});
    return () => {
      video.srcObject = null;
    };
  }, [video, stream]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: taking over is a new connection
  useEffect(() => {
    if (video === null || stream === null) return;
    const stop = startSending(video, token, setReport);
    return () => {
      stop();
      setReport(nothingSent);
    };
  }, [video, stream, token, takeOvers]);
  return report;
}
