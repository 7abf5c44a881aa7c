/** A list of children inside; it grows while the page is idle, and keeps the focus when a child leaves. */
import type { Child } from '@haris/contract/objects';
import { useCareSigns } from '../../../care/queries.ts';
import { useMay } from '../../../session/may.ts';
import { PHONE_BELOW_PX, useGrowing } from '../../../ui/use-growing.ts';
import type { UndoOffer } from '../undo/undo-offers.ts';
import classes from './inside.module.css';
import { InsideRow } from './inside-row.tsx';
import type { Look } from './inside-view.ts';
import { useFocusKeeper } from './use-focus-keeper.ts';

/**
 * Minimum height per child, from which the first render computes how many fill the screen; a desk shows three tiles per
 * row.
 */
const LEAST_PX = { rows: 58, tiles: 24 } as const;
const LEAST_ON_PHONE_PX = 66;

export interface ShownChild {
  readonly _id: string;
  readonly child: Child;
  /** True just after checkout: the child stays in its place without its button. */
  readonly hasLeft: boolean;
  readonly offer: UndoOffer | undefined;
}

export interface InsideListProps {
  shown: readonly ShownChild[];
  look: Look;
  labelledBy: string;
  onPrint: (child: Child) => void;
  onListEmptied: () => void;
}

export function InsideList({ shown: all, look, labelledBy, onPrint, onListEmptied }: InsideListProps) {
  const { shown } = useGrowing(all, () => (innerWidth < PHONE_BELOW_PX ? LEAST_ON_PHONE_PX : LEAST_PX[look]));
  const mayCheckOut = useMay()('children.check_in');
  const { signs } = useCareSigns();
  const keeper = useFocusKeeper(shown, onListEmptied);
  return (
    <div className={classes.frame}>
      <ul {...keeper} className={classes.list} data-look={look} aria-labelledby={labelledBy}>
        {shown.map(({ _id, child, hasLeft, offer }) => (
          <InsideRow
            key={_id}
            child={child}
            sign={signs.get(_id)}
            hasLeft={hasLeft}
            offer={offer}
            isTile={look === 'tiles'}
            mayCheckOut={mayCheckOut}
            onPrint={onPrint}
          />
        ))}
      </ul>
    </div>
  );
}
