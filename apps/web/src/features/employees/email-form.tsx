/** Corrects an employee's e-mail, in a dialog. */
import { sheetRoutes } from '@haris/contract/http/sheets';
import type { Admin } from '@haris/contract/objects';
import { Button, Stack, TextInput } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { MailNote, useSendsMail } from '../../setup/mail-note.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { notifyBlank, notifySuccess } from '../../ui/toast.ts';

export function CorrectEmail({ employee }: { employee: Admin }) {
  const { t } = useTranslation('employees');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="sm"
        variant="subtle"
        leftSection={<IconMail size={17} aria-hidden />}
        aria-label={t('email.buttonOf', { name: employee.name })}
        onClick={() => setOpen(true)}
      >
        {t('email.button')}
      </Button>
      <Dialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('email.buttonOf', { name: employee.name })}
      >
        <EmailForm employee={employee} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function EmailForm({ employee, onDone }: { employee: Admin; onDone: () => void }) {
  const { t } = useTranslation('employees');
  const client = useQueryClient();
  const sendsMail = useSendsMail();
  const { _id: id, email: inForce, emailVerified, pendingEmail } = employee;
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: { email: pendingEmail ?? inForce },
    validate: validateWith(sheetRoutes.changeStaffEmail.body),
    send: (body) => call(sheetRoutes.changeStaffEmail, { params: { id }, body }),
    onSuccess: ({ admin }, { email }) => {
      const shown = { email: `\u2066${email.trim()}\u2069` };
      if (admin.pendingEmail !== undefined)
        notifyBlank(t(sendsMail ? 'email.waits' : 'email.waitsKept', shown));
      else notifySuccess(t('email.saved'));
      void client.invalidateQueries({ queryKey: [keys.admins] });
      onDone();
    },
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <TextInput
          label={t('addDialog.email')}
          description={t(emailVerified ? 'email.hint' : 'email.hintUnverified')}
          required
          data-autofocus
          type="email"
          autoComplete="off"
          dir="ltr"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <MailNote to="staff" />
        <FormButtons
          cancel={t('addDialog.cancel')}
          submit={t('email.submit')}
          onCancel={onDone}
          isBusy={isBusy}
        />
      </Stack>
    </form>
  );
}
