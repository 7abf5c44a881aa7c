/** Draws a received picture as the page does: layer over layer, faded at the edges, small ones enlarged smoothly. */
import sharp from 'sharp';
import { drawRegions } from '../camera/privacy.ts';
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
    const pixels = { data: await read(jpeg, box.width, box.height), width: box.width, height: box.height };
    drawRegions(room, [{ childId: layer.childId ?? '', box, pixels }]);
  }
  return room;
}

export function encodePng({ data, width, height }: Drawn, scale = 1): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 3 } })
    .resize(Math.round(width * scale), Math.round(height * scale), { kernel: 'cubic' })
    .png({ compressionLevel: 1 })
    .toBuffer();
}
