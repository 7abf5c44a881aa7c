/** Frames of a camera in front of one painted child who moves slightly. */
import { type Portrait, paintScene } from './portrait.ts';

export interface CameraOptions {
  /** Pixels; 1280 × 720 by default. */
  readonly width?: number;
  readonly height?: number;
  /** Number of frames; 24 by default. The last leads into the first, so that the clip can loop. */
  readonly frames?: number;
}

/**
 * Concatenated JPEG frames, as Chromium expects them for `--use-file-for-fake-video-capture=<name>.mjpeg`. From 640 ×
 * 480 on, the face is over 200 px wide.
 */
export async function paintMjpeg(portrait: Portrait, options: CameraOptions = {}): Promise<Buffer> {
  const { width = 1280, height = 720, frames = 24 } = options;
  const pictures: Buffer[] = [];
  for (let i = 0; i < frames; i++) {
    const angle = (2 * Math.PI * i) / frames;
    const person = {
      ...portrait,
      x: 0.5 + 0.008 * Math.sin(angle),
      y: 0.5 + 0.006 * Math.sin(2 * angle),
      head: 0.78,
      turn: (portrait.turn ?? 0) + 0.1 * Math.sin(angle),
      lean: (portrait.lean ?? 0) + Math.sin(angle),
    };
    const scene = paintScene({ width, height, people: [person] });
    pictures.push(await scene.jpeg({ quality: 88, chromaSubsampling: '4:2:0' }).toBuffer());
  }
  return Buffer.concat(pictures);
}
