/** Finds a parent by typing: the server searches, and the first one found is marked by itself. */
import type { Parent } from '@haris/contract/objects';
import { Loader, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Photo } from '../../client/photo.tsx';
import classes from './entry.module.css';
import { moveMark } from './mark.ts';
import { useParentChoices } from './queries.ts';

const SEARCH_DELAY_MS = 150;
const NONE: readonly Parent[] = [];

export interface ParentPickerProps {
  /** Pressed with the pointer, or named by an Enter that came before the answer. */
  onPick: (parent: Parent) => void;
  /** The marked one, null for none; `isCurrent` is false while the answer to what was typed last is on its way. */
  onMark: (parent: Parent | null, isCurrent: boolean) => void;
  /** Enter with a marked parent. True lets it do what Enter does in a form. */
  onEnter: () => boolean;
  /** Marks the field: nothing was chosen. */
  hasError: boolean;
}

export function ParentPicker({ onPick, onMark, onEnter, hasError }: ParentPickerProps) {
  const { t } = useTranslation('dashboard');
  const ids = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS);
  const choices = useParentChoices(search);
  const parents = choices.data?.parents ?? NONE;
  // What an older question found must not be taken by an Enter that means the newer one.
  const isCurrent = search === typed.trim() && !choices.isPlaceholderData && !choices.isPending;
  // By id: another desk may add a family above the marked one meanwhile.
  const [markedId, setMarkedId] = useState<string>();
  const mark = isCurrent ? parents.findIndex((parent) => parent._id === markedId) : -1;
  const marked = parents[mark];
  /** Enter came before the answer: it takes the first when that is here. */
  const wantsFirst = useRef(false);

  // Also when another parent is to be chosen, long after the dialog opened.
  useEffect(() => input.current?.focus(), []);

  const onAnswer = useEffectEvent(() => {
    const [first] = parents;
    setMarkedId(search === '' ? undefined : first?._id);
    if (wantsFirst.current && first !== undefined) onPick(first);
    wantsFirst.current = false;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each question that is answered
  useEffect(() => {
    if (isCurrent) onAnswer();
  }, [isCurrent, search]);

  const tellMark = useEffectEvent(() => onMark(marked ?? null, isCurrent));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each mark
  useEffect(() => tellMark(), [marked, isCurrent]);

  function onKeyDown(event: KeyboardEvent) {
    // While an input method composes, its keys are its own.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const next = moveMark(mark, event.key === 'ArrowDown' ? 1 : -1, parents.length);
      if (isCurrent) setMarkedId(parents[next]?._id);
    }
    if (event.key !== 'Enter') return;
    if (event.repeat) return;
    if (marked !== undefined) {
      if (!onEnter()) event.preventDefault();
    } else if (typed.trim() !== '') {
      wantsFirst.current = !isCurrent;
      event.preventDefault();
    }
    // With nothing typed and nothing marked the form says what is missing.
  }

  return (
    <div>
      <TextInput
        ref={input}
        label={t('entry.parent')}
        placeholder={t('entry.parentPlaceholder')}
        data-autofocus
        enterKeyHint="go"
        role="combobox"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={`${ids}-list`}
        aria-activedescendant={marked === undefined ? undefined : `${ids}-${marked._id}`}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        error={hasError}
        leftSection={
          isCurrent || choices.isError ? (
            <IconSearch size={18} aria-hidden />
          ) : (
            <Loader size={16} aria-hidden />
          )
        }
        value={typed}
        onChange={(event) => {
          wantsFirst.current = false;
          setTyped(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        id={`${ids}-list`}
        role="listbox"
        aria-label={t('entry.parent')}
        className={classes.choices}
        data-stale={!isCurrent || undefined}
      >
        {parents.map((parent) => (
          <Choice
            key={parent._id}
            id={`${ids}-${parent._id}`}
            parent={parent}
            isMarked={parent === marked}
            onPoint={() => setMarkedId(parent._id)}
            onPick={() => onPick(parent)}
          />
        ))}
        {parents.length === 0 ? (
          <Text size="sm" c="dimmed" p="xs" role="option" aria-disabled aria-selected={false}>
            {emptyText()}
          </Text>
        ) : null}
      </div>
    </div>
  );

  function emptyText(): string {
    if (choices.isError) return t('entry.searchError');
    if (!isCurrent) return t('entry.searching');
    return search === '' ? t('families.empty') : t('entry.nobody');
  }
}

interface ChoiceProps {
  id: string;
  parent: Parent;
  isMarked: boolean;
  onPoint: () => void;
  onPick: () => void;
}

function Choice({ id, parent, isMarked, onPoint, onPick }: ChoiceProps) {
  const { t } = useTranslation('dashboard');
  const row = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (isMarked) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isMarked]);

  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the marked option
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isMarked}
      className={classes.choice}
      onMouseMove={onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      <Photo name={parent.name} path={parent.photo} size={34} />
      <div className={classes.choiceText}>
        <Text size="sm" fw={500} truncate className={classes.cut} dir="auto">
          {parent.name}
        </Text>
        <Text size="xs" c="dimmed" truncate className={classes.cut} dir="auto">
          {parent.children.length === 0
            ? t('families.noChildren')
            : parent.children.map((child) => child.name).join(' · ')}
        </Text>
      </div>
    </div>
  );
}
