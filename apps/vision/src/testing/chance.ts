/**
 * Whether faces were recognised above chance, judged from distances alone. Pictures of one person are alike, so that each
 * person counts once; and who is near to every blurred face, or far from all, is nobody recognised. Pure.
 */

/** A face that somebody tried to recognise: `person` is the index in the gallery, `distances` to each of it. */
export interface Probe {
  readonly person: number;
  readonly distances: readonly number[];
}

export interface Verdict {
  readonly probes: number;
  readonly people: number;
  /** How often the right one was the nearest, each person counting once; 95 of 100 samples of people lie within. */
  readonly rankOne: number;
  readonly rankOneInterval: readonly [number, number];
  readonly chance: number;
  /** How often the right one is nearer than another one; 0.5 is chance. */
  readonly auc: number;
  readonly aucInterval: readonly [number, number];
  /** Of two people and their faces, how often each is given the right one; 0.5 is chance, whoever is near to all. */
  readonly pairs: number;
  /**
   * How many standard deviations the right distances are smaller than with all people's names exchanged at random
   * (Hoeffding's theorem on sums over permutations); over 4 is no chance.
   */
  readonly z: number;
}

/** `people` of the gallery; those of whom there is no probe are only others. Throws with fewer than two people. */
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

/** `table[i][j]`: how far the faces of person i lie from what is known of person j. */
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

/** The middle 95 of 100 means of people drawn again and again; the same at every call. */
function bootstrap(values: readonly number[]): readonly [number, number] {
  let state = 1;
  const draw = (): number => {
    // Numerical Recipes' generator: seeded, so that two runs say the same.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return values[Math.floor((state / 2 ** 32) * values.length)] ?? 0;
  };
  const means = Array.from({ length: 2_000 }, () => mean(values.map(draw))).sort((a, b) => a - b);
  return [means[50] ?? Number.NaN, means[1_949] ?? Number.NaN];
}
