/** What a source takes and throws. */
import type { Frame } from 'node-av';
import type { CameraProblem } from '../process/messages.ts';

/** Takes a picture at once; the frame is not valid afterwards. */
export type TakeFrame = (frame: Frame) => void;

/** Why a source gave up. Carries no address and nothing that the camera said. */
export class SourceError extends Error {
  override name = 'SourceError';
  readonly problem: CameraProblem;

  constructor(problem: CameraProblem) {
    super(problem);
    this.problem = problem;
  }
}
