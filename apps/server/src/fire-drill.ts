/** The demo's fire drill: the heat in the simulated room over time. Knows neither sensor nor route. */

/** End of the heating, of the fire, and of the cooling. Milliseconds. */
const HOT_AFTER_MS = 10_000;
const HOT_UNTIL_MS = 80_000;
const COOL_AFTER_MS = 95_000;

export interface FireDrill {
  start(): void;
  /** 0 (a quiet day) to 1 (fire). */
  heat(): number;
}

export function createFireDrill(clock: { now(): number }): FireDrill {
  let startedAt: number | null = null;
  return {
    start() {
      startedAt = clock.now();
    },
    heat() {
      if (startedAt === null) return 0;
      const since = clock.now() - startedAt;
      if (since < HOT_AFTER_MS) return since / HOT_AFTER_MS;
      if (since < HOT_UNTIL_MS) return 1;
      return Math.max(0, (COOL_AFTER_MS - since) / (COOL_AFTER_MS - HOT_UNTIL_MS));
    },
  };
}
