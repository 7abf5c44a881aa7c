/** Makes a child process exit with the hub, however the hub ended. */

/**
 * Kills this process at once when the channel to the hub closes. Uses SIGKILL, because an ordinary exit waits without
 * limit for a decoder in another thread.
 */
export function endWithHub(): void {
  const end = (): void => void process.kill(process.pid, 'SIGKILL');
  process.on('disconnect', end);
  // The channel may have closed already.
  if (!process.connected) end();
  // Ctrl+C reaches the whole process group; the hub decides when its children exit.
  process.on('SIGINT', () => {});
}
