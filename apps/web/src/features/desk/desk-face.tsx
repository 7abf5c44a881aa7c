/** The photo of somebody whom the tablet lists, fetched with the tablet's own token; initials without one. */
import { useQuery } from '@tanstack/react-query';
import { keys } from '../../calls/query-client.ts';
import { InitialsAvatar } from '../../ui/initials-avatar.tsx';
import type { DeskCalls, DeskStaff } from './desk-calls.ts';

export interface DeskFaceProps {
  who: DeskStaff;
  calls: Pick<DeskCalls, 'photo'>;
  /** Side in pixels. */
  size: number;
}

/** Decorative: the name is beside it. */
export function DeskFace({ who: { name, photoId }, calls, size }: DeskFaceProps) {
  const { data } = useQuery({
    queryKey: [keys.photo, 'desk', photoId],
    queryFn: async () => URL.createObjectURL(await calls.photo(photoId ?? '')),
    enabled: photoId !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    structuralSharing: false,
  });
  return (
    <span aria-hidden="true">
      <InitialsAvatar name={name} size={size} src={photoId === null ? undefined : data} />
    </span>
  );
}
