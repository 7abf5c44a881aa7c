/** Source for a USB camera on this machine, through Video4Linux. */
import type { TakeFrame } from './source-error.ts';
import { playStream } from './stream.ts';

export function playV4l2(path: string, take: TakeFrame): Promise<void> {
  return playStream({ url: path, format: 'video4linux2', options: {} }, take);
}
