/** Joins the rooms of the dashboard with the cameras, the air and the dangers, because features do not import each other. */
import type { Camera } from '@haris/contract/http/cameras';
import { useMemo } from 'react';
import { useRooms } from '../calls/rooms.ts';
import { useCameras } from '../features/cameras/api.ts';
import { RoomsStrip } from '../features/dashboard/rooms/rooms-strip.tsx';
import { useSensorAreas } from '../features/environment/api.ts';
import { RoomAir } from '../features/environment/room-air.tsx';
import { useAir } from '../features/environment/use-air.ts';
import { isInAir, useDangers } from '../features/incidents/danger/shown-danger.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { useMay } from '../session/may.ts';
import { useLoaded } from '../ui/load-again.ts';

/** The desk looks at the children; the pictures update themselves. Milliseconds. */
const CAMERAS_EVERY_MS = 30_000;

/** Loaded beside the lists, and again until it arrives: the rooms are useful without pictures. */
async function loadThumbnail() {
  const [thumbnail] = await Promise.all([
    import('../features/cameras/camera-thumbnail.tsx'),
    loadTexts(['live-picture']),
  ]);
  return thumbnail.CameraThumbnail;
}

/** Rooms with a listed sensor, and rooms from which a reading has arrived since; undefined until known. */
function useMeasuredRooms(): readonly string[] | undefined {
  const { areas: listed, isAwaited } = useSensorAreas();
  const { areas: heard } = useAir();
  // A string, so that the rooms are joined again only when another one appears, not with every reading.
  const names = [...new Set([...listed, ...heard.map(({ area }) => area)])].join('\n');
  return useMemo(
    () => (isAwaited ? undefined : names.split('\n').filter((name) => name !== '')),
    [isAwaited, names],
  );
}

/** Renders nothing for staff who see neither cameras nor sensors. */
export function Rooms() {
  const may = useMay();
  return may('cameras.view') || may('sensors.view') ? <RoomsWithParts /> : null;
}

const NO_CAMERAS: readonly Camera[] = [];

function RoomsWithParts() {
  const maySeeCameras = useMay()('cameras.view');
  const cameras = useCameras(CAMERAS_EVERY_MS);
  const rooms = useRooms().data;
  const measured = useMeasuredRooms();
  const dangers = useDangers().filter(isInAir);
  const Thumbnail = useLoaded(loadThumbnail, (cameras.data?.length ?? 0) > 0);
  return (
    <RoomsStrip
      cameras={maySeeCameras ? cameras.data : NO_CAMERAS}
      measured={measured}
      hasFailed={cameras.isError}
      known={rooms}
      dangers={dangers}
      Thumbnail={Thumbnail}
      Air={RoomAir}
    />
  );
}
