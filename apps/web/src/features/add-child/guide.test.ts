import { describe, expect, it } from 'vitest';
import { decideAdvice, type FaceAnswer, measureFrame, toLuma } from './guide.ts';

const good = { brightness: 120, motion: 1 };
const face = (over: Partial<FaceAnswer> = {}): FaceAnswer => ({
  advice: 'ready',
  box: [180, 110, 120, 140],
  width: 480,
  height: 360,
  ...over,
});

describe('decideAdvice', () => {
  it('is ready for one still, bright, whole face in the oval', () => {
    expect(decideAdvice(face(), good, 1280)).toBe('ready');
  });

  it('waits for the first answer', () => {
    expect(decideAdvice(null, good, 1280)).toBe('checking');
  });

  it.each([
    ['no_face', 'look'],
    ['many_faces', 'oneFace'],
    ['face_cut_off', 'inside'],
    ['photo_too_dark', 'light'],
    ['photo_blurred', 'still'],
    ['face_upside_down', 'turnUpright'],
    ['face_unevenly_lit', 'evenLight'],
    ['eyes_covered', 'showEyes'],
    ['mouth_covered', 'showMouth'],
    ['not_a_photo', 'realFace'],
  ] as const)('says what the server found: %s', (advice, told) => {
    expect(decideAdvice(face({ advice }), good, 1280)).toBe(told);
  });

  it('asks for light before anything else when the picture is dark', () => {
    expect(decideAdvice(face({ advice: 'no_face', box: null }), { brightness: 20, motion: 40 }, 1280)).toBe(
      'light',
    );
  });

  it('asks to hold still only when all else is right', () => {
    const moving = { brightness: 120, motion: 30 };
    expect(decideAdvice(face(), moving, 1280)).toBe('still');
    expect(decideAdvice(face({ advice: 'many_faces' }), moving, 1280)).toBe('oneFace');
  });

  it('judges the size in the photo that will be taken, not in the small picture', () => {
    const small = face({ advice: 'face_too_small', box: [205, 145, 70, 80] });
    expect(decideAdvice(small, good, 1280)).toBe('ready');
    expect(decideAdvice(small, good, 480)).toBe('closer');
    expect(decideAdvice(small, good, 548)).toBe('closer');
    expect(decideAdvice(small, good, 549)).toBe('ready');
  });

  it('asks to move closer when the face is a speck in a large picture', () => {
    expect(decideAdvice(face({ advice: 'face_too_small', box: [220, 160, 40, 50] }), good, 4000)).toBe(
      'closer',
    );
  });

  it('wants the face in the oval and off the edges', () => {
    expect(decideAdvice(face({ box: [10, 110, 120, 140] }), good, 1280)).toBe('inside');
    expect(decideAdvice(face({ box: [180, 0, 120, 300] }), good, 1280)).toBe('inside');
  });
});

describe('measureFrame', () => {
  const frame = (value: number) => new Uint8Array(8 * 8).fill(value);

  it('measures the mean brightness of the middle', () => {
    const luma = frame(200);
    luma.fill(0, 0, 8);
    expect(measureFrame(luma, null, 8)).toEqual({ brightness: 200, motion: 0 });
  });

  it('measures change in the middle and not at the rim', () => {
    const rim = frame(100);
    rim.fill(255, 0, 8);
    expect(measureFrame(rim, frame(100), 8).motion).toBe(0);
    expect(measureFrame(frame(130), frame(100), 8).motion).toBe(30);
  });
});

describe('toLuma', () => {
  it('weighs the colours', () => {
    expect([...toLuma(new Uint8ClampedArray([255, 255, 255, 255, 0, 0, 0, 255, 255, 0, 0, 255]))]).toEqual([
      255, 0, 76,
    ]);
  });
});
