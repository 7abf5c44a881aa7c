/** What a camera's process made before its zones were set does not pass. */

export interface ZoneGate {
  isOpen(): boolean;
  /** New zones were ordered. */
  close(): void;
  /** The process has set the zones of the oldest order that it had not answered. */
  onSet(): void;
  /** The process has ended, or a new one begins with the newest zones. */
  reset(): void;
  /** Resolves when the gate is open. */
  opened(): Promise<void>;
}

/** Closed while a process has zones to set, because what arrives then may have been made without them. */
export function openZoneGate(): ZoneGate {
  let unset = 0;
  const waiting: (() => void)[] = [];
  function settle(): void {
    for (const resolve of waiting.splice(0)) resolve();
  }
  return {
    isOpen: () => unset === 0,
    close: () => void unset++,
    onSet(): void {
      unset = Math.max(0, unset - 1);
      if (unset === 0) settle();
    },
    reset(): void {
      unset = 0;
      settle();
    },
    opened: () => (unset === 0 ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve))),
  };
}
