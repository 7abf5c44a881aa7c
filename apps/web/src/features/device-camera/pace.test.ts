import { describe, expect, it } from 'vitest';
import { firstPace, hasRoom, nextPace, sizeToSend } from './pace.ts';

describe('nextPace', () => {
  it('sends fifteen pictures a second while nothing waits', () => {
    expect(1000 / nextPace(firstPace, 0).intervalMs).toBeCloseTo(15);
  });

  it('gets slower and coarser while much waits, but never stops', () => {
    let pace = firstPace;
    for (let turn = 0; turn < 50; turn++) pace = nextPace(pace, 1_000_000);
    expect(pace).toEqual({ intervalMs: 2000, quality: 0.5 });
  });

  it('comes back to what it was once the network takes all', () => {
    let pace = { intervalMs: 2000, quality: 0.5 };
    for (let turn = 0; turn < 200; turn++) pace = nextPace(pace, 0);
    expect(pace).toEqual(firstPace);
  });

  it('stays where it is while a little waits', () => {
    const pace = { intervalMs: 200, quality: 0.6 };
    expect(nextPace(pace, 200_000)).toEqual(pace);
  });
});

it('sends nothing on top of much that waits', () => {
  expect(hasRoom(0)).toBe(true);
  expect(hasRoom(1_000_000)).toBe(false);
});

describe('sizeToSend', () => {
  it('keeps what is small enough, and its form', () => {
    expect(sizeToSend(640, 480)).toEqual({ width: 640, height: 480 });
    expect(sizeToSend(1920, 1080)).toEqual({ width: 1280, height: 720 });
    expect(sizeToSend(1080, 1920)).toEqual({ width: 720, height: 1280 });
    expect(sizeToSend(4032, 3024)).toEqual({ width: 960, height: 720 });
  });
});
