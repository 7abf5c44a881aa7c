/**
 * Where the event stream of a session has to begin: at what was new before its first lists were read. Otherwise whatever
 * happens between a list and the opening of the stream is never told. Knows no call.
 */
let position: string | null = null;

/** Keeps what the server says with a sign-in and with who is signed in; the newest: of a session that ended hours ago nothing is told again. */
export function recordEventPosition(told: string | null): void {
  if (told !== null && /^\d{1,15}$/.test(told)) position = told;
}

/** The id behind which a first stream begins, once; empty where the server said none. */
export function takeEventPosition(): string {
  const taken = position ?? '';
  position = null;
  return taken;
}
