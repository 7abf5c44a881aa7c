/**
 * Decides which server controls this engine: the holder of the seat. Two servers would keep ending each other's live wire
 * and match against each other's gallery. The holder keeps the seat for a while after its wire broke, so that no other
 * server takes it before the holder reconnects.
 */

export class Seat {
  readonly #graceMs: number;
  /** The seat of a killed holder becomes free within this time. Milliseconds. */
  readonly freeWithinMs: number;
  #holder: string | null = null;
  #grace: NodeJS.Timeout | undefined;
  #isWired = false;

  /**
   * `graceMs`: how long the holder keeps the seat after its wire broke. A running server reconnects within seconds; a server
   * that was killed and restarted has a new id and must wait. `pingMs`: time between two pings, which detect a dead holder.
   * Milliseconds.
   */
  constructor(graceMs: number, pingMs: number) {
    this.#graceMs = graceMs;
    this.freeWithinMs = graceMs + 2 * pingMs;
  }

  /** Whether this server may call the engine: the seat is free or its own. */
  admits(server: string): boolean {
    return this.#holder === null || this.#holder === server;
  }

  /** Reserves the seat for a server about to open its wire. False for an empty id or if another server has the seat. */
  claim(server: string): boolean {
    if (server === '' || !this.admits(server)) return false;
    this.#holder = server;
    if (!this.#isWired) this.leave(false);
    return true;
  }

  /** Takes the seat for an open wire, until {@link leave}. Returns false in the same cases as {@link claim}. */
  take(server: string): boolean {
    if (!this.claim(server)) return false;
    clearTimeout(this.#grace);
    this.#isWired = true;
    return true;
  }

  /** Frees the seat after the holder's wire ended: at once after a farewell, otherwise after the grace time. */
  leave(isFarewell: boolean): void {
    clearTimeout(this.#grace);
    this.#isWired = false;
    if (isFarewell) {
      this.#holder = null;
      return;
    }
    this.#grace = setTimeout(() => {
      this.#holder = null;
    }, this.#graceMs);
    this.#grace.unref();
  }
}
