import { expect, it, vi } from 'vitest';
import { openZoneGate } from './zone-gate.ts';

it('is closed from the order of zones until the process has answered the last of them', async () => {
  const gate = openZoneGate();
  const opened = vi.fn();
  await gate.opened();
  gate.close();
  gate.close();
  const waiting = gate.opened().then(opened);
  gate.onSet();
  await Promise.resolve();
  expect(gate.isOpen()).toBe(false);
  expect(opened).not.toHaveBeenCalled();
  gate.onSet();
  await waiting;
  expect(gate.isOpen()).toBe(true);
});

it('is open again, and nobody waits, when the process has ended', async () => {
  const gate = openZoneGate();
  gate.close();
  const waiting = gate.opened();
  gate.reset();
  await waiting;
  // The answer of a process that is gone opens nothing early.
  gate.onSet();
  gate.close();
  expect(gate.isOpen()).toBe(false);
});
