/** The checklist on the dashboard, while something is open and nobody has hidden it. */
import { useMay } from '../../session/may.ts';
import { placeOfChecklist } from '../../setup/checklist-place.ts';
import { useOwnItems } from '../../setup/own-items.ts';
import { useSetup } from '../../setup/queries.ts';
import { Checklist } from './checklist.tsx';

export interface DashboardChecklistProps {
  /** Above the lists while there is no family, below them afterwards. */
  place: 'top' | 'bottom';
  onAddFamily: () => void;
}

export default function DashboardChecklist({ place, onAddFamily }: DashboardChecklistProps) {
  const { data } = useSetup();
  const mayChange = useMay()('settings.manage');
  const ownItems = useOwnItems();
  // Only staff who can finish the first run see its checklist.
  if (!mayChange || data === undefined) return null;
  if (placeOfChecklist({ ...data, items: ownItems(data) }) !== place) return null;
  return <Checklist setup={data} onDashboard onAddFamily={onAddFamily} />;
}
