/** Overlays of every screen: incidents, joined with the air readings and the cameras, and the sheets of staff. */
import { lazy, Suspense, useEffect } from 'react';
import { getReadings, subscribeReadings } from '../features/environment/readings-store.ts';
import { RoomReading, type RoomReadingProps } from '../features/environment/room-reading.tsx';
import IncidentCentre from '../features/incidents/incident-centre.tsx';
import { loadTexts } from '../i18n/i18n.ts';
import { Allowed } from '../session/allowed.tsx';
import { useMay, useSees } from '../session/may.ts';
import { useSession } from '../session/session.tsx';
import { isWorkingStaff } from '../session/working-staff.ts';
import { CareHost } from './care-host.tsx';
import { SheetHost } from './sheet-host.tsx';

const RoomPictures = lazy(async () => {
  const [cameras] = await Promise.all([
    import('../features/cameras/room-pictures.tsx'),
    loadTexts(['cameras', 'live-picture']),
  ]);
  return { default: cameras.RoomPictures };
});

function Pictures({ area }: { area: string | null }) {
  return (
    <Allowed to="cameras.view">
      <Allowed to="live.watch">
        <Suspense fallback={null}>
          <RoomPictures area={area} />
        </Suspense>
      </Allowed>
    </Allowed>
  );
}

/** Nothing for staff who see no sensors. */
function Reading(props: RoomReadingProps) {
  return useSees('sensors.view') ? <RoomReading {...props} /> : null;
}

const latest = () => getReadings().sensors.values();

export default function Incidents() {
  const { admin, parent } = useSession();
  const may = useMay();
  // A parent gets air readings while one of their children is inside.
  const isWatching =
    may('sensors.view') || (parent.identity?.children.some((child) => child.isInside) ?? false);
  // Keeps the socket open on every screen.
  useEffect(() => (isWatching ? subscribeReadings(() => {}) : undefined), [isWatching]);
  const staffId = admin.identity?._id ?? null;
  // Staff who still have the password that somebody else set see nothing but the request for their own.
  const hasSheets = isWorkingStaff(admin.identity) && may('families.view');
  return (
    <>
      <IncidentCentre
        readings={latest}
        isWatching={isWatching}
        staffId={staffId}
        Pictures={Pictures}
        Reading={Reading}
      />
      {hasSheets ? <SheetHost /> : null}
      <CareHost />
    </>
  );
}
