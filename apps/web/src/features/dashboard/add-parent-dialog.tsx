/** Add New Parent (spec §2, §5): name and e-mail are required, phone and photo may be left out. */
import { PHOTO_MAX_BYTES } from '@haris/contract/constants';
import { accountRoutes, addParentBodySchema } from '@haris/contract/http/accounts';
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconAlertCircle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors, showFailure } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { keys } from '../../client/query-client.ts';
import { validateWith } from '../../client/validation.ts';
import { currentLanguage } from '../../i18n/i18n.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { PhotoField } from './photo-field.tsx';

export interface AddParentDialogProps {
  opened: boolean;
  onClose: () => void;
}

export function AddParentDialog({ opened, onClose }: AddParentDialogProps) {
  const { t } = useTranslation('dashboard');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('addParent.title')}>
      <AddParentForm onDone={onClose} />
    </Dialog>
  );
}

interface Values {
  name: string;
  email: string;
  phone: string;
}

function AddParentForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('dashboard');
  const client = useQueryClient();
  const [photo, setPhoto] = useState<File | null>(null);
  const [isIncomplete, setIncomplete] = useState(false);
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { name: '', email: '', phone: '' },
    // What is left out altogether has the spec's one sentence; only what was typed is judged field by field.
    validate: (values) => (isBlank(values) ? blankFields(values) : validateWith(addParentBodySchema)(values)),
  });
  const add = useMutation({
    mutationFn: (values: Values) => call(accountRoutes.createParent, { form: toFormData(values, photo) }),
    onSuccess: () => {
      notifySuccess(t('addParent.success'));
      void client.invalidateQueries({ queryKey: [keys.parents] });
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
      onSubmit={form.onSubmit(
        (values) => {
          setIncomplete(false);
          if (!add.isPending) add.mutate(values);
        },
        () => setIncomplete(isBlank(form.getValues())),
      )}
    >
      <Stack gap="md">
        <TextInput
          label={t('addParent.name')}
          required
          data-autofocus
          autoComplete="off"
          maxLength={200}
          dir="auto"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('addParent.email')}
          description={t('addParent.invitation')}
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
        <PhotoField photo={photo} onChange={setPhoto} maxBytes={PHOTO_MAX_BYTES} />
        {isIncomplete ? (
          <Alert color="clay" variant="light" icon={<IconAlertCircle size={20} />} role="alert">
            <Text size="sm">{t('addParent.required')}</Text>
          </Alert>
        ) : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onDone} disabled={add.isPending}>
            {t('addParent.cancel')}
          </Button>
          <Button type="submit" loading={add.isPending}>
            {t('addParent.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function isBlank({ name, email }: Values): boolean {
  return name.trim() === '' || email.trim() === '';
}

/** Marks the blank ones without a second sentence beside the spec's. */
function blankFields({ name, email }: Values) {
  return {
    ...(name.trim() === '' ? { name: true } : {}),
    ...(email.trim() === '' ? { email: true } : {}),
  };
}

function toFormData({ name, email, phone }: Values, photo: File | null): FormData {
  const form = new FormData();
  form.set('name', name);
  form.set('email', email);
  if (phone.trim() !== '') form.set('phone', phone);
  form.set('language', currentLanguage());
  // Last, so that the server has read the fields when the file begins.
  if (photo !== null) form.set('photo', photo);
  return form;
}
