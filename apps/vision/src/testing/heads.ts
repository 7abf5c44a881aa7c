/** Heads cut out of real or painted portraits, and rooms that show them at known places. */
import { paintScene } from '@haris/painter/portrait';
import sharp from 'sharp';
import type { Landmarks } from '../faces/align.ts';
import type { Pixels } from '../picture/pixels.ts';
import type { Box } from '../picture/region.ts';
import type { Eye } from './eye.ts';

export interface Head {
  readonly id: string;
  readonly encoding: Float32Array;
  /** RGB of the head with some surroundings; `face` and `landmarks` are in pixels of this piece. */
  readonly pixels: Pixels;
  readonly face: Box;
  readonly landmarks: Landmarks;
}

/** Place of a head: middle and width of its face, in pixels of the room. */
export interface Place {
  readonly head: Head;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface Standing {
  readonly head: Head;
  readonly face: Box;
  readonly landmarks: Landmarks;
  /** Whether another head is in front of this one, or the picture's edge cuts it. */
  readonly hidden: boolean;
}

/** Margins that are cut out around a face, as fractions of its box. */
const REACH = { left: 0.7, up: 0.9, right: 0.7, down: 0.9 } as const;

/** Cuts the head out of a portrait; null if it shows no face. */
export async function cutHead(eye: Eye, id: string, bytes: Uint8Array): Promise<Head | null> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const known = await eye.know({ data, width: info.width, height: info.height });
  if (!known) return null;
  const { face, encoding } = known;
  const left = Math.max(0, Math.round(face.x - REACH.left * face.width));
  const top = Math.max(0, Math.round(face.y - REACH.up * face.height));
  const right = Math.min(info.width, Math.round(face.x + (1 + REACH.right) * face.width));
  const bottom = Math.min(info.height, Math.round(face.y + (1 + REACH.down) * face.height));
  const [width, height] = [right - left, bottom - top];
  const pixels = await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .extract({ left, top, width, height })
    .raw()
    .toBuffer();
  return {
    id,
    encoding,
    pixels: { data: pixels, width, height },
    face: { x: face.x - left, y: face.y - top, width: face.width, height: face.height },
    landmarks: known.landmarks.map(([x, y]) => [x - left, y - top] as const),
  };
}

export class Stage {
  readonly #sizes = new Map<string, { data: Buffer; width: number; height: number }>();
  readonly #room: Buffer;
  readonly width: number;
  readonly height: number;

  static async build(width: number, height: number): Promise<Stage> {
    return new Stage(
      width,
      height,
      await paintScene({ width, height, people: [], toys: true }).raw().toBuffer(),
    );
  }

  private constructor(width: number, height: number, room: Buffer) {
    this.width = width;
    this.height = height;
    this.#room = room;
  }

  /** Draws a picture of the room as a camera sends it; later `places` are in front of earlier ones. */
  async show(places: readonly Place[]): Promise<{ jpeg: Buffer; people: Standing[] }> {
    const room = Buffer.from(this.#room);
    const people = places.map(({ head, x, y, width }): Standing => {
      const scale = width / head.face.width;
      const left = Math.round(x - (head.face.x + head.face.width / 2) * scale);
      const top = Math.round(y - (head.face.y + head.face.height / 2) * scale);
      const face = {
        x: left + head.face.x * scale,
        y: top + head.face.y * scale,
        width,
        height: head.face.height * scale,
      };
      const landmarks = head.landmarks.map(([px, py]) => [left + px * scale, top + py * scale] as const);
      const isCut =
        face.x < 0 || face.y < 0 || face.x + width > this.width || face.y + face.height > this.height;
      return { head, face, landmarks, hidden: isCut };
    });
    const drawn = new Set<Standing>();
    for (const [i, standing] of people.entries()) {
      const { head, width } = places[i] as Place;
      const scale = width / head.face.width;
      const left = Math.round(standing.face.x - head.face.x * scale);
      const top = Math.round(standing.face.y - head.face.y * scale);
      const sized = await this.#sized(head, scale);
      this.#draw(room, sized, left, top);
      const covers = ({ face }: Standing): boolean =>
        face.x < left + sized.width &&
        left < face.x + face.width &&
        face.y < top + sized.height &&
        top < face.y + face.height;
      for (const other of drawn)
        if (covers(other)) {
          drawn.delete(other);
          people[people.indexOf(other)] = { ...other, hidden: true };
        }
      drawn.add(standing);
    }
    const raw = { width: this.width, height: this.height, channels: 3 } as const;
    return { jpeg: await sharp(room, { raw }).jpeg({ quality: 90 }).toBuffer(), people };
  }

  async #sized(head: Head, scale: number) {
    const width = Math.round(head.pixels.width * scale);
    const height = Math.round(head.pixels.height * scale);
    const key = `${head.id} ${head.encoding[0]} ${width}`;
    const known = this.#sizes.get(key);
    if (known) return known;
    const raw = { width: head.pixels.width, height: head.pixels.height, channels: 3 } as const;
    const data = await sharp(head.pixels.data, { raw })
      .resize(width, height, { fit: 'fill' })
      .raw()
      .toBuffer();
    const made = { data, width, height };
    this.#sizes.set(key, made);
    return made;
  }

  /** Draws a head as an oval that fades at its edge, so that the portrait's frame does not reveal the head. */
  #draw(
    room: Buffer,
    { data, width, height }: { data: Buffer; width: number; height: number },
    left: number,
    top: number,
  ): void {
    for (let y = Math.max(0, -top); y < height && top + y < this.height; y++)
      for (let x = Math.max(0, -left); x < width && left + x < this.width; x++) {
        const away = Math.hypot((2 * x) / width - 1, (2 * y) / height - 1);
        const cover = Math.min(1, (1 - away) / 0.15);
        if (cover <= 0) continue;
        const to = ((top + y) * this.width + left + x) * 3;
        const from = (y * width + x) * 3;
        for (let c = 0; c < 3; c++) {
          const below = room[to + c] as number;
          room[to + c] = below + ((data[from + c] as number) - below) * cover;
        }
      }
  }
}
