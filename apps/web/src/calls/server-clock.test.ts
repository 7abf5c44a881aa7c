import { describe, expect, it } from 'vitest';
import { createServerClock } from './server-clock.ts';

/** A device with its wall clock at 1,000,000, whose server is `aheadMs` ahead. */
function makeDevice(aheadMs: number) {
  const at = { wall: 1_000_000, steady: 500 };
  const clock = createServerClock(() => ({ ...at }));
  const pass = (ms: number) => {
    at.wall += ms;
    at.steady += ms;
  };
  return {
    at,
    clock,
    pass,
    server: () => at.wall + aheadMs,
    /** A call that takes `there` ms to the server and `back` ms back. */
    ask(there: number, back: number, server = () => at.wall + aheadMs) {
      const startedAt = { ...at };
      pass(there);
      const time = new Date(server()).toISOString();
      pass(back);
      clock.record(time, startedAt);
    },
  };
}

describe('createServerClock', () => {
  it('is this device until the first answer', () => {
    const { clock, at } = makeDevice(90_000);
    expect(clock.serverNow()).toBe(at.wall);
  });

  it('knows the server to half a round trip', () => {
    const device = makeDevice(90_000);
    device.ask(30, 30);
    expect(device.clock.serverNow()).toBe(device.server());
    device.pass(3_600_000);
    expect(device.clock.serverNow()).toBe(device.server());
  });

  it('prefers the sample with the least round trip', () => {
    const device = makeDevice(-5000);
    device.ask(10, 10);
    device.ask(10, 900);
    expect(device.clock.serverNow()).toBe(device.server());
    const lopsided = makeDevice(-5000);
    lopsided.ask(10, 900);
    expect(lopsided.clock.serverNow()).toBe(lopsided.server() - 445);
    lopsided.ask(10, 10);
    expect(lopsided.clock.serverNow()).toBe(lopsided.server());
  });

  it('lets a worse sample replace one that has grown old', () => {
    const device = makeDevice(0);
    device.ask(5, 5);
    device.pass(11 * 60_000);
    device.ask(100, 100, () => device.at.wall + 4000);
    expect(device.clock.serverNow()).toBe(device.at.wall + 4000);
  });

  it('ignores times that are none and round trips that slept', () => {
    const device = makeDevice(7000);
    device.ask(10, 10);
    device.clock.record('yesterday', { ...device.at });
    const startedAt = { ...device.at };
    device.at.wall += 3_600_000;
    device.clock.record(new Date(0).toISOString(), startedAt);
    expect(device.clock.serverNow()).toBe(device.server());
  });

  it('stays right through a sleep that stops the steady clock', () => {
    const device = makeDevice(7000);
    device.ask(10, 10);
    device.at.wall += 3_600_000;
    expect(device.clock.serverNow()).toBe(device.server());
    expect(device.clock.isUpset()).toBe(true);
  });

  it('notices that somebody set the clock, and takes the next answer whatever its round trip', () => {
    const device = makeDevice(0);
    device.ask(5, 5);
    expect(device.clock.isUpset()).toBe(false);
    device.at.wall += 600_000;
    expect(device.clock.isUpset()).toBe(true);
    device.ask(200, 200, () => device.at.wall - 600_000);
    expect(device.clock.serverNow()).toBe(device.at.wall - 600_000);
    expect(device.clock.isUpset()).toBe(false);
  });
});
