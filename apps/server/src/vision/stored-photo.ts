/** Photos in the form in which they are stored: re-encoded by the face engine, without metadata. */
import type { Context } from '../context.ts';
import type { PhotoAsker } from './client.ts';

/** The photo as JPEG. Throws `unreadable_photo`, 503. */
export async function toStoredPhoto(
  { vision }: Pick<Context, 'vision'>,
  asker: PhotoAsker,
  photo: Uint8Array,
): Promise<Buffer> {
  return Buffer.from((await vision.normalize(photo, asker)).jpeg, 'base64');
}
