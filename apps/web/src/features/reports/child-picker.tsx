/** All children, or one that is found by typing. */
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
}

export function ChildPicker({ picked, onPick }: ChildPickerProps) {
  const { t } = useTranslation('reports');
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  // What stands in the field while a child is chosen is the name, and no question.
  const [search] = useDebouncedValue(typed === picked?.name ? '' : typed.trim(), SEARCH_DELAY_MS);
  const choices = useChildChoices(search, isOpen);
  const found = choices.data?.children ?? [];
  const options = found.map(({ _id, name, parent }) => ({ value: _id, label: name, parent: parent.name }));
  // The chosen one must have a name also when the list has gone on to others.
  if (picked !== null && !options.some(({ value }) => value === picked.id))
    options.unshift({ value: picked.id, label: picked.name, parent: '' });

  return (
    <Select
      label={t('child')}
      placeholder={t('allChildren')}
      data={options}
      value={picked?.id ?? null}
      onChange={(id, option) => onPick(id === null ? null : { id, name: option?.label ?? '' })}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has searched already.
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
      w={{ base: '100%', sm: 240 }}
    />
  );
}
