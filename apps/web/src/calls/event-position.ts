/**
 * Start position of a session's event stream: the newest event before the first lists were read. A later start would
 * miss events between reading a list and opening the stream.
 */
let position: string | null = null;

/**
 * Records the position that the server sends with a sign-in and with the identity. The newest wins, so that events of
 * an older session are not repeated.
 */
export function recordEventPosition(told: string | null): void {
  if (told !== null && /^\d{1,15}$/.test(told)) position = told;
}

/** Event id after which the first stream begins; empty if the server sent none. Resets the position. */
export function takeEventPosition(): string {
  const taken = position ?? '';
  position = null;
  return taken;
}
