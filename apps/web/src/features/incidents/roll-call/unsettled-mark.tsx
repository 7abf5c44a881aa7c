/** Mark beside a child of whom a desk tablet told something later that nobody has settled yet, on the screen and on paper. */
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import type { RollEntry } from './roll-list.ts';

/** Renders nothing if there is nothing to settle. */
export function UnsettledMark({ of: { unsettled } }: { of: Pick<RollEntry, 'unsettled'> }) {
  const { t } = useTranslation('emergency');
  const format = useClockFormat();
  if (unsettled === undefined) return null;
  const { kind, at } = unsettled;
  return <strong>{t(`rollCall.unsettled.${kind}`, { time: format.timeOfDay(at) })}</strong>;
}
