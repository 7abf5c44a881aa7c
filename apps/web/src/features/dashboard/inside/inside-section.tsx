/** Children in Monitored Area (spec §2): as tiles or rows, each with a countdown and a checkout button. */
import type { Child } from '@haris/contract/objects';
import { Badge, Button, Group, Title } from '@mantine/core';
import { IconDoorEnter, IconUserCheck, IconUserOff, IconUserQuestion } from '@tabler/icons-react';
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { useAtTick } from '../../../countdown/use-tick.ts';
import { Card } from '../../../ui/card.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { EmptyState, ErrorState } from '../../../ui/states.tsx';
import screen from '../frame/screen.module.css';
import { useChildrenInside } from '../lists/queries.ts';
import { useUndoOffers } from '../undo/undo.ts';
import type { UndoOffer } from '../undo/undo-offers.ts';
import { type InsideFilter, isShown, isUnconfirmed, orderInside } from './arrange.ts';
import { filterInside } from './filter-inside.ts';
import classes from './inside.module.css';
import { InsideList, type ShownChild } from './inside-list.tsx';
import { InsideSkeleton } from './inside-skeleton.tsx';
import { InsideTools } from './inside-tools.tsx';
import { type InsideView, type Look, useInsideView } from './inside-view.ts';
import { OverTimeAnnouncer } from './over-time-announcer.tsx';
import { RoomGroups } from './room-groups.tsx';
import { useLingering } from './use-lingering.ts';
import { useRowKeys } from './use-row-keys.ts';

/** How long the row of a child stays in its place after checkout. Milliseconds. */
const LINGER_MS = 700;
/** Lists with at least this many children can be searched and arranged. */
const TOOLS_FROM = 8;
/** With at least this many children, tiles are the default view; with fewer, there is room for rows. */
const TILES_FROM = 9;

export interface InsideSectionProps {
  /** Set by the figures above the list, and by the number of unconfirmed children. */
  filter: InsideFilter;
  onFilter: (filter: InsideFilter) => void;
  onPrint: (child: Child) => void;
  /** Opens the dialog that moves children, with these ticked. */
  onMove: (childIds: readonly string[]) => void;
}

export function InsideSection({ filter, onFilter, onPrint, onMove }: InsideSectionProps) {
  const { t } = useTranslation('dashboard');
  const inside = useChildrenInside();
  const format = useClockFormat();
  const heading = useRef<HTMLHeadingElement>(null);
  const [typed, setTyped] = useState('');
  const [view, changeView] = useInsideView();
  // Deferred, so that the page stays responsive while two hundred rows render.
  const children = useDeferredValue(inside.data);
  const look = useLook(view, children?.length);
  useRowKeys(children ?? NOBODY, { onPrint, onMove });
  // The tools stay while something is typed, or the checkout of the last match would remove them.
  const hasTools = typed !== '' || (children?.length ?? 0) >= TOOLS_FROM;

  return (
    <Card component="section" p={0} className={screen.inside} aria-labelledby="inside-title">
      <div className={screen.head}>
        <div className={classes.head}>
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Title order={2} id="inside-title" fz="h4" ref={heading} tabIndex={-1} className={screen.heading}>
              {t('inside.title')}
            </Title>
            {children === undefined ? null : (
              <Badge variant="light" size="lg" circle={children.length < 10} flex="none">
                {format.count(children.length)}
              </Badge>
            )}
          </Group>
          <UnconfirmedFilter
            count={children?.filter(isUnconfirmed).length ?? 0}
            isPressed={filter === 'unconfirmed'}
            onPress={() => onFilter(filter === 'unconfirmed' ? 'all' : 'unconfirmed')}
          />
          {hasTools ? (
            <div className={classes.tools}>
              <SearchBox
                size="sm"
                typed={typed}
                onType={setTyped}
                isBusy={false}
                label={t('inside.find')}
                placeholder={t('inside.findPlaceholder')}
                clearLabel={t('inside.findClear')}
              />
              <InsideTools view={view} look={look} onChange={changeView} onMove={onMove} />
            </div>
          ) : null}
        </div>
      </div>
      {children === undefined ? (
        <Waiting inside={inside} />
      ) : (
        <Arranged
          inside={children}
          view={hasTools ? view : PLAIN}
          look={look}
          wanted={hasTools ? typed.trim() : ''}
          filter={filter}
          onShowAll={() => onFilter('all')}
          onPrint={onPrint}
          onListEmptied={() => heading.current?.focus()}
        />
      )}
      <OverTimeAnnouncer inside={children ?? NOBODY} />
    </Card>
  );
}

interface UnconfirmedFilterProps {
  count: number;
  isPressed: boolean;
  onPress: () => void;
}

