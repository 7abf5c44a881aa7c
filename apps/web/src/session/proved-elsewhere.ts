/** Tells the tab that waits for a proof that another tab has given it, at the identity provider. */

const CHANNEL = 'haris.proved';

/** Tells the other tabs of this browser. */
export function announceProof(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('proved');
  channel.close();
}

/** Calls back when another tab has given the proof. Returns a function that stops listening. */
export function onProofElsewhere(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', listener);
  return () => channel.close();
}
