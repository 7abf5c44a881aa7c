/** Add New Employee (spec §2, §5): every field is required; rules and messages come from the contract. */
import { STAFF_PASSWORD_MIN } from '@haris/contract/constants';
import { accountRoutes, createAdminBodySchema } from '@haris/contract/http/accounts';
import { DEFAULT_ROLE_ID } from '@haris/contract/permissions';
import { PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { RoleSelect } from '../../roles/role-select.tsx';
import { MailNote, useSendsMail } from '../../setup/mail-note.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { notifySuccess } from '../../ui/toast.ts';

export interface AddEmployeeDialogProps {
  opened: boolean;
  onClose: () => void;
}

export function AddEmployeeDialog({ opened, onClose }: AddEmployeeDialogProps) {
  const { t } = useTranslation('employees');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('addDialog.title')}>
      <AddEmployeeForm onDone={onClose} />
    </Dialog>
  );
}

function AddEmployeeForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('employees');
  const client = useQueryClient();
  const sendsMail = useSendsMail();
  const [roleId, setRoleId] = useState<string>(DEFAULT_ROLE_ID);
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: { name: '', email: '', password: '', nationalId: '' },
    draft: { key: 'add-employee', fields: { name: z.string(), email: z.string() } },
    validate: validateWith(createAdminBodySchema),
    send: (body) => call(accountRoutes.createAdmin, { body: { ...body, roleId } }),
    onSuccess: () => {
      notifySuccess(t('addDialog.success'));
      void client.invalidateQueries({ queryKey: [keys.admins] });
      onDone();
    },
  });

  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <TextInput
          label={t('addDialog.name')}
          required
          data-autofocus
          autoComplete="off"
          maxLength={200}
          dir="auto"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('addDialog.email')}
          description={t(sendsMail ? 'addDialog.verification' : 'addDialog.verificationKept')}
          required
          type="email"
          autoComplete="off"
          dir="ltr"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t('addDialog.password')}
          description={t('addDialog.passwordHint', { count: STAFF_PASSWORD_MIN })}
          required
          // The browser must neither fill in the signed-in person's password nor save the new one.
          autoComplete="new-password"
          dir="ltr"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <TextInput
          label={t('addDialog.nationalId')}
          description={t('addDialog.nationalIdHint')}
          required
          inputMode="numeric"
          autoComplete="off"
          dir="ltr"
          key={form.key('nationalId')}
          {...form.getInputProps('nationalId')}
        />
        <RoleSelect value={roleId} onChange={setRoleId} />
        <MailNote to="staff" />
        <FormButtons
          cancel={t('addDialog.cancel')}
          submit={t('addDialog.submit')}
          onCancel={onDone}
          isBusy={isBusy}
        />
      </Stack>
    </form>
  );
}
