/**
 * A photo process: decodes uploaded photos, one at a time. It runs apart from cameras and face search, so a photo that
 * hangs or crashes it delays neither. It exits with the hub, opens no port and stores nothing.
 */
import { makeKeptPhoto, readPhoto } from './picture/photo.ts';
import { endWithHub } from './process/end-with-hub.ts';
import type { PhotoNote, PhotoOrder } from './process/photo-messages.ts';

endWithHub();

const tell = (note: PhotoNote): void => {
  if (process.connected) process.send?.(note, () => {});
};

process.on('message', async ({ type, bytes }: PhotoOrder) => {
  try {
    const photo = await readPhoto(bytes);
    if (type === 'read') tell({ type: 'read', ...photo });
    else tell({ type: 'kept', ...(await makeKeptPhoto(photo)) });
  } catch {
    // Any failure counts as an unreadable photo; the sender does not learn the reason.
    tell({ type: 'unreadable' });
  }
});
tell({ type: 'ready' });
