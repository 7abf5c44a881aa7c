/** Prints the slip of a child that was checked in without a connection. */
import type { OutsideChild } from '@haris/contract/desk-list';
import { useTranslation } from 'react-i18next';
import type { WrittenSlip } from '../../desk-entries/use-entries.ts';
import type { SlipChild } from '../../entry-slip/slip.tsx';
import { SlipPrinting } from '../../entry-slip/slip-printing.tsx';
import { TopDialog } from './top-dialog.tsx';

/** Whom a slip is for, and what the tablet wrote. */
export interface KeptSlipOf {
  readonly child: Pick<OutsideChild, 'name' | 'isUnconfirmed'> & {
    /** Null: the list does not say. */
    readonly hasCard: boolean | null;
  };
  readonly slip: WrittenSlip;
}

export function KeptSlip({ of: { child, slip }, onClose }: { of: KeptSlipOf; onClose: () => void }) {
  const { t } = useTranslation('entry-slip');
  const { entry, uniqueEntryId, slipCode } = slip;
  const printed: SlipChild = {
    _id: entry.childId,
    name: child.name,
    isInside: true,
    entryTime: new Date(entry.at).toISOString(),
    duration: entry.minutes,
    uniqueEntryId,
    slipCode,
    ...(child.isUnconfirmed ? { unconfirmed: true } : {}),
    ...(child.hasCard === false ? {} : { careCard: child.hasCard ? 'elsewhere' : 'unknown' }),
  };
  return (
    <TopDialog title={t('title')} onClose={onClose}>
      {(close) => <SlipPrinting items={[printed]} onClose={close} />}
    </TopDialog>
  );
}
