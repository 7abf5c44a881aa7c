/** Finds a family by the name of a child or a parent: the server searches, and the first result is marked automatically. */
import { Combobox, Loader, Text, TextInput, useVirtualizedCombobox } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { UnconfirmedMark } from '../../../child/unconfirmed-mark.tsx';
import { Photo } from '../../../photos/photo.tsx';
import classes from './entry.module.css';
import { takeTyped } from './typed-ahead.ts';
import { type Choice, type FamilyChoice, useFamilyChoice } from './use-family-choice.ts';

export interface FamilyPickerProps {
  /** Called for a result picked by pointer, or by an Enter pressed before the results arrived. */
  onPick: (choice: Choice) => void;
  /** Called with the marked result, or null; `isCurrent` is false until the results for the current input arrive. */
  onMark: (choice: Choice | null, isCurrent: boolean) => void;
  /** Called on Enter with a marked result. */
  onEnter: () => void;
  /** Marks the field as invalid: no child was chosen. */
  hasError: boolean;
}

export function FamilyPicker({ onPick, onMark, onEnter, hasError }: FamilyPickerProps) {
  const { t } = useTranslation('dashboard');
  const ids = useId();
  const input = useRef<HTMLInputElement>(null);
  const search = useFamilyChoice({ onPick, onMark });
  const { choices, mark, setMark } = search;
  const optionId = (index: number) => `${ids}-${choices[index]?.id}`;
  const store = useVirtualizedCombobox({
    // The list is always visible; it is part of the form, not a dropdown.
    opened: true,
    totalOptionsCount: choices.length,
    selectedOptionIndex: mark,
    setSelectedOptionIndex: setMark,
    getOptionId: optionId,
    onSelectedOptionSubmit: onEnter,
  });

  // Focus the field also when it reappears because somebody changes the family.
  const onShown = useEffectEvent(() => {
    input.current?.focus();
    const typed = takeTyped();
    if (typed !== '') search.type(typed);
  });
  useEffect(() => onShown(), []);

  function onKeyDown(event: KeyboardEvent) {
    // Enter during composition belongs to the input method. With a marked parent the combobox handles Enter; with no
    // input the form reports what is missing.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || mark !== -1) return;
    if (search.takeFirst()) event.preventDefault();
  }

  return (
    <div onKeyDownCapture={ignoreHeldEnter}>
      <Combobox store={store} onOptionSubmit={(id) => pickById(id)}>
        <Combobox.EventsTarget
          withExpandedAttribute
          // Mantine ignores undefined and would use its default.
          aria-activedescendant={mark === -1 ? '' : optionId(mark)}
          // Escape must close the dialog directly, because there is no dropdown to close first.
          data-mantine-stop-propagation={false}
        >
          <TextInput
            ref={input}
            label={t('entry.parent')}
            placeholder={t('entry.parentPlaceholder')}
            data-autofocus
            enterKeyHint="go"
            aria-autocomplete="list"
            spellCheck={false}
            maxLength={200}
            error={hasError}
            leftSection={
              search.isCurrent || search.isError ? (
                <IconSearch size={18} aria-hidden />
              ) : (
                <Loader size={16} aria-hidden />
              )
            }
            value={search.typed}
            onChange={(event) => search.type(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </Combobox.EventsTarget>
        <Combobox.Options
          aria-label={t('entry.parent')}
          className={classes.choices ?? ''}
          data-stale={!search.isCurrent || undefined}
        >
          {choices.map((choice, index) => (
            <Option
              key={choice.id}
              id={optionId(index)}
              choice={choice}
              isMarked={index === mark}
              onPoint={() => setMark(index)}
            />
          ))}
          {choices.length === 0 ? <NoChoice search={search} /> : null}
        </Combobox.Options>
      </Combobox>
    </div>
  );

  function pickById(id: string): void {
    const choice = choices.find((one) => one.id === id);
    if (choice !== undefined) onPick(choice);
  }
}

/** A held Enter, perhaps from the button that opened the dialog, must not pick a parent. */
function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !event.repeat) return;
  event.preventDefault();
  event.stopPropagation();
}

interface OptionProps {
  id: string;
  choice: Choice;
  isMarked: boolean;
  onPoint: () => void;
}

/** A child with its parent's name below, or a parent with the children's. */
function Option({ id, choice, isMarked, onPoint }: OptionProps) {
  const { t } = useTranslation('dashboard');
  const row = useRef<HTMLDivElement>(null);
  const { parent, child } = choice;
  const shown = child ?? parent;
  const names = parent.children.map(({ name }) => name).join(' · ');

  useEffect(() => {
    if (isMarked) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isMarked]);

  return (
    <Combobox.Option
      ref={row}
      id={id}
      value={choice.id}
      aria-selected={isMarked}
      className={classes.choice ?? ''}
      onMouseMove={onPoint}
    >
      <Photo name={shown.name} path={shown.photo} size={34} />
      <div className={classes.choiceText}>
        <Text size="sm" fw={500} truncate dir="auto">
          {shown.name}
        </Text>
        <Text size="xs" c="dimmed" truncate dir="auto">
          {child === null ? names || t('families.noChildren') : parent.name}
        </Text>
        {child === null ? null : <UnconfirmedMark of={child} />}
      </div>
      {child?.isInside ? (
        <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
          {t('families.statusInside')}
        </Text>
      ) : null}
    </Combobox.Option>
  );
}

/** Message in place of an empty list. */
function NoChoice({ search: { isError, isCurrent, typed } }: { search: FamilyChoice }) {
  const { t } = useTranslation('dashboard');
  const found = typed.trim() === '' ? t('families.empty') : t('entry.nobody');
  return (
    <Combobox.Option value="" disabled aria-selected={false} className={classes.noChoice ?? ''}>
      {isError ? t('entry.searchError') : isCurrent ? found : t('entry.searching')}
    </Combobox.Option>
  );
}
