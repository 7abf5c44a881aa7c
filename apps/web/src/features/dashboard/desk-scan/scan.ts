/** What a scanner at the desk has read. */

/** A scanned code; each scan creates a new object. */
export interface Scan {
  /** Possible entry ids, the most likely first. */
  readonly codes: readonly string[];
}
