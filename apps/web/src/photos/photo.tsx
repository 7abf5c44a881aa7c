/** Photos of signed-in pages: fetched with the token in a header and shown from memory, never by a URL with a token. */
import { photoRoutes } from '@haris/contract/http/photos';
import { staffProfileRoutes } from '@haris/contract/http/staff-profile';
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { call } from '../calls/http.ts';
import { keys } from '../calls/query-client.ts';
import { useSees } from '../session/may.ts';
import { useSession } from '../session/session.tsx';
import { InitialsAvatar, type InitialsAvatarProps } from '../ui/initials-avatar.tsx';
import { useNear } from '../ui/use-near.ts';

/** Of families, or of staff. */
const PHOTO_PATH = /^\/api\/(admin\/)?photos\/([^/?#]+)$/;
const PHOTO_FRESH_MS = 5 * 60_000;

async function fetchPhotoUrl(path: string, signal: AbortSignal): Promise<string> {
  const [, ofStaff, id] = PHOTO_PATH.exec(path) ?? [];
  if (id === undefined) throw new Error('Not a photo path');
  const input = { params: { id: decodeURIComponent(id) }, signal };
  const blob = await (ofStaff === undefined
    ? call(photoRoutes.getPhoto, input)
    : call(staffProfileRoutes.getStaffPhoto, input));
  return URL.createObjectURL(blob);
}

/** Fetches each path once for the whole page. */
function photoQuery(path: string) {
  return queryOptions({
    queryKey: [keys.photo, path],
    queryFn: ({ signal }) => fetchPhotoUrl(path, signal),
    staleTime: PHOTO_FRESH_MS,
    // Blob URLs need no deep comparison.
    structuralSharing: false,
  });
}

function FetchedPhoto({ path, ...avatar }: Omit<PhotoProps, 'isEager'> & { path: string }) {
  const { data } = useQuery(photoQuery(path));
  return <InitialsAvatar {...avatar} src={data} />;
}

/** Fetches again those of the photos on this page that could not be fetched; null if there are none. */
export function useFailedPhotos(paths: readonly string[]): (() => void) | null {
  const photos = useQueries({ queries: paths.map((path) => ({ ...photoQuery(path), enabled: false })) });
  const failed = photos.filter(({ isError }) => isError);
  if (failed.length === 0) return null;
  return () => {
    for (const { refetch } of failed) void refetch();
  };
}

/** Whether a photo on this page is being fetched for the first time, or could not be; `fetchAgain` tries once more. */
export function usePhotoFetch(path: string) {
  const { isLoading, isError, refetch } = useQuery({ ...photoQuery(path), enabled: false });
  return { isLoading, isError, fetchAgain: () => void refetch() };
}

export interface PhotoProps extends Omit<InitialsAvatarProps, 'src'> {
  /** Path below `/api/photos/` or `/api/admin/photos/`, from the server. */
  path: string | null;
  /** Fetches the photo at once, because the connection may be lost soon. */
  isEager?: boolean;
}

/** Staff who may not see photos also see lists of names, such as the roll call. Everybody sees their own photo. */
function useSeesPhoto(path: string | null): boolean {
  const seesFamilies = useSees('families.view');
  const seesStaff = useSees('staff.view');
  const own = useSession().admin.identity?.photo ?? null;
  if (path === null) return false;
  return path === own || (PHOTO_PATH.exec(path)?.[1] === undefined ? seesFamilies : seesStaff);
}

/**
 * A person's photo; initials while it loads or if there is none. Fetched when it comes near the visible part of the
 * page, because a list has hundreds and each view of a photo is an audit row.
 */
export function Photo({ path, isEager = false, ...avatar }: PhotoProps) {
  const { ref, isNear } = useNear();
  const shown = useSeesPhoto(path) ? path : null;
  if ((isNear || isEager) && shown !== null) return <FetchedPhoto {...avatar} path={shown} />;
  return <InitialsAvatar {...avatar} ref={shown === null ? undefined : ref} />;
}
