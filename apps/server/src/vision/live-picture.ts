/**
 * Parses the pictures of the live link, and checks again that each may go to its subscriber: a mistake in the face engine
 * could show a child to strangers.
 */
import { decodeMessage } from '@haris/contract/live/video';
import {
  COARSE_MAX_HEIGHT,
  type SubscriptionPicture,
  subscriptionPictureSchema,
  type VisionView,
} from '@haris/contract/vision-live';

export interface LivePicture extends Omit<SubscriptionPicture, 'layers'> {
  readonly layers: readonly (SubscriptionPicture['layers'][number] & { readonly jpeg: Uint8Array })[];
}

/** Parses a picture; its layers are views of `message`. Throws a ZodError, SyntaxError or RangeError for other messages. */
export function parseLivePicture(message: Uint8Array): LivePicture {
  const { json, rest } = decodeMessage(message);
  const { layers, ...picture } = subscriptionPictureSchema.parse(json);
  let at = 0;
  const cut = layers.map((layer) => {
    const jpeg = rest.subarray(at, at + layer.bytes);
    at += layer.bytes;
    if (jpeg.length !== layer.bytes || !isJpeg(jpeg)) throw new RangeError('a layer is no whole JPEG');
    return { ...layer, jpeg };
  });
  if (at !== rest.length) throw new RangeError('the picture has more bytes than it says');
  return { ...picture, layers: cut };
}

export function isJpeg(bytes: Uint8Array): boolean {
  return bytes.length > 4 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
}

/** Height in pixels from a JPEG's header; null if there is none. */
function jpegHeight(jpeg: Uint8Array): number | null {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  for (let at = 2; at + 9 < jpeg.length && view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1);
    // Any start-of-frame marker; the excluded markers in this range are tables.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return view.getUint16(at + 5);
    if (marker === 0xda) return null;
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** Why this picture may not go to a subscriber with this view; null if it may. Pure. */
export function findPictureProblem(
  picture: LivePicture,
  view: VisionView,
  format: 'jpeg' | 'layers',
): string | null {
  if (format === 'jpeg' && picture.layers.length !== 1) return 'not one composed picture';
  if (view.kind === 'whole') return null;
  if (picture.faces) return 'faces in a picture for parents';
  const [base, ...regions] = picture.layers;
  if (!base || base.childId !== undefined) return 'no coarse layer';
  if (format === 'layers' && (jpegHeight(base.jpeg) ?? Number.POSITIVE_INFINITY) > COARSE_MAX_HEIGHT)
    return 'the coarse layer is not coarse';
  if (regions.some(({ childId }) => childId === undefined || !view.childIds.includes(childId)))
    return 'a region of somebody else';
  return null;
}
