/** Children in Monitored Area (spec §2): who is inside, over time first, each with a countdown and a way out. */
import type { Child } from '@haris/contract/objects';
import { Badge, Group, Title } from '@mantine/core';
import { IconDoorEnter, IconUserOff } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { Card } from '../../ui/card.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { PHONE_BELOW_PX, useGrowing } from '../../ui/use-growing.ts';
import { sortByDue } from './children-cache.ts';
import { filterInside } from './filter-inside.ts';
import classes from './inside.module.css';
import { InsideRow } from './inside-row.tsx';
import { OverTimeAnnouncer } from './over-time-announcer.tsx';
import { useChildrenInside } from './queries.ts';
import screen from './screen.module.css';
import { InsideSkeleton } from './skeletons.tsx';
import { useUndoOffers } from './undo.ts';
import type { UndoOffer } from './undo-offers.ts';
import { useFocusKeeper } from './use-focus-keeper.ts';
import { useLingering } from './use-lingering.ts';

/** How long the row of a child that left stays in its place, in milliseconds. */
const LINGER_MS = 700;
/** A row with one line in the middle column; others are higher. On a phone the buttons have a line of their own. */
const ROW_PX = 80;
const ROW_ON_PHONE_PX = 120;
/** Fewer are found by looking. */
const FILTER_FROM = 8;

export interface InsideSectionProps {
  onPrint: (child: Child) => void;
}

export function InsideSection({ onPrint }: InsideSectionProps) {
  const { t } = useTranslation('dashboard');
  const inside = useChildrenInside();
  const format = useClockFormat();
  const heading = useRef<HTMLHeadingElement>(null);
  const [typed, setTyped] = useState('');
  // Two hundred rows are drawn in pieces: the page answers in between.
  const children = useDeferredValue(inside.data);
  // Stays while something is typed, or the last hit's checkout would take the field away.
  const canFilter = typed !== '' || (children?.length ?? 0) >= FILTER_FROM;
  const wanted = canFilter ? typed.trim() : '';

  return (
    <Card component="section" p={0} className={screen.inside} aria-labelledby="inside-title">
      <div className={screen.head}>
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} id="inside-title" fz="h4" ref={heading} tabIndex={-1} className={screen.heading}>
            {t('inside.title')}
          </Title>
          {children === undefined ? null : (
            <Badge variant="light" size="lg" circle={children.length < 10} flex="none">
              {format.count(children.length)}
            </Badge>
          )}
        </Group>
        {canFilter ? (
          <SearchBox
            mt="sm"
            size="sm"
            typed={typed}
            onType={setTyped}
            isBusy={false}
            label={t('inside.find')}
            placeholder={t('inside.findPlaceholder')}
            clearLabel={t('inside.findClear')}
          />
        ) : null}
      </div>
      {children === undefined ? (
        <Waiting inside={inside} />
      ) : (
        <InsideList
          inside={children}
          wanted={wanted}
          onPrint={onPrint}
          onListEmptied={() => heading.current?.focus()}
        />
      )}
      <OverTimeAnnouncer inside={children ?? NOBODY} />
    </Card>
  );
}

const NOBODY: readonly Child[] = [];

function Waiting({ inside }: { inside: ReturnType<typeof useChildrenInside> }) {
  const { t } = useTranslation('dashboard');
  if (inside.isError) {
    return (
      <ErrorState text={t('inside.error')} onRetry={() => void inside.refetch()} busy={inside.isRefetching} />
    );
  }
  return <InsideSkeleton />;
}

interface InsideListProps {
  inside: readonly Child[];
  /** What the list was filtered by; '' for nothing. */
  wanted: string;
  onPrint: (child: Child) => void;
  onListEmptied: () => void;
}

function InsideList({ inside, wanted, onPrint, onListEmptied }: InsideListProps) {
  const { t } = useTranslation('dashboard');
  // Of all, not of those found: who is filtered out has not left.
  const lingering = useLingering(inside, LINGER_MS);
  const undoable = useCheckedOutHere();
  const present = useMemo(() => new Set(inside.map((child) => child._id)), [inside]);
  const rows = useMemo(() => {
    const left = [...lingering, ...[...undoable.values()].map(({ child }) => child)];
    const leaving = new Map(left.filter(({ _id }) => !present.has(_id)).map((child) => [child._id, child]));
    return filterInside(leaving.size === 0 ? inside : sortByDue([...inside, ...leaving.values()]), wanted);
  }, [inside, lingering, undoable, present, wanted]);
  const { shown } = useGrowing(rows, innerWidth < PHONE_BELOW_PX ? ROW_ON_PHONE_PX : ROW_PX);
  const keeper = useFocusKeeper(shown, onListEmptied);

  if (rows.length === 0 && wanted !== '') {
    return <EmptyState icon={<IconUserOff size={28} />} text={t('inside.findNobody', { search: wanted })} />;
  }
  return (
    <>
      {rows.length === 0 ? null : (
        <ul {...keeper} className={classes.list} aria-labelledby="inside-title">
          {shown.map((child) => (
            <InsideRow
              key={child._id}
              child={child}
              hasLeft={!present.has(child._id)}
              offer={undoable.get(child._id)?.offer}
              onPrint={onPrint}
            />
          ))}
        </ul>
      )}
      {present.size === 0 ? (
        <EmptyState
          icon={<IconDoorEnter size={28} />}
          text={t('inside.empty')}
          hint={t('inside.emptyHint')}
        />
      ) : null}
    </>
  );
}

/** Whom this desk checked out a moment ago, by id: their rows stay in their place for as long as it can be undone. */
function useCheckedOutHere(): ReadonlyMap<string, { child: Child; offer: UndoOffer }> {
  const offers = useUndoOffers();
  return useMemo(
    () =>
      new Map(
        offers
          .filter(({ kind }) => kind === 'checkOut')
          .flatMap((offer) => offer.children.map((child) => [child._id, { child, offer }] as const)),
      ),
    [offers],
  );
}
