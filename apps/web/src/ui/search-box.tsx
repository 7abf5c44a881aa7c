/** A search field that searches while the person types. It stays mounted while results load, so it keeps the focus. */
import { ActionIcon, Loader, TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import styles from './search-box.module.css';

export interface SearchBoxProps extends Pick<TextInputProps, 'mt' | 'className' | 'size'> {
  typed: string;
  onType: (text: string) => void;
  /** A search is running. */
  isBusy: boolean;
  /** Accessible name. */
  label: string;
  placeholder: string;
  clearLabel: string;
}

export function SearchBox({ typed, onType, isBusy, label, placeholder, clearLabel, ...box }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <TextInput
      {...box}
      ref={input}
      type="search"
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      classNames={{ input: styles.input ?? '' }}
      aria-label={label}
      placeholder={placeholder}
      leftSection={isBusy ? <Loader size={16} aria-hidden /> : <IconSearch size={18} aria-hidden />}
      rightSection={
        typed === '' ? null : (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={clearLabel}
            onClick={() => {
              onType('');
              input.current?.focus();
            }}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )
      }
      value={typed}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}
