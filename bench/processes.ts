/** Cost of processes, as counted by Linux. */
import { readdirSync, readFileSync } from 'node:fs';

/** Parent id, own CPU seconds and bytes of memory of a process, from its `stat`. Null if it has ended. */
function statOf(pid: number): { readonly parent: number; readonly cpu: number; readonly rss: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields after the name, which may contain any character.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, user = 0, system = 0, pages = 0] = [1, 11, 12, 21].map((at) => fields[at]);
    return { parent, cpu: (user + system) / 100, rss: pages * 4096 };
  } catch {
    return null;
  }
}

/** Ids of a process and all its descendants. */
export function processTree(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null;
    if (stat) parents.set(Number(name), stat.parent);
  }
  const found = [pid];
  for (const one of found) for (const [child, parent] of parents) if (parent === one) found.push(child);
  return found;
}

/** CPU seconds of each process, and megabytes of memory of all together. */
export function usage(pids: readonly number[]): {
  readonly cpu: Map<number, number>;
  readonly rssMb: number;
} {
  const cpu = new Map<number, number>();
  let rssMb = 0;
  for (const pid of pids) {
    const stat = statOf(pid);
    if (!stat) continue;
    cpu.set(pid, stat.cpu);
    rssMb += stat.rss / 1024 / 1024;
  }
  return { cpu, rssMb };
}

/** CPU seconds between two measurements, of the processes that lived through both. */
export function spent(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  return [...after].reduce((sum, [pid, cpu]) => sum + cpu - (before.get(pid) ?? cpu), 0);
}