/** Number of children inside whom staff never confirmed; pressing it shows only those. Hidden if there are none. */
function UnconfirmedFilter({ count, isPressed, onPress }: UnconfirmedFilterProps) {
  const { t } = useTranslation('dashboard');
  if (count === 0) return null;
  return (
    <Button
      size="compact-sm"
      variant={isPressed ? 'filled' : 'light'}
      color="saffron"
      aria-pressed={isPressed}
      leftSection={<IconUserQuestion size={16} aria-hidden />}
      onClick={onPress}
    >
      {t('inside.unconfirmed', { count })}
    </Button>
  );
}

const NOBODY: readonly Child[] = [];
const PLAIN: InsideView = { look: null, order: 'due', byRoom: false };

/**
 * The chosen view, or the one that fits the number of children when they were first loaded. It does not change while
 * somebody uses it just because another child comes in.
 */
function useLook({ look }: InsideView, count: number | undefined): Look {
  const first = useRef<Look | null>(null);
  if (first.current === null && count !== undefined) first.current = count >= TILES_FROM ? 'tiles' : 'rows';
  return look ?? first.current ?? 'rows';
}

function Waiting({ inside }: { inside: ReturnType<typeof useChildrenInside> }) {
  const { t } = useTranslation('dashboard');
  if (inside.isError) {
    return (
      <ErrorState text={t('inside.error')} onRetry={() => void inside.refetch()} busy={inside.isRefetching} />
    );
  }
  return <InsideSkeleton />;
}

interface ArrangedProps extends Omit<InsideSectionProps, 'onMove' | 'onFilter'> {
  inside: readonly Child[];
  view: InsideView;
  look: Look;
  /** The text to filter the list by; '' for none. */
  wanted: string;
  onShowAll: () => void;
  onListEmptied: () => void;
}

/** Texts of a filter that no child passes. */
const NOBODY_IN = {
  all: 'inside.empty',
  over: 'inside.nobodyOver',
  soon: 'inside.nobodySoon',
  unconfirmed: 'inside.nobodyUnconfirmed',
} as const satisfies Record<InsideFilter, string>;

function Arranged(props: ArrangedProps) {
  const { inside, view, look, wanted, filter, onShowAll, onPrint, onListEmptied } = props;
  const { t } = useTranslation('dashboard');
  const { shown, present } = useShown(props);
  const list = { look, onPrint, onListEmptied };
  if (inside.length === 0 && shown.length === 0) return <NobodyInside />;
  if (shown.length === 0) {
    return wanted === '' ? (
      <EmptyState
        icon={<IconUserCheck size={28} />}
        text={t(NOBODY_IN[filter])}
        action={
          <Button variant="light" onClick={onShowAll}>
            {t('inside.showAll')}
          </Button>
        }
      />
    ) : (
      <EmptyState icon={<IconUserOff size={28} />} text={t('inside.findNobody', { search: wanted })} />
    );
  }
  return (
    <>
      {view.byRoom ? (
        <RoomGroups shown={shown} {...list} />
      ) : (
        <InsideList shown={shown} labelledBy="inside-title" {...list} />
      )}
      {present === 0 ? <NobodyInside /> : null}
    </>
  );
}

function NobodyInside() {
  const { t } = useTranslation('dashboard');
  return (
    <EmptyState icon={<IconDoorEnter size={28} />} text={t('inside.empty')} hint={t('inside.emptyHint')} />
  );
}

/** The children to show in their order, with those who have just left in their places. */
function useShown({ inside, view, wanted, filter }: ArrangedProps) {
  // Computed from all children, because a child hidden by the filter has not left.
  const lingering = useLingering(inside, LINGER_MS);
  const undoable = useCheckedOutHere();
  // A text, so that the list renders again only when another child becomes due.
  const shownIds = useAtTick(
    useCallback(
      (now: number) =>
        filter === 'all'
          ? ''
          : inside
              .filter((child) => isShown(child, filter, now))
              .map(({ _id }) => _id)
              .join(' '),
      [inside, filter],
    ),
  );
  const shown = useMemo(() => {
    const present = new Set(inside.map((child) => child._id));
    const left = [...lingering, ...[...undoable.values()].map(({ child }) => child)];
    const leaving = new Map(left.filter(({ _id }) => !present.has(_id)).map((child) => [child._id, child]));
    const isWanted = new Set(shownIds.split(' '));
    const all = [...inside, ...leaving.values()].filter(
      ({ _id }) => filter === 'all' || isWanted.has(_id) || leaving.has(_id),
    );
    return filterInside(orderInside(all, view.order), wanted).map(
      (child): ShownChild => ({
        _id: child._id,
        child,
        hasLeft: !present.has(child._id),
        offer: undoable.get(child._id)?.offer,
      }),
    );
  }, [inside, lingering, undoable, shownIds, filter, view.order, wanted]);
  return { shown, present: inside.length };
}

/**
 * Children whom this desk has checked out, by id, with the offer to undo it. Their rows stay in place as long as the
 * undo is offered.
 */
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
