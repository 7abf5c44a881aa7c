/** What each way does: brings one delivery to where it is to go. */
import type { NoticeDeliveryRow } from '../../../db/schema.ts';

export interface Parcel {
  readonly row: NoticeDeliveryRow;
  /** What was put into the queue; each way parses its own. */
  readonly content: unknown;
}

/** Resolves when the other side has taken it. Throws DeliveryError; anything else counts as not reachable. */
export type Carrier = (parcel: Parcel) => Promise<void>;
