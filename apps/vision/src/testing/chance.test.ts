import { expect, it } from 'vitest';
import { judge, type Probe } from './chance.ts';

const PEOPLE = 16;
const wave = (a: number, b: number): number => Math.abs(Math.sin(a * 12.9898 + b * 78.233) * 43_758.5453) % 1;

/** Ten faces per person; the right distance is smaller by `less`, and everybody's to the first person by `hub`. */
function draw(less: number, hub = 0): Probe[] {
  return Array.from({ length: PEOPLE * 10 }, (_, i) => {
    const person = i % PEOPLE;
    const distances = Array.from(
      { length: PEOPLE },
      (_, other) => 0.6 + 0.1 * wave(i, other) - (other === person ? less : 0) - (other === 0 ? hub : 0),
    );
    return { person, distances };
  });
}

it('calls no chance what is chance, also where all faces are near to one person', () => {
  for (const probes of [draw(0), draw(0, 0.3)]) {
    const { z, pairs, rankOneInterval, auc, chance } = judge(probes);
    expect(Math.abs(z)).toBeLessThan(3);
    expect(Math.abs(pairs - 0.5)).toBeLessThan(0.2);
    expect(auc).toBeCloseTo(0.5, 1);
    expect(rankOneInterval[0]).toBeLessThan(chance);
  }
});

it('sees it where the right one is a little nearer, and where it always is', () => {
  expect(judge(draw(0.03)).z).toBeGreaterThan(4);
  expect(judge(draw(0.03, 0.3)).z).toBeGreaterThan(4);
  expect(judge(draw(0.3))).toMatchObject({ rankOne: 1, auc: 1, pairs: 1, people: PEOPLE });
});
