/** How a process below the hub ends with it, however the hub ended. */

/**
 * Ends this process at once when the channel to the hub closes. By SIGKILL: an ordinary exit waits for a decoder that is
 * at work in another thread, for as long as it likes.
 */
export function endWithHub(): void {
  const end = (): void => void process.kill(process.pid, 'SIGKILL');
  process.on('disconnect', end);
  // It may have closed before anybody listened.
  if (!process.connected) end();
  // Ctrl+C reaches the whole group; the hub says when it is over.
  process.on('SIGINT', () => {});
}
