/** Draws the newest picture of a live stream, layer over layer. */
import type { PictureHeader } from '@haris/contract/live/video';

type Layer = PictureHeader['layers'][number];

export interface Picture {
  readonly header: PictureHeader;
  readonly layers: readonly Uint8Array<ArrayBuffer>[];
  /** Called when the picture has been drawn or dropped. */
  readonly taken: () => void;
}

export interface Painter {
  /** Queues a picture; it replaces one that still waits. */
  push: (picture: Picture) => void;
  /** Clears the canvas and drops the waiting picture. */
  clear: () => void;
}

/** `onDrawn` is called after each picture that becomes visible. */
export function createPainter(canvas: HTMLCanvasElement, onDrawn: (header: PictureHeader) => void): Painter {
  const context = canvas.getContext('2d', { alpha: false });
  const region = document.createElement('canvas');
  let waiting: Picture | null = null;
  let isBusy = false;
  let generation = 0;

  async function draw({ header, layers }: Picture): Promise<void> {
    const mine = generation;
    const bitmaps = await decodeAll(layers);
    try {
      // The painter was cleared during decoding: do not draw the old picture.
      if (mine !== generation || context === null) return;
      if (canvas.width !== header.width || canvas.height !== header.height) {
        canvas.width = header.width;
        canvas.height = header.height;
      }
      context.imageSmoothingEnabled = true;
      // Higher qualities leave edges between the pixels of the coarse layer.
      context.imageSmoothingQuality = 'low';
      for (const [index, layer] of header.layers.entries()) {
        const bitmap = bitmaps[index];
        if (bitmap !== undefined) drawLayer(context, region, bitmap, layer, header);
      }
      onDrawn(header);
    } finally {
      for (const bitmap of bitmaps) bitmap.close();
    }
  }

  async function work(): Promise<void> {
    isBusy = true;
    while (waiting !== null) {
      const picture: Picture = waiting;
      waiting = null;
      // Skip a picture that cannot be decoded.
      await draw(picture).catch(() => {});
      picture.taken();
    }
    isBusy = false;
  }

  return {
    push(picture) {
      waiting = picture;
      if (!isBusy) void work();
    },
    clear() {
      generation++;
      waiting = null;
      context?.clearRect(0, 0, canvas.width, canvas.height);
      region.width = 0;
    },
  };
}

/** Decodes all layers. If one fails, closes the others and rejects. */
async function decodeAll(layers: readonly Uint8Array<ArrayBuffer>[]): Promise<ImageBitmap[]> {
  const results = await Promise.allSettled(
    layers.map((jpeg) => createImageBitmap(new Blob([jpeg], { type: 'image/jpeg' }))),
  );
  const bitmaps = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (bitmaps.length === layers.length) return bitmaps;
  for (const bitmap of bitmaps) bitmap.close();
  throw new Error('A layer could not be decoded');
}

function drawLayer(
  context: CanvasRenderingContext2D,
  region: HTMLCanvasElement,
  bitmap: ImageBitmap,
  { box: [x, y, width, height], feather }: Layer,
  whole: { width: number; height: number },
): void {
  const place = [x * whole.width, y * whole.height, width * whole.width, height * whole.height] as const;
  if (feather === undefined || feather === 0) {
    context.drawImage(bitmap, ...place);
    return;
  }
  region.width = Math.max(1, Math.round(place[2]));
  region.height = Math.max(1, Math.round(place[3]));
  const inner = region.getContext('2d');
  if (inner === null) return;
  inner.drawImage(bitmap, 0, 0, region.width, region.height);
  const edge = feather * region.width;
  fade(inner, region.width, 0, edge / region.width);
  fade(inner, 0, region.height, Math.min(0.5, edge / region.height));
  context.drawImage(region, ...place);
}

/** Makes both ends along one axis transparent; `edge` is the fraction (0–0.5) over which they fade. */
function fade(context: CanvasRenderingContext2D, dx: number, dy: number, edge: number): void {
  const { width, height } = context.canvas;
  const gradient = context.createLinearGradient(0, 0, dx, dy);
  gradient.addColorStop(0, 'transparent');
  gradient.addColorStop(edge, '#000');
  gradient.addColorStop(1 - edge, '#000');
  gradient.addColorStop(1, 'transparent');
  context.globalCompositeOperation = 'destination-in';
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
}
