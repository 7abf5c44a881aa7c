/** Selects all children, or one child found by typing. */
import { Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChildChoices } from './queries.ts';

const SEARCH_DELAY_MS = 200;

export interface PickedChild {
  readonly id: string;
  readonly name: string;
}

export interface ChildPickerProps {
  picked: PickedChild | null;
  onPick: (child: PickedChild | null) => void;
  className: string;
}

export function ChildPicker({ picked, onPick, className }: ChildPickerProps) {
  const { t } = useTranslation('reports');
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  // After a selection the field contains the child's name, which is not a search.
  const [search] = useDebouncedValue(typed === picked?.name ? '' : typed.trim(), SEARCH_DELAY_MS);
  const choices = useChildChoices(search, isOpen);
  const found = choices.data?.children ?? [];
  const options = found.map(({ _id, name, parent }) => ({ value: _id, label: name, parent: parent.name }));
  // Adds the selected child to the options, so that its label stays when the results change.
  if (picked !== null && !options.some(({ value }) => value === picked.id))
    options.unshift({ value: picked.id, label: picked.name, parent: '' });

  return (
    <Select
      className={className}
      aria-label={t('child')}
      placeholder={t('allChildren')}
      data={options}
      value={picked?.id ?? null}
      onChange={(id, option) => onPick(id === null ? null : { id, name: option?.label ?? '' })}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has already filtered the list.
      filter={({ options: all }) => all}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      renderOption={({ option }) => (
        <span>
          <bdi>{option.label}</bdi>{' '}
          <bdi style={{ color: 'var(--mantine-color-dimmed)' }}>
            {(option as { parent?: string }).parent ?? ''}
          </bdi>
        </span>
      )}
      nothingFoundMessage={choices.isError ? t('childrenError') : choices.isPending ? null : t('noChild')}
      rightSection={choices.isFetching && isOpen ? <Loader size={16} aria-hidden /> : undefined}
      clearable
      clearButtonProps={{ 'aria-label': t('allChildren') }}
      comboboxProps={{ withinPortal: true }}
    />
  );
}
