/**
 * Place of the button that starts an evacuation: in the rail; in the header on phones and on pages without a rail, such as
 * the overview; and in a sheet, which covers both. So it is on every page that staff see.
 */
import { useMediaQuery } from '@mantine/hooks';
import { EmergencyButton } from '../../features/incidents/emergency-button.tsx';
import { useMay } from '../../session/may.ts';
import { useSession } from '../../session/session.tsx';

export interface EmergencySlotProps {
  place: 'rail' | 'header' | 'sheet';
  /** The rail is beside this screen, if there is room for it. */
  hasRail?: boolean;
  /** The rail is folded: only the icon has room. */
  isFolded?: boolean;
}

const AT_ONCE = { getInitialValueInEffect: false };

export function EmergencySlot({ place, hasRail = false, isFolded = false }: EmergencySlotProps) {
  const isRailShown = useMediaQuery('(min-width: 48em)', true, AT_ONCE) && hasRail;
  const isNarrow = useMediaQuery('(max-width: 23.5em)', false, AT_ONCE);
  const may = useMay();
  // The server refuses everything until there is a second factor.
  const isRefused = useSession().admin.identity?.mustAddFactor === true;
  // One button at a time beside the screen: two would share an accessible name.
  const isHere = place === 'sheet' || isRailShown === (place === 'rail');
  if (!isHere || isRefused || !may('evacuation.run')) return null;
  return <EmergencyButton isCompact={place === 'rail' ? isFolded : isNarrow} isBlock={place === 'rail'} />;
}
