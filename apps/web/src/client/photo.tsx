/** Photos behind the session: fetched with the header, shown from memory, never by a URL that holds a token. */
import { photoRoutes } from '@haris/contract/http/photos';
import { useQuery } from '@tanstack/react-query';
import { InitialsAvatar, type InitialsAvatarProps } from '../ui/initials-avatar.tsx';
import { useNear } from '../ui/use-near.ts';
import { call } from './http.ts';
import { keys } from './query-client.ts';

const PHOTO_PATH = /^\/api\/photos\/([^/?#]+)$/;
const PHOTO_FRESH_MS = 5 * 60_000;

async function fetchPhotoUrl(path: string, signal: AbortSignal): Promise<string> {
  const id = PHOTO_PATH.exec(path)?.[1];
  if (id === undefined) throw new Error('Not a photo path');
  const blob = await call(photoRoutes.getPhoto, { params: { id: decodeURIComponent(id) }, signal });
  return URL.createObjectURL(blob);
}

/** One fetch per path for the whole page. */
function FetchedPhoto({ path, ...avatar }: Omit<PhotoProps, 'isEager'> & { path: string }) {
  const { data } = useQuery({
    queryKey: [keys.photo, path],
    queryFn: ({ signal }) => fetchPhotoUrl(path, signal),
    staleTime: PHOTO_FRESH_MS,
    // A blob URL is not data to compare.
    structuralSharing: false,
  });
  return <InitialsAvatar {...avatar} src={data} />;
}

export interface PhotoProps extends Omit<InitialsAvatarProps, 'src'> {
  /** Path below `/api/photos/` as the server gave it. */
  path: string | null;
  /** Fetched at once: there may soon be no connection to fetch it by. */
  isEager?: boolean;
}

/**
 * A person's photo; initials while it loads or where there is none. Fetched when it comes near the visible part of the
 * page: a list has hundreds, and each look at a photo stands in the audit log.
 */
export function Photo({ path, isEager = false, ...avatar }: PhotoProps) {
  const { ref, isNear } = useNear();
  if ((isNear || isEager) && path !== null) return <FetchedPhoto {...avatar} path={path} />;
  return <InitialsAvatar {...avatar} ref={path === null ? undefined : ref} />;
}
