/** What a choice changes, in sentences for the question before it. */
import type { DeskConflict } from '@haris/contract/http/desk-conflicts';
import { useTranslation } from 'react-i18next';
import type { Choice } from './conflict-card.tsx';
import { useNames } from './use-names.ts';

/** Whether a stay has ended before a moment: what happened then is another visit. */
const isOverAt = ({ exitTime }: NonNullable<DeskConflict['stay']>, at: string) =>
  exitTime !== null && Date.parse(exitTime) <= Date.parse(at);

export function useChanges(): (conflict: DeskConflict, choice: Choice) => string[] {
  const { t } = useTranslation('desk-conflicts');
  const { adultOf, momentOf } = useNames();

  function kept({ desk, stay }: DeskConflict): string[] {
    const isInside = stay !== null && !stay.isVoid && stay.exitTime === null;
    if (isInside) return [t('confirm.nothing'), t('confirm.staysInside')];
    if (desk.kind === 'check_in') return [t('confirm.nothing'), t('confirm.staysOutside')];
    return stay === null || stay.exitTime === null
      ? [t('confirm.nothing')]
      : [t('confirm.nothing'), t('confirm.checkoutStays')];
  }

  function taken({ desk, stay }: DeskConflict): string[] {
    const time = momentOf(desk.at);
    const before = stay === null || stay.isVoid ? null : stay;
    if (desk.kind === 'check_in')
      return before === null || isOverAt(before, desk.at)
        ? [t('confirm.checkIn', { time }), t('confirm.slip')]
        : [t('confirm.came', { from: momentOf(before.entryTime), to: time }), t('confirm.former')];
    const exitTime = before?.exitTime ?? null;
    const adultBefore = before?.adult ?? null;
    const lines: string[] = [];
    if (exitTime === null) lines.push(t('confirm.checkOut', { time }));
    else if (exitTime !== desk.at) lines.push(t('confirm.left', { from: momentOf(exitTime), to: time }));
    // Who is not listed any more is not recorded.
    if (desk.adult !== null && desk.adult.name !== null) {
      const to = adultOf(desk.adult);
      if (adultBefore === null) lines.push(t('confirm.adult', { name: to }));
      else if (adultBefore._id !== desk.adult._id)
        lines.push(t('confirm.adultChanges', { from: adultOf(adultBefore), to }));
    }
    lines.push(t('confirm.told'));
    return exitTime === null ? lines : [...lines, t('confirm.former')];
  }

  return (conflict, choice) => (choice === 'keep' ? kept(conflict) : taken(conflict));
}
