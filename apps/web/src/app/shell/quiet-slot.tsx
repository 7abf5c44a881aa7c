/** Place of the quiet line of open alerts: in the header of wide screens, above the bar of phones. */
import { useMediaQuery } from '@mantine/hooks';
import { QuietLine, type QuietLineProps } from '../../features/incidents/quiet-line.tsx';

const AT_ONCE = { getInitialValueInEffect: false };

export function QuietSlot({ place }: QuietLineProps) {
  const isWide = useMediaQuery('(min-width: 48em)', true, AT_ONCE);
  // One line at a time: two live regions would be read twice.
  return isWide === (place === 'header') ? <QuietLine place={place} /> : null;
}
