/** Corrects a parent's name, e-mail, phone and photo; sends only the changed fields. */
import { PHOTO_MAX_BYTES } from '@haris/contract/constants';
import { accountRoutes, updateParentBodySchema } from '@haris/contract/http/accounts';
import type { Parent } from '@haris/contract/objects';
import { Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../calls/api-error.ts';
import { failureText, fieldErrors, showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { PhotoField } from '../../../forms/photo-field.tsx';
import { type FormProblems, useCallForm } from '../../../forms/use-call-form.ts';
import { validateWith } from '../../../forms/validation.ts';
import { useSendsMail } from '../../../setup/mail-note.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { notifyBlank, notifySuccess } from '../../../ui/toast.ts';
import { ParentFields, type ParentValues, parentDraftFields } from '../families/parent-fields.tsx';
import classes from './sheet.module.css';

const isOwnEmail = (parent: Parent, email: string) => email.trim().toLowerCase() === parent.email;

/** A wrong code is told at its field, everything else as usual. */
function nameFailure(error: unknown): FormProblems {
  if (error instanceof ApiError && error.code === 'wrong_code') return { code: failureText(error) };
  showFailure(error);
  return fieldErrors(error);
}

/** The changed fields; a phone that was cleared is sent blank, which removes it. */
function changesOf(parent: Parent, { name, email, phone, code }: ParentValues): Partial<ParentValues> {
  const isNewEmail = !isOwnEmail(parent, email);
  return {
    ...(name.trim() === parent.name ? {} : { name }),
    ...(isNewEmail ? { email } : {}),
    ...(isNewEmail && code ? { code } : {}),
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
  // The parent has to agree to a new address, because whoever has it can see the children.
  const needsAgreement = parent.emailVerified && parent.children.length > 0;
  const [isMoving, setMoving] = useState(false);
  const sendsMail = useSendsMail();
  const { form, onSubmit, isBusy } = useCallForm<ParentValues, 'nothing' | 'saved' | 'email' | 'asked'>({
    initialValues: { name: parent.name, email: parent.email, phone: parent.phone ?? '', code: '' },
    draft: { key: `parent:${parent._id}`, fields: parentDraftFields },
    validate: (values) => validateWith(updateParentBodySchema)({ ...values, code: values.code || undefined }),
    onFailure: nameFailure,
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
      if (changes.email === undefined || !parent.emailVerified) return 'saved';
      return needsAgreement && changes.code === undefined ? 'asked' : 'email';
    },
    onSuccess: (outcome, { email }) => {
      const shown = { email: `\u2066${email.trim()}\u2069` };
      if (outcome === 'email') notifyBlank(t(sendsMail ? 'family.emailSent' : 'family.emailKept', shown));
      else if (outcome === 'asked')
        notifyBlank(t(sendsMail ? 'family.emailAsked' : 'family.emailAskedKept', shown));
      else if (outcome === 'saved') notifySuccess(t('family.saved'));
      void client.invalidateQueries({ queryKey: [keys.parents] });
      void client.invalidateQueries({ queryKey: [keys.children] });
      onDone();
    },
  });
  form.watch('email', ({ value }) => setMoving(!isOwnEmail(parent, value)));
  const hintAgree = sendsMail ? 'family.emailHintAgree' : 'family.emailHintAgreeKept';
  const hint = needsAgreement ? hintAgree : 'family.emailHint';
  const hintUnverified = sendsMail ? 'family.emailHintUnverified' : 'family.emailHintUnverifiedKept';
  return (
    <form noValidate onSubmit={onSubmit} className={classes.form}>
      <Stack gap="md">
        <ParentFields form={form} emailHint={t(parent.emailVerified ? hint : hintUnverified)} />
        {needsAgreement && isMoving ? (
          <TextInput
            label={t('family.code')}
            description={t(sendsMail ? 'family.codeHint' : 'family.codeHintKept')}
            inputMode="numeric"
            autoComplete="off"
            dir="ltr"
            maxLength={12}
            key={form.key('code')}
            {...form.getInputProps('code')}
          />
        ) : null}
        <PhotoField photo={photo} onChange={setPhoto} maxBytes={PHOTO_MAX_BYTES} />
        <FormButtons cancel={t('common:cancel')} submit={t('save')} onCancel={onDone} isBusy={isBusy} />
      </Stack>
    </form>
  );
}
