/** Staff's view of an evacuation: the roll call of everybody in the building, above all other dialogs. */
import type { KeptCareCard } from '@haris/contract/http/care';
import type { Evacuation } from '@haris/contract/http/incidents';
import { Button, Title } from '@mantine/core';
import { IconDoorExit } from '@tabler/icons-react';
import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEvacuationCards } from '../../../care/queries.ts';
import { useMay } from '../../../session/may.ts';
import { useRowFocus } from '../../../ui/use-row-focus.ts';
import { useSettled } from '../../../ui/use-settled.ts';
import { useEvacuation } from '../api.ts';
import type { ShownDanger } from '../danger/shown-danger.ts';
import { AddPerson } from './add-person.tsx';
import { EndPanel } from './end-panel.tsx';
import { KeptCard } from './kept-card.tsx';
import { dropList, keepList } from './kept-list.ts';
import classes from './roll-call.module.css';
import { Counts, OpenDangers, Since, Sound, Waiting } from './roll-head.tsx';
import { countEntries, entriesOf, type RollEntry, sectionsOf } from './roll-list.ts';
import { RollSections } from './roll-sections.tsx';
import { RollTools } from './roll-tools.tsx';
import { SearchPanel } from './search-panel.tsx';
import type { TickState } from './ticks.ts';
import { type EvacuationSound, useEvacuationSound } from './use-evacuation-sound.ts';
import { useRollCall } from './use-roll-call.ts';
import { useRollFilters } from './use-roll-filters.ts';
import { useSearches } from './use-searches.ts';

export interface RollCallProps {
  staffId: string;
  /** Dangers that are not over, named at the top. */
  dangers: readonly ShownDanger[];
}

/** Opens when an evacuation begins and closes when it ends. In the meantime this device keeps its own list. */
export function RollCall({ staffId, dangers }: RollCallProps) {
  const { data } = useEvacuation(true);
  const may = useMay();
  const mayTick = may('evacuation.run');
  const evacuation = data?.evacuation;
  const cards = useEvacuationCards(evacuation?._id, evacuation?.children.length ?? 0);
  useEffect(() => {
    if (evacuation === null) dropList();
    else if (evacuation !== undefined) void keepList({ evacuation, staffId, mayTick, cards });
  }, [evacuation, staffId, mayTick, cards]);
  return (
    <RollCallOf
      evacuation={evacuation ?? null}
      staffId={staffId}
      dangers={dangers}
      keptAt={null}
      mayTick={mayTick}
      mayAdd={may('visitors.sign_in')}
      maySearch={may('children.check_in')}
      cards={cards}
    />
  );
}

export interface RollCallOfProps extends RollCallProps {
  evacuation: Evacuation | null;
  /** When the server last answered, if the list is one that this device kept; ISO 8601. */
  keptAt: string | null;
  /** Whether this person ticks people and ends the evacuation. Others only read the list. */
  mayTick: boolean;
  /** Whether this person signs visitors in. */
  mayAdd: boolean;
  /** Whether this person alerts all staff to a missing child, and ends the search. */
  maySearch: boolean;
  /** Care cards of the children on the list; undefined until they are known. */
  cards: readonly KeptCareCard[] | undefined;
}

/** The roll call of an evacuation, or its banner while it is minimised. */
export function RollCallOf({ evacuation, ...props }: RollCallOfProps) {
  const { queue, tick } = useRollCall(evacuation);
  const [foldedId, setFoldedId] = useState<string | null>(null);
  const sound = useEvacuationSound(evacuation?._id ?? null, props.dangers);
  const { silence, mark } = sound;
  // Whoever ticks has heard it, and must hear who answers.
  const onTick = useCallback<typeof tick>(
    (entry, state) => {
      mark();
      tick(entry, state);
    },
    [tick, mark],
  );
  if (evacuation === null) return null;
  if (foldedId === evacuation._id) return <FoldedBanner sound={sound} onOpen={() => setFoldedId(null)} />;
  return (
    <RollCallDialog
      key={evacuation._id}
      evacuation={evacuation}
      {...props}
      queue={queue}
      onTick={onTick}
      sound={sound}
      onFold={() => {
        silence();
        setFoldedId(evacuation._id);
      }}
    />
  );
}

/** Banner in place of the roll call while somebody uses the screen below, for example to check out a child. */
function FoldedBanner({ sound, onOpen }: { sound: EvacuationSound; onOpen: () => void }) {
  const { t } = useTranslation('emergency');
  const opener = useRef<HTMLButtonElement>(null);
  const silence = () => {
    sound.silence();
    // The button is gone with the sound.
    opener.current?.focus();
  };
  return (
    <aside className={classes.banner} aria-label={t('rollCall.title')}>
      <span>
        <IconDoorExit size={22} aria-hidden /> {t('rollCall.goesOn')}
      </span>
      <Button variant="white" color="clay" ref={opener} onClick={onOpen}>
        {t('rollCall.open')}
      </Button>
      {sound.isSounding ? <Sound onSilence={silence} /> : null}
    </aside>
  );
}

