/** Add New Parent (spec §2, §5): name and e-mail are required, phone and photo are optional. */
import { PHOTO_MAX_BYTES } from '@haris/contract/constants';
import { accountRoutes, addParentBodySchema } from '@haris/contract/http/accounts';
import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { PhotoField } from '../../../forms/photo-field.tsx';
import { type FormProblems, useCallForm } from '../../../forms/use-call-form.ts';
import { validateWith } from '../../../forms/validation.ts';
import { currentLanguage } from '../../../i18n/i18n.ts';
import { MailNote, useSendsMail } from '../../../setup/mail-note.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import { ParentFields, type ParentValues, parentDraftFields } from './parent-fields.tsx';

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

function AddParentForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('dashboard');
  const client = useQueryClient();
  const sendsMail = useSendsMail();
  const [photo, setPhoto] = useState<File | null>(null);
  const [isIncomplete, setIncomplete] = useState(false);
  const { form, onSubmit, isBusy } = useCallForm<ParentValues, unknown>({
    initialValues: { name: '', email: '', phone: '' },
    draft: { key: 'add-parent', fields: parentDraftFields },
    // A blank required field shows the specification's single message; otherwise each field is validated.
    validate: (values) => (isBlank(values) ? blankFields(values) : validateWith(addParentBodySchema)(values)),
    send: (values) => {
      setIncomplete(false);
      return call(accountRoutes.createParent, { form: toFormData(values, photo) });
    },
    onSuccess: () => {
      notifySuccess(t('addParent.success'));
      void client.invalidateQueries({ queryKey: [keys.parents] });
      onDone();
    },
    onInvalid: (values) => setIncomplete(isBlank(values)),
  });

  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <ParentFields
          form={form}
          emailHint={t(sendsMail ? 'addParent.invitation' : 'addParent.invitationKept')}
        />
        <PhotoField photo={photo} onChange={setPhoto} maxBytes={PHOTO_MAX_BYTES} />
        <MailNote to="staff" />
        {isIncomplete ? (
          <Alert color="clay" variant="light" icon={<IconAlertCircle size={20} />} role="alert">
            <Text size="sm">{t('addParent.required')}</Text>
          </Alert>
        ) : null}
        <FormButtons
          cancel={t('addParent.cancel')}
          submit={t('addParent.submit')}
          onCancel={onDone}
          isBusy={isBusy}
        />
      </Stack>
    </form>
  );
}

function isBlank({ name, email }: ParentValues): boolean {
  return name.trim() === '' || email.trim() === '';
}

/** Marks the blank fields without messages of their own, beside the specification's single message. */
function blankFields({ name, email }: ParentValues): FormProblems {
  return {
    ...(name.trim() === '' ? { name: true as const } : {}),
    ...(email.trim() === '' ? { email: true as const } : {}),
  };
}

function toFormData({ name, email, phone }: ParentValues, photo: File | null): FormData {
  const form = new FormData();
  form.set('name', name);
  form.set('email', email);
  if (phone.trim() !== '') form.set('phone', phone);
  form.set('language', currentLanguage());
  // The photo goes last, so that the server has parsed the fields when the file begins.
  if (photo !== null) form.set('photo', photo);
  return form;
}
