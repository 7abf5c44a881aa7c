/**
 * Which server controls this engine. Two would end each other's wire for ever, and ask about each other's faces: one has
 * the seat, and keeps it for a while after its wire broke, so that nobody takes it while that server comes back.
 */

/** A broken wire comes back within seconds; a server that was killed and started anew has another id and waits. Milliseconds. */
const GRACE_MS = 10_000;

export class Seat {
  #holder: string | null = null;
  #grace: NodeJS.Timeout | undefined;
  #isWired = false;

  /** Whether this server may ask anything: nobody or the server itself has the seat. */
  admits(server: string): boolean {
    return this.#holder === null || this.#holder === server;
  }

  /** Keeps the seat for who is about to open its wire. False where another server has it, and without an id. */
  claim(server: string): boolean {
    if (server === '' || !this.admits(server)) return false;
    this.#holder = server;
    if (!this.#isWired) this.leave(false);
    return true;
  }

  /** Takes the seat for a wire, until {@link leave}. False as for {@link claim}. */
  take(server: string): boolean {
    if (!this.claim(server)) return false;
    clearTimeout(this.#grace);
    this.#isWired = true;
    return true;
  }

  /** The wire of who has the seat ended: by a farewell, or broken. */
  leave(isFarewell: boolean): void {
    clearTimeout(this.#grace);
    this.#isWired = false;
    if (isFarewell) {
      this.#holder = null;
      return;
    }
    this.#grace = setTimeout(() => {
      this.#holder = null;
    }, GRACE_MS);
    this.#grace.unref();
  }
}