const tickOf = ({ tick }: RollEntry): TickState | null => tick?.state ?? null;

/** Moves the focus to the row's own button for a missing child. */
function focusRow(dialog: HTMLElement | null, childId: string): void {
  const rows = dialog?.querySelectorAll<HTMLElement>('[data-entry]') ?? [];
  const row = [...rows].find(({ dataset }) => dataset.entry === childId);
  row?.querySelector<HTMLElement>('[data-missing]')?.focus();
}

interface RollCallDialogProps extends RollCallOfProps {
  evacuation: Evacuation;
  queue: ReturnType<typeof useRollCall>['queue'];
  onTick: ReturnType<typeof useRollCall>['tick'];
  sound: EvacuationSound;
  onFold: () => void;
}

function RollCallDialog(props: RollCallDialogProps) {
  const { evacuation, staffId, dangers, keptAt, mayTick, mayAdd, maySearch, cards } = props;
  const { queue, onTick, sound, onFold } = props;
  const { t } = useTranslation('emergency');
  const frame = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    frame.current?.showModal();
    heading.current?.focus();
  }, []);
  const entries = useMemo(() => entriesOf(evacuation, queue), [evacuation, queue]);
  const counts = countEntries(entries);
  const [isAdding, setAdding] = useState(false);
  const cardOf = useMemo(() => new Map(cards?.map(({ childId, card }) => [childId, card])), [cards]);
  const [shown, setShown] = useState<RollEntry | null>(null);
  const shownCard = shown === null ? undefined : cardOf.get(shown.id);
  const { stateOf, mayPress } = useSettled(entries, tickOf);
  const filters = useRollFilters(entries, stateOf);
  const rowFocus = useRowFocus(frame);
  const { searchOf, asked, ask, stopAsking } = useSearches(dangers, entries, maySearch);
  const tick = useCallback(
    (entry: RollEntry, state: TickState) => {
      if (!mayPress()) return;
      onTick(entry, state);
      ask(entry, state);
    },
    [onTick, mayPress, ask],
  );
  const silence = () => {
    sound.silence();
    // The button is gone with the sound.
    heading.current?.focus();
  };

  return (
    <dialog
      ref={frame}
      className={classes.frame}
      aria-labelledby={id}
      {...rowFocus}
      onCancel={(event) => event.preventDefault()}
      onClose={() => {
        if (frame.current?.open === false) frame.current.showModal();
      }}
    >
      <header className={classes.head}>
        <Title order={2} id={id} ref={heading} tabIndex={-1} className={classes.title ?? ''}>
          <IconDoorExit size={26} aria-hidden /> {t('rollCall.title')}
        </Title>
        <Since evacuation={evacuation} />
        <Counts counts={counts} filter={filters.state} onFilter={filters.setState} />
        <OpenDangers dangers={dangers} />
        <Waiting count={queue.length} keptAt={keptAt} />
        {sound.isSounding ? <Sound onSilence={silence} /> : null}
      </header>
      <RollTools
        evacuation={evacuation}
        entries={entries}
        filters={filters}
        onAdd={mayAdd ? () => setAdding(true) : null}
      />
      {isAdding ? <AddPerson onClose={() => setAdding(false)} /> : null}
      <RollSections
        sections={sectionsOf(filters.found, stateOf)}
        empty={t(entries.length === 0 ? 'rollCall.nobody' : 'rollCall.noMatch')}
        staffId={staffId}
        onTick={mayTick ? tick : null}
        cardOf={cardOf}
        onCard={setShown}
        searchOf={searchOf}
        onAsk={maySearch ? ask : null}
      />
      {shown === null || shownCard === undefined ? null : (
        <KeptCard child={shown} kept={shownCard} isOffline={keptAt !== null} onClose={() => setShown(null)} />
      )}
      {asked === null ? null : (
        <SearchPanel
          key={`${asked.entry.id} ${asked.search?.key}`}
          entry={asked.entry}
          search={asked.search}
          isKept={keptAt !== null}
          onReported={sound.reported}
          onClose={stopAsking}
          onGone={(childId) => focusRow(frame.current, childId)}
        />
      )}
      <EndPanel
        evacuation={evacuation}
        unclear={counts.open + counts.missing}
        mayEnd={mayTick}
        onFold={onFold}
      />
    </dialog>
  );
}
