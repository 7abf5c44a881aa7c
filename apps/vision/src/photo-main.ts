/**
 * A photo process: decodes photos that people send, one after the other, and nothing else, so that one which hangs or
 * takes the process along holds up no camera and no face. Started by the hub, with which it ends; it listens nowhere and
 * keeps nothing.
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
    // `readPhoto` throws for nothing else, and why a photo cannot be decoded is told to nobody.
    tell({ type: 'unreadable' });
  }
});
tell({ type: 'ready' });
