/** Where a request comes from, for limits and the audit log. */
import type { Origin } from '../../actor.ts';
import type { Browser } from '../../http/device.ts';

export interface From {
  readonly origin: Origin;
  readonly browser: Browser;
}
