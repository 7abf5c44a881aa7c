/** The name and the birth date of a new child as they are typed: their draft, their check, and sentences at the fields. */
import { birthDateSchema, nameSchema } from '@haris/contract/fields';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { ApiError } from '../../calls/api-error.ts';
import { localizeSentence } from '../../calls/failure.ts';
import { useDraft } from '../../forms/use-draft.ts';

/** What is typed for a child of this parent. */
export function useTypedFields(parentId: string) {
  const [name, setName] = useState('');
  const [nameError, setNameError] = useState<string | null>(null);
  const [birthDate, setBirthDate] = useState('');
  const [birthDateError, setBirthDateError] = useState<string | null>(null);
  useDraft(
    { key: `add-child:${parentId}`, fields: { name: z.string(), birthDate: z.string() } },
    {
      now: () => ({ name, birthDate }),
      before: () => ({ name: '', birthDate: '' }),
      restore(typed) {
        if (typed.name !== undefined) setName(typed.name);
        if (typed.birthDate !== undefined) setBirthDate(typed.birthDate);
      },
    },
  );

  return {
    name,
    nameError,
    changeName(next: string) {
      setName(next);
      setNameError(null);
    },
    birthDate,
    birthDateError,
    changeBirthDate(next: string) {
      setBirthDate(next);
      setBirthDateError(null);
    },
    /** The values to send; null if one is refused, which its field says. */
    check() {
      const checked = nameSchema.safeParse(name);
      const born = birthDateSchema.safeParse(birthDate);
      if (!checked.success) setNameError(localizeSentence(checked.error.issues[0]?.message ?? ''));
      if (!born.success) setBirthDateError(localizeSentence(born.error.issues[0]?.message ?? ''));
      return checked.success && born.success ? { name: checked.data, birthDate: born.data } : null;
    },
    /** Shows at the fields why the server refused them. */
    showRefused({ name: ofName, childName: ofChildName, birthDate: ofBirthDate }: ApiError['fields']) {
      const atName = ofName ?? ofChildName;
      if (atName !== undefined) setNameError(localizeSentence(atName));
      if (ofBirthDate !== undefined) setBirthDateError(localizeSentence(ofBirthDate));
    },
  };
}
