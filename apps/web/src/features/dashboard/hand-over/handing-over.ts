/** What the dialog of a hand-over is about. */
import type { Child } from '@haris/contract/objects';

/** A hand-over that the desk has begun. */
export interface HandingOver {
  readonly child: Child;
  /** The text of a slip that was scanned; it is the proof. */
  readonly slip?: string;
  /** The request of the family at a kiosk. */
  readonly requestId?: string;
}
