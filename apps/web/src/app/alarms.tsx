/** Joins the alarms with the readings of the air: features do not know each other. */
import { useEffect } from 'react';
import { useSession } from '../client/session.tsx';
import { getReadings, subscribeReadings } from '../features/environment/readings-store.ts';
import AlarmCentre from '../features/incidents/alarm-centre.tsx';

const latest = () => getReadings().sensors.values();

export default function Alarms() {
  const { admin, parent } = useSession();
  // A parent hears of the air while one of the own children is in it.
  const isWatching =
    admin.isAuthenticated || (parent.identity?.children.some((child) => child.isInside) ?? false);
  // Keeps the socket open on every screen.
  useEffect(() => (isWatching ? subscribeReadings(() => {}) : undefined), [isWatching]);
  const staffId = admin.identity?._id ?? null;
  return <AlarmCentre readings={latest} isWatching={isWatching} staffId={staffId} />;
}
