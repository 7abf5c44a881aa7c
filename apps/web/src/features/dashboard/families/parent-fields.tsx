/** Name, e-mail and phone of a parent, in the form that adds one and in the one that corrects one. */
import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

// A type, because the form library requires an index signature, which interfaces lack.
/** As typed; a blank phone means none. `code` is the parent's, for a new e-mail. */
export type ParentValues = { name: string; email: string; phone: string; code?: string };

/** The fields that a draft keeps: all but the code. */
export const parentDraftFields = { name: z.string(), email: z.string(), phone: z.string() };

export interface ParentFieldsProps {
  form: UseFormReturnType<ParentValues>;
  /** Hint that explains what happens after a change of the address. */
  emailHint: string;
}

/** The name has the focus at first, in a dialog and elsewhere. */
export function ParentFields({ form, emailHint }: ParentFieldsProps) {
  const { t } = useTranslation('dashboard');
  return (
    <>
      <TextInput
        label={t('addParent.name')}
        required
        autoFocus
        data-autofocus
        autoComplete="off"
        maxLength={200}
        dir="auto"
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <TextInput
        label={t('addParent.email')}
        description={emailHint}
        required
        type="email"
        autoComplete="off"
        dir="ltr"
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <TextInput
        label={t('addParent.phone')}
        description={t('addParent.phoneHint')}
        type="tel"
        autoComplete="off"
        dir="ltr"
        key={form.key('phone')}
        {...form.getInputProps('phone')}
      />
    </>
  );
}
