/** Measures what the viewers of one stream received and what it cost, and prints table rows. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { clip } from './live-camera.ts';
import type { ViewersAsk, ViewersFigures } from './live-viewers.ts';
import { spent, usage } from './processes.ts';
import { quantile } from './quantile.ts';

/** A viewer holds the rate if it receives this fraction of it. */
const HOLDS = 0.95;

export interface Row {
  readonly what: string;
  readonly viewers: number;
  readonly fps: number;
  /** Rate of the viewer who received least. */
  readonly fpsLeast: number;
  readonly holding: number;
  readonly agesMs: number[];
  readonly relayCpu: number;
  readonly engineCpu: number | null;
  readonly rssMb: number;
  readonly pictureKb: number;
  readonly viewersCpu: number;
}

/** Runs viewers and returns what they received, and the cost for `relay` (and `engine`). */
export async function measure(
  what: string,
  viewers: ChildProcess,
  ask: ViewersAsk,
  relay: () => number[],
  engine: () => number[],
): Promise<Row> {
  const answered = once(viewers, 'message');
  viewers.send(ask);
  const before = { relay: usage(relay()), engine: usage(engine()), at: performance.now() };
  const [message] = (await answered) as [{ figures: ViewersFigures } | { failure: string }];
  if ('failure' in message) throw new Error(`${what}: ${message.failure}`);
  const elapsed = (performance.now() - before.at) / 1_000;
  const after = { relay: usage(relay()), engine: usage(engine()) };
  const { figures } = message;
  const rates = figures.pictures.map((pictures) => pictures / figures.seconds);
  const total = figures.pictures.reduce((sum, one) => sum + one, 0);
  return {
    what,
    viewers: ask.viewers.length,
    fps: total / figures.seconds / ask.viewers.length,
    fpsLeast: Math.min(...rates),
    holding: rates.filter((rate) => rate >= clip.fps * HOLDS).length,
    agesMs: figures.ages,
    relayCpu: (spent(before.relay.cpu, after.relay.cpu) / elapsed) * 100,
    engineCpu: engine().length > 0 ? (spent(before.engine.cpu, after.engine.cpu) / elapsed) * 100 : null,
    rssMb: after.relay.rssMb + after.engine.rssMb,
    pictureKb: figures.bytes / Math.max(1, total) / 1024,
    viewersCpu: (figures.cpu / figures.seconds) * 100,
  };
}

export function show(rows: readonly Row[]): void {
  console.table(
    rows.map((row) => ({
      what: row.what,
      viewers: row.viewers,
      'fps, mean / least': `${row.fps.toFixed(1)} / ${row.fpsLeast.toFixed(1)}`,
      [`viewers at ≥ ${HOLDS * 100} %`]: row.holding,
      'age ms, p50 / p99':
        row.agesMs.length > 0
          ? `${quantile(row.agesMs, 0.5).toFixed(0)} / ${quantile(row.agesMs, 0.99).toFixed(0)}`
          : '–',
      'relay CPU %': row.relayCpu.toFixed(0),
      'engine CPU %': row.engineCpu?.toFixed(0) ?? 'in relay',
      'relay CPU s per viewer-minute': ((row.relayCpu / 100) * (60 / row.viewers)).toFixed(3),
      'RSS MB': row.rssMb.toFixed(0),
      'kB a picture': row.pictureKb.toFixed(0),
      'viewers’ CPU %': row.viewersCpu.toFixed(0),
    })),
  );
}
