/** Add New Employee (spec §2, §5): every field is required, the rules and sentences are the contract's. */
import { STAFF_PASSWORD_MIN } from '@haris/contract/constants';
import { accountRoutes, createAdminBodySchema } from '@haris/contract/http/accounts';
import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { fieldErrors, showFailure } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { keys } from '../../client/query-client.ts';
import { validateWith } from '../../client/validation.ts';
import { Dialog } from '../../ui/dialog.tsx';
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
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '', email: '', password: '', nationalId: '' },
    validate: validateWith(createAdminBodySchema),
    validateInputOnBlur: false,
  });
  const add = useMutation({
    mutationFn: (values: typeof form.values) => call(accountRoutes.createAdmin, { body: values }),
    onSuccess: () => {
      notifySuccess(t('addDialog.success'));
      void client.invalidateQueries({ queryKey: [keys.admins] });
      onDone();
    },
    onError: (error) => {
      form.setErrors(fieldErrors(error));
      showFailure(error);
    },
  });

  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => {
        if (!add.isPending) add.mutate(values);
      })}
    >
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
          description={t('addDialog.verification')}
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
          // The browser must neither fill in the password of whoever sits here nor keep the new one for them.
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
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onDone} disabled={add.isPending}>
            {t('addDialog.cancel')}
          </Button>
          <Button type="submit" loading={add.isPending}>
            {t('addDialog.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
