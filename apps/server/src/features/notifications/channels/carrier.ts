/** The interface of a channel: it sends one delivery. */
import type { NotificationDeliveryRow } from '../../../db/schema.ts';

export interface Parcel {
  readonly row: NotificationDeliveryRow;
  /** The enqueued content; each channel parses its own. */
  readonly content: unknown;
}

/** Resolves once the receiver has accepted the delivery. Throws DeliveryError; any other error counts as `unreachable`. */
export type Carrier = (parcel: Parcel) => Promise<void>;
