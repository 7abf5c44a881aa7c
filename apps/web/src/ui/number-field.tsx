/** A field for a number, in the digits of the page's language. Accepts the digits of both languages. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

const ARABIC = '٠١٢٣٤٥٦٧٨٩';
const PERSIAN = '۰۱۲۳۴۵۶۷۸۹';

/** The text with Latin digits, a hyphen for minus and a dot for the decimals; other characters stay. */
function toLatin(text: string): string {
  return text
    .replace(/[٠-٩]/g, (digit) => String(ARABIC.indexOf(digit)))
    .replace(/[۰-۹]/g, (digit) => String(PERSIAN.indexOf(digit)))
    .replace(/[٫,]/g, '.')
    .replace(/[−–]/g, '-')
    .replace(/[\s\u200e\u200f\u061c]/g, '');
}

function toLocal(latin: string, language: string): string {
  if (language !== 'ar') return latin;
  return latin.replace(/\d/g, (digit) => ARABIC[Number(digit)] ?? digit).replace('.', '٫');
}

export interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** Null: empty. NaN: the typed text is not a number. */
  value: number | null;
  onChange: (value: number | null) => void;
  allowDecimal?: boolean;
}

/** Parses the typed text: null if empty, NaN if it is not a number yet. */
function parse(latin: string): number | null {
  if (latin === '') return null;
  return /^-?(\d+\.?\d*|\.\d+)$/.test(latin) ? Number(latin) : Number.NaN;
}

export function NumberField({ value, onChange, allowDecimal = true, ...rest }: NumberFieldProps) {
  const { i18n } = useTranslation();
  const [typed, setTyped] = useState(() => textOf(value));
  // If the value was changed from outside, the typed text no longer belongs to it.
  const latin = Object.is(parse(typed), value) ? typed : textOf(value);
  const mayBeTyped = allowDecimal ? /^-?\d*\.?\d*$/ : /^-?\d*$/;
  return (
    <TextInput
      {...rest}
      inputMode={allowDecimal ? 'decimal' : 'numeric'}
      autoComplete="off"
      value={toLocal(latin, i18n.language)}
      onChange={({ currentTarget }) => {
        const next = toLatin(currentTarget.value);
        if (!mayBeTyped.test(next)) return;
        setTyped(next);
        onChange(parse(next));
      }}
    />
  );
}

function textOf(value: number | null): string {
  return value === null || Number.isNaN(value) ? '' : String(value);
}
