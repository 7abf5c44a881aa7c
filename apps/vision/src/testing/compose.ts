/** Draws a received picture as the page does: layer over layer, faded at the edges, small layers enlarged smoothly. */
import sharp from 'sharp';
import { FEATHER } from '../camera/privacy.ts';
import type { Box } from '../picture/region.ts';
import type { ReceivedPicture } from './vision.ts';

export interface Drawn {
  /** RGB. */
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

async function read(jpeg: Buffer, width: number, height: number): Promise<Buffer> {
  return sharp(jpeg).resize(width, height, { fit: 'fill', kernel: 'linear' }).removeAlpha().raw().toBuffer();
}

export async function drawPicture({ header, layers }: ReceivedPicture): Promise<Drawn> {
  const { width, height } = header;
  const [base, ...regions] = layers;
  if (!base) throw new Error('a picture without layers');
  const room = { data: await read(base, width, height), width, height };
  for (const [i, jpeg] of regions.entries()) {
    const layer = header.layers[i + 1];
    if (!layer) throw new Error('a layer without a place');
    const [x, y, w, h] = layer.box;
    const box = {
      x: Math.round(x * width),
      y: Math.round(y * height),
      width: Math.round(w * width),
      height: Math.round(h * height),
    };
    fadeIn(room, box, await read(jpeg, box.width, box.height));
  }
  return room;
}

/** Draws a layer over the room: faded towards its edges, as the page does it. */
function fadeIn(room: Drawn, box: Box, layer: Buffer): void {
  const fade = FEATHER * box.width;
  for (let y = 0; y < box.height; y++) {
    const down = Math.min(y + 0.5, box.height - y - 0.5);
    for (let x = 0; x < box.width; x++) {
      const part = Math.min(1, Math.min(down, x + 0.5, box.width - x - 0.5) / fade);
      const to = ((box.y + y) * room.width + box.x + x) * 3;
      const from = (y * box.width + x) * 3;
      for (let c = 0; c < 3; c++) {
        const below = room.data[to + c] as number;
        room.data[to + c] = below + ((layer[from + c] as number) - below) * part;
      }
    }
  }
}

export function encodePng({ data, width, height }: Drawn, scale = 1): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 3 } })
    .resize(Math.round(width * scale), Math.round(height * scale), { kernel: 'cubic' })
    .png({ compressionLevel: 1 })
    .toBuffer();
}
