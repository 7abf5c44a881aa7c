/** What a choice changes, in sentences for the question before it. */
import { type DeskConflict, WITHOUT_TICKET } from '@haris/contract/http/desk-conflicts';
import { useTranslation } from 'react-i18next';
import type { Choice } from './conflict-card.tsx';
import { useNames } from './use-names.ts';

/** Whether a stay has ended before a moment: what happened then is another visit. */
const isOverAt = ({ exitTime }: NonNullable<DeskConflict['stay']>, at: string) =>
  exitTime !== null && Date.parse(exitTime) <= Date.parse(at);

export function useChanges(): (conflict: DeskConflict, choice: Choice) => string[] {
  const { t } = useTranslation('desk-conflicts');
  const { adultOf, momentOf, staffOf } = useNames();

  function kept({ desk, stay }: DeskConflict): string[] {
    const isInside = stay !== null && !stay.isVoid && stay.exitTime === null;
    if (isInside) return [t('confirm.nothing'), t('confirm.staysInside')];
    if (desk.kind === 'check_in') return [t('confirm.nothing'), t('confirm.staysOutside')];
    return stay === null || stay.exitTime === null
      ? [t('confirm.nothing')]
      : [t('confirm.nothing'), t('confirm.checkoutStays')];
  }

  function recordedBy({ desk: { by }, reason }: DeskConflict): string {
    return by === null || WITHOUT_TICKET.some((one) => one === reason)
      ? t('confirm.byYou')
      : t('confirm.byWriter', { name: `\u2068${staffOf(by)}\u2069` });
  }

  function came(conflict: DeskConflict): string[] {
    const { desk, stay } = conflict;
    const time = momentOf(desk.at);
    return stay === null || stay.isVoid || isOverAt(stay, desk.at)
      ? [t('confirm.checkIn', { time }), recordedBy(conflict), t('confirm.slip')]
      : [t('confirm.came', { from: momentOf(stay.entryTime), to: time }), t('confirm.former')];
  }

  /** The server records an adult who is still listed, and no proof but that staff know the adult. */
  function left(conflict: DeskConflict): string[] {
    const { desk, stay } = conflict;
    const to = momentOf(desk.at);
    const exitTime = stay?.exitTime ?? null;
    const recorded = exitTime === null ? null : (stay?.adult ?? null);
    const lines: string[] = [];
    if (exitTime === null) lines.push(t('confirm.checkOut', { time: to }));
    else if (exitTime !== desk.at) lines.push(t('confirm.left', { from: momentOf(exitTime), to }));
    const isSameAdult = recorded !== null && recorded._id === desk.adult?._id;
    if (!isSameAdult) {
      const name = desk.adult?.name == null ? null : adultOf(desk.adult);
      if (recorded !== null)
        lines.push(t('confirm.adultChanges', { from: adultOf(recorded), to: name ?? t('formerAdult') }));
      else lines.push(name === null ? t('confirm.nobody') : t('confirm.adult', { name }));
      if (desk.proof !== 'known') lines.push(t('confirm.noProof'));
      if (exitTime === null || recorded !== null) lines.push(recordedBy(conflict));
      lines.push(t('confirm.judged'));
    }
    lines.push(t('confirm.told'));
    return exitTime === null ? lines : [...lines, t('confirm.former')];
  }

  return (conflict, choice) => {
    if (choice === 'keep') return kept(conflict);
    return conflict.desk.kind === 'check_in' ? came(conflict) : left(conflict);
  };
}
