/** Types that all sources share: the frame callback and the error. */
import type { Frame } from 'node-av';
import type { CameraProblem } from '../process/messages.ts';

/** Callback for a frame. It must use the frame synchronously, because the source frees the frame afterwards. */
export type TakeFrame = (frame: Frame) => void;

/** The reason why a source failed. Contains no address and no text from the camera. */
export class SourceError extends Error {
  override name = 'SourceError';
  readonly problem: CameraProblem;

  constructor(problem: CameraProblem) {
    super(problem);
    this.problem = problem;
  }
}
