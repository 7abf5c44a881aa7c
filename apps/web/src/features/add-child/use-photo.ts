/** The photo that was taken last. */
import { useEffect, useState } from 'react';
import type { Photo } from './picture.ts';

/** The current photo; its object URL is revoked when the photo is replaced or the screen is left. */
export function usePhoto() {
  const [photo, setPhoto] = useState<Photo | null>(null);
  useEffect(() => () => URL.revokeObjectURL(photo?.url ?? ''), [photo]);
  return [photo, setPhoto] as const;
}
