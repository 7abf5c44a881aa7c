/** The search over everything: type a child, a family, a screen or an action, and press Enter. */
import { CloseButton, Combobox, Loader, Modal, TextInput, useVirtualizedCombobox } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useOpenChild, useOpenFamily } from '../../../child/child-link.tsx';
import { useReturnFocus } from '../../../ui/use-return-focus.ts';
import { dialogs } from '../dialogs.ts';
import { useCheckOut } from '../hand-over/use-check-out.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import classes from './palette.module.css';
import { hasAction, PaletteLine } from './palette-line.tsx';
import { palette } from './palette-store.ts';
import { type Line, type PaletteEntry, type Section, useMark, usePalette } from './use-palette.ts';

export interface PaletteDialogProps {
  opened: boolean;
  entries: readonly PaletteEntry[];
}

export function PaletteDialog({ opened, entries }: PaletteDialogProps) {
  const { t } = useTranslation('search');
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  useReturnFocus(opened, true);
  return (
    <Modal.Root
      opened={opened}
      onClose={palette.close}
      returnFocus={false}
      fullScreen={isNarrow}
      size="lg"
      yOffset="10dvh"
      radius={isNarrow ? 0 : 'lg'}
      padding={0}
    >
      <Modal.Overlay backgroundOpacity={0.5} blur={3} />
      <Modal.Content aria-label={t('title')}>
        <Modal.Body>
          <Palette entries={entries} isNarrow={isNarrow} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Ids of a line's options: the one that Enter runs, and the action beside it. */
function optionsOf(line: Line, mayCheckIn: boolean): string[] {
  return mayCheckIn && hasAction(line) ? [line.id, `${line.id}-act`] : [line.id];
}

/** Runs an option, after closing the search. */
function useRun(): (line: Line, isAction: boolean) => void {
  const openChild = useOpenChild();
  const openFamily = useOpenFamily();
  const checkOut = useCheckOut();
  return (line, isAction) => {
    palette.close();
    if (line.kind === 'entry') line.entry.run();
    else if (line.kind === 'family') {
      const { parent, usual } = line.found;
      if (isAction) dialogs.checkInFamily(parent, usual);
      else openFamily(parent._id);
    } else {
      const { child, parent, usual } = line.found;
      palette.remember(line.found);
      if (!isAction) openChild(child._id);
      else if (!child.isInside) dialogs.checkInOne(parent, child, usual);
      else if (!isRefusedOffline()) checkOut.mutate(child);
    }
  };
}

function Palette({ entries, isNarrow }: { entries: readonly PaletteEntry[]; isNarrow: boolean }) {
  const { t } = useTranslation(['search', 'common']);
  const prefix = useId();
  const state = usePalette(entries);
  const { sections, typed, isCurrent, mayCheckIn } = state;
  const run = useRun();
  const lines = sections.flatMap((section) => section.lines);
  const ids = lines.flatMap((line) => optionsOf(line, mayCheckIn));

  function runOption(id: string): void {
    const line = lines.find((one) => id === one.id || id === `${one.id}-act`);
    if (line !== undefined) run(line, id !== line.id);
  }

  const { mark, setMark, takeFirst, forgetFirst } = useMark(ids, isCurrent ? state.search : null, runOption);
  const listId = `${prefix}list`;
  const domId = (id: string) => `${prefix}${id}`;
  const markedId = ids[mark];
  const store = useVirtualizedCombobox({
    opened: true,
    totalOptionsCount: ids.length,
    selectedOptionIndex: mark,
    setSelectedOptionIndex: setMark,
    getOptionId: (index) => domId(ids[index] ?? ''),
    onSelectedOptionSubmit: (index) => runOption(ids[index] ?? ''),
  });

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // A held Enter may come from the button that opened the search.
    if (event.repeat) event.stopPropagation();
    else if (!isCurrent) takeFirst();
  }

  return (
    <Combobox store={store} onOptionSubmit={runOption}>
      <div className={classes.field} onKeyDownCapture={onKeyDown}>
        <Combobox.EventsTarget
          withExpandedAttribute
          aria-activedescendant={markedId === undefined ? '' : domId(markedId)}
          aria-controls={listId}
          data-mantine-stop-propagation={false}
        >
          <TextInput
            data-autofocus
            aria-label={t('title')}
            aria-autocomplete="list"
            placeholder={t('placeholder')}
            variant="unstyled"
            size="lg"
            spellCheck={false}
            autoComplete="off"
            enterKeyHint="go"
            maxLength={200}
            leftSection={isCurrent ? <IconSearch size={20} aria-hidden /> : <Loader size={18} aria-hidden />}
            value={typed}
            onChange={(event) => {
              forgetFirst();
              state.setTyped(event.currentTarget.value);
            }}
          />
        </Combobox.EventsTarget>
        {isNarrow ? <CloseButton size="lg" aria-label={t('common:close')} onClick={palette.close} /> : null}
      </div>
      {state.isCached && typed.trim() !== '' ? <p className={classes.offline}>{t('offline')}</p> : null}
      <p role="status" className={classes.spoken}>
        {isCurrent && typed.trim() !== '' ? t('results', { count: lines.length }) : ''}
      </p>
      <Combobox.Options
        id={listId}
        aria-label={t('title')}
        className={classes.options ?? ''}
        data-stale={!isCurrent || undefined}
      >
        {sections.map((section) => (
          <SectionOf
            key={section.name}
            section={section}
            mayCheckIn={mayCheckIn}
            markedId={markedId}
            domId={domId}
            onPoint={(id) => setMark(ids.indexOf(id))}
          />
        ))}
        {lines.length === 0 ? (
          <Combobox.Option value="" disabled aria-selected={false} className={classes.nothing ?? ''}>
            {isCurrent ? t('nothing', { search: state.search }) : t('searching')}
          </Combobox.Option>
        ) : null}
      </Combobox.Options>
    </Combobox>
  );
}

interface SectionProps {
  section: Section;
  mayCheckIn: boolean;
  markedId: string | undefined;
  domId: (id: string) => string;
  onPoint: (id: string) => void;
}

function SectionOf({ section, ...line }: SectionProps) {
  const { t } = useTranslation('search');
  return (
    <Combobox.Group label={t(`sections.${section.name}`)} className={classes.group ?? ''}>
      {section.lines.map((one) => (
        <PaletteLine key={one.id} line={one} {...line} />
      ))}
    </Combobox.Group>
  );
}
