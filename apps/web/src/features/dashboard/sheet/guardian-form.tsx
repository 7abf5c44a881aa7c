/** Asks a person to become a guardian of the child. */
import { guardianRoutes } from '@haris/contract/http/guardians';
import type { Child } from '@haris/contract/objects';
import { Alert, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { ApiError } from '../../../calls/api-error.ts';
import { failureText, fieldErrors, showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys, refetchStale } from '../../../calls/query-client.ts';
import { type FormProblems, useCallForm } from '../../../forms/use-call-form.ts';
import { validateWith } from '../../../forms/validation.ts';
import { MailNote } from '../../../setup/mail-note.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import { RIGHTS } from './guardian-rights.tsx';

// A type, because the form library requires an index signature, which interfaces lack.
type Values = { name: string; email: string } & Record<(typeof RIGHTS)[number], boolean>;

/** Without the right to take the child: ticked for one person, it must not come back under another one's name. */
const draftFields = {
  ...{ name: z.string(), email: z.string() },
  ...{ mayLive: z.boolean(), mayEdit: z.boolean(), mayCollect: z.boolean() },
};

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : null);

/** What the address is refused for is told at its field, and what no field can mend in the form. */
function nameFailure(error: unknown): FormProblems {
  const code = codeOf(error);
  if (code === 'guardian_exists') return { email: failureText(error) };
  if (code === 'too_many_guardians' || code === 'barred_person') return {};
  showFailure(error);
  return fieldErrors(error);
}

export interface GuardianFormProps {
  child: Child;
  onDone: () => void;
}

export function GuardianForm({ child, onDone }: GuardianFormProps) {
  const { t } = useTranslation(['guardians', 'common']);
  const client = useQueryClient();
  const { form, onSubmit, isBusy, error } = useCallForm<Values, unknown>({
    initialValues: {
      ...{ name: '', email: '' },
      // Who may not take the child home must not get it by a form that nobody has read.
      ...{ mayLive: true, mayTake: false, mayEdit: false, mayCollect: false },
    },
    draft: { key: `guardian:${child._id}`, fields: draftFields },
    validate: validateWith(guardianRoutes.askGuardian.body),
    send: (body) => call(guardianRoutes.askGuardian, { params: { id: child._id }, body }),
    onFailure: nameFailure,
    onSuccess: (_, { email }) => {
      notifySuccess(t('asked', { email: email.trim() }));
      void refetchStale(client, [keys.guardians]);
      onDone();
    },
  });
  const code = codeOf(error);
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <Text size="sm">{t('form.lead', { child: child.name })}</Text>
        <TextInput
          label={t('form.name')}
          description={t('form.nameHint')}
          required
          data-autofocus
          autoComplete="off"
          maxLength={100}
          dir="auto"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('form.email')}
          description={t('form.emailHint')}
          required
          type="email"
          autoComplete="off"
          dir="ltr"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        {RIGHTS.map((right) => (
          <Checkbox
            key={form.key(right)}
            size="md"
            label={t(`may.${right}`)}
            description={t(`hint.${right}`, { child: child.name })}
            {...form.getInputProps(right, { type: 'checkbox' })}
          />
        ))}
        <Text size="sm" c="dimmed">
          {t('takesOver')}
        </Text>
        <MailNote to="staff" />
        {code === 'too_many_guardians' || code === 'barred_person' ? (
          <Alert color="clay" variant="light" role="alert">
            {code === 'barred_person' ? t('form.barred', { child: child.name }) : failureText(error)}
          </Alert>
        ) : null}
        <FormButtons
          cancel={t('common:cancel')}
          submit={t('form.submit')}
          onCancel={onDone}
          isBusy={isBusy}
        />
      </Stack>
    </form>
  );
}
