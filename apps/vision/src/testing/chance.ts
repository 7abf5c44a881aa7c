/**
 * Judges from distances alone whether faces were recognised above chance. Each person counts once, because pictures of one
 * person are alike. A person who is near to every blurred face, or far from all, does not count as recognised. Pure.
 */

/** A face to recognise: `person` is its index in the gallery, `distances` are those to each person in the gallery. */
export interface Probe {
  readonly person: number;
  readonly distances: readonly number[];
}

export interface Verdict {
  readonly probes: number;
  readonly people: number;
  /** How often the right person was the nearest, each person counting once; with its 95 % interval. */
  readonly rankOne: number;
  readonly rankOneInterval: readonly [number, number];
  readonly chance: number;
  /** How often the right person is nearer than another person; 0.5 is chance. */
  readonly auc: number;
  readonly aucInterval: readonly [number, number];
  /** How often two people and their two faces are paired correctly; 0.5 is chance, even if one person is near to all. */
  readonly pairs: number;
  /**
   * By how many standard deviations the right distances are smaller than with randomly permuted names (Hoeffding's theorem on
   * sums over permutations); a value over 4 is not chance.
   */
  readonly z: number;
}

/** Judges all probes. People without a probe count only as wrong candidates. Throws with fewer than two people. */
export function judge(probes: readonly Probe[]): Verdict {
  const byPerson = new Map<number, Probe[]>();
  for (const probe of probes) byPerson.set(probe.person, [...(byPerson.get(probe.person) ?? []), probe]);
  const persons = [...byPerson.keys()].sort((a, b) => a - b);
  if (persons.length < 2) throw new Error('nobody can be mistaken for another');
  const each = persons.map((person) => {
    const own = byPerson.get(person) ?? [];
    return {
      rankOne: mean(own.map(({ distances }) => (isNearest(distances, person) ? 1 : 0))),
      auc: mean(own.map(({ distances }) => shareFurther(distances, person))),
      distances: persons.map((other) => mean(own.map(({ distances }) => distances[other] ?? Number.NaN))),
    };
  });
  const table = each.map(({ distances }) => distances);
  return {
    probes: probes.length,
    people: persons.length,
    rankOne: mean(each.map(({ rankOne }) => rankOne)),
    rankOneInterval: bootstrap(each.map(({ rankOne }) => rankOne)),
    chance: 1 / (probes[0]?.distances.length ?? 1),
    auc: mean(each.map(({ auc }) => auc)),
    aucInterval: bootstrap(each.map(({ auc }) => auc)),
    pairs: pairsTold(table),
    z: scoreOf(table),
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const isNearest = (distances: readonly number[], person: number): boolean =>
  distances.every((distance, other) => other === person || distance > (distances[person] ?? 0));

function shareFurther(distances: readonly number[], person: number): number {
  const further = distances.filter(
    (distance, other) => other !== person && distance > (distances[person] ?? 0),
  );
  return further.length / (distances.length - 1);
}

/** `table[i][j]`: mean distance from the faces of person i to person j of the gallery. */
function pairsTold(table: readonly (readonly number[])[]): number {
  const at = (i: number, j: number): number => table[i]?.[j] ?? Number.NaN;
  let [told, count] = [0, 0];
  for (let i = 0; i < table.length; i++)
    for (let j = 0; j < i; j++) {
      count++;
      if (at(i, i) + at(j, j) < at(i, j) + at(j, i)) told++;
    }
  return told / count;
}

function scoreOf(table: readonly (readonly number[])[]): number {
  const rows = table.map(mean);
  const columns = table.map((_, j) => mean(table.map((row) => row[j] ?? Number.NaN)));
  const all = mean(rows);
  const centred = table.map((row, i) =>
    row.map((value, j) => value - (rows[i] ?? 0) - (columns[j] ?? 0) + all),
  );
  const variance = centred.flat().reduce((sum, value) => sum + value * value, 0) / (table.length - 1);
  const sum = centred.reduce((total, row, i) => total + (row[i] ?? 0), 0);
  return -sum / Math.sqrt(variance);
}

/** 95 % bootstrap interval of the mean over people; deterministic. */
function bootstrap(values: readonly number[]): readonly [number, number] {
  let state = 1;
  const draw = (): number => {
    // Numerical Recipes' generator, seeded, so that every run gives the same result.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return values[Math.floor((state / 2 ** 32) * values.length)] ?? 0;
  };
  const means = Array.from({ length: 2_000 }, () => mean(values.map(draw))).sort((a, b) => a - b);
  return [means[50] ?? Number.NaN, means[1_949] ?? Number.NaN];
}
