/** Corrects a parent's name, e-mail, phone and photo; sends only the changed fields. */
import { PHOTO_MAX_BYTES } from '@haris/contract/constants';
import { accountRoutes, updateParentBodySchema } from '@haris/contract/http/accounts';
import type { Parent } from '@haris/contract/objects';
import { Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { PhotoField } from '../../../forms/photo-field.tsx';
import { useCallForm } from '../../../forms/use-call-form.ts';
import { validateWith } from '../../../forms/validation.ts';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { notifyBlank, notifySuccess } from '../../../ui/toast.ts';
import { ParentFields, type ParentValues } from '../families/parent-fields.tsx';
import classes from './sheet.module.css';

/** The changed fields; a phone that was cleared is sent blank, which removes it. */
function changesOf(parent: Parent, { name, email, phone }: ParentValues): Partial<ParentValues> {
  return {
    ...(name.trim() === parent.name ? {} : { name }),
    ...(email.trim().toLowerCase() === parent.email ? {} : { email }),
    ...(phone.trim() === (parent.phone ?? '') ? {} : { phone }),
  };
}

function formOf(changes: Partial<ParentValues>, photo: File): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(changes)) form.set(field, value);
  // The photo goes last, so that the server has parsed the fields when the file begins.
  form.set('photo', photo);
  return form;
}

export interface ParentFormProps {
  parent: Parent;
  onDone: () => void;
}

export function ParentForm({ parent, onDone }: ParentFormProps) {
  const { t } = useTranslation(['child', 'common']);
  const client = useQueryClient();
  const [photo, setPhoto] = useState<File | null>(null);
  const { form, onSubmit, isBusy } = useCallForm<ParentValues, 'nothing' | 'saved' | 'email'>({
    initialValues: { name: parent.name, email: parent.email, phone: parent.phone ?? '' },
    validate: (values) => validateWith(updateParentBodySchema)(values),
    send: async (values) => {
      const changes = changesOf(parent, values);
      if (Object.keys(changes).length === 0 && photo === null) return 'nothing';
      const params = { id: parent._id };
      await call(
        accountRoutes.updateParent,
        photo === null
          ? { params, body: { ...changes, phone: changes.phone } }
          : { params, form: formOf(changes, photo) },
      );
      return changes.email !== undefined && parent.emailVerified ? 'email' : 'saved';
    },
    onSuccess: (outcome, { email }) => {
      if (outcome === 'email') notifyBlank(t('family.emailSent', { email: `\u2066${email.trim()}\u2069` }));
      else if (outcome === 'saved') notifySuccess(t('family.saved'));
      void client.invalidateQueries({ queryKey: [keys.parents] });
      void client.invalidateQueries({ queryKey: [keys.children] });
      onDone();
    },
  });
  return (
    <form noValidate onSubmit={onSubmit} className={classes.form}>
      <Stack gap="md">
        <ParentFields
          form={form}
          emailHint={t(parent.emailVerified ? 'family.emailHint' : 'family.emailHintUnverified')}
        />
        <PhotoField photo={photo} onChange={setPhoto} maxBytes={PHOTO_MAX_BYTES} />
        <FormButtons cancel={t('common:cancel')} submit={t('save')} onCancel={onDone} isBusy={isBusy} />
      </Stack>
    </form>
  );
}
