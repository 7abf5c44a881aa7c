/** Photos that were taken one after the other. */
import { useEffect, useRef, useState } from 'react';
import type { Photo } from './picture.ts';

/** The photos, and functions to add one, to drop one and to drop all. Their object URLs are revoked when they go. */
export function usePhotos() {
  const [photos, setPhotos] = useState<readonly Photo[]>([]);
  const held = useRef(photos);
  held.current = photos;
  useEffect(
    () => () => {
      for (const { url } of held.current) URL.revokeObjectURL(url);
    },
    [],
  );
  return {
    photos,
    add: (photo: Photo) => setPhotos((before) => [...before, photo]),
    drop: (photo: Photo) => {
      URL.revokeObjectURL(photo.url);
      setPhotos((before) => before.filter((other) => other !== photo));
    },
    clear: () => {
      for (const { url } of photos) URL.revokeObjectURL(url);
      setPhotos([]);
    },
  };
}
