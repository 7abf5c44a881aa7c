/** Joins the dashboard with the rooms and the checklist, because features do not import each other. */
import { useEffect, useState } from 'react';
import DashboardScreen from '../features/dashboard/dashboard-screen.tsx';
import { dialogs } from '../features/dashboard/dialogs.ts';
import { useHasFamily } from '../features/dashboard/lists/queries.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { useMay } from '../session/may.ts';
import { keepPlace, mayComeAbove, placeOfChecklist } from '../setup/checklist-place.ts';
import { useOwnItems } from '../setup/own-items.ts';
import { useSetup } from '../setup/queries.ts';
import { useLoaded } from '../ui/load-again.ts';
import { Rooms } from './rooms.tsx';

/** Loaded beside the lists, and again until it arrives: the desk works without it. */
async function loadChecklist() {
  const [screen] = await Promise.all([
    import('../features/settings/dashboard-checklist.tsx'),
    loadTexts(['settings']),
  ]);
  return screen.default;
}

/** The longest wait of the lists for a checklist above them. Milliseconds. */
const HELD_AT_MOST_MS = 3_000;

/**
 * True while a checklist may still come above the lists, so that it does not push them down. Only a device that has
 * seen no dashboard with families waits.
 */
function useIsHeld(isLoaded: boolean): boolean {
  const { data, isError } = useSetup();
  const [mayCome] = useState(mayComeAbove);
  const hasFamily = useHasFamily();
  const mayChange = useMay()('settings.manage');
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), HELD_AT_MOST_MS);
    return () => clearTimeout(timer);
  }, []);
  const ownItems = useOwnItems();
  const place = data && placeOfChecklist({ ...data, items: ownItems(data) });
  useEffect(() => {
    if (place !== undefined) keepPlace(place);
  }, [place]);
  // People who may not change the settings see no checklist.
  // With a family, the checklist is below the lists.
  if (!mayCome || !mayChange || hasFamily || isLate || isError) return false;
  return place === undefined || (place === 'top' && !isLoaded);
}

export default function Dashboard() {
  const Checklist = useLoaded(loadChecklist);
  const isHeld = useIsHeld(Checklist !== null);
  const checklist = (place: 'top' | 'bottom') =>
    Checklist === null ? null : <Checklist place={place} onAddFamily={dialogs.addParent} />;
  return (
    <DashboardScreen
      rooms={<Rooms />}
      setupAbove={checklist('top')}
      setupBelow={checklist('bottom')}
      isHeld={isHeld}
    />
  );
}
