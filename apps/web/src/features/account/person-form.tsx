/** Form for a person's own name and photo, and a parent's phone; sends only changed fields. */
import { PHOTO_MAX_BYTES } from '@haris/contract/constants';
import { accountRoutes, updateParentBodySchema } from '@haris/contract/http/accounts';
import { staffProfileRoutes } from '@haris/contract/http/staff-profile';
import type { Admin, Parent } from '@haris/contract/objects';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { PhotoField } from '../../forms/photo-field.tsx';
import { useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { Photo } from '../../photos/photo.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { notifySuccess } from '../../ui/toast.ts';

// A type, because the form library requires an index signature, which interfaces lack.
type Details = { name: string; phone: string };

interface PersonFormProps {
  /** The current details. */
  details: Details;
  /** Whether the phone can be changed here. */
  hasPhone: boolean;
  hint: string;
  /** The current photo. */
  picture: ReactNode;
  validate: (values: Details) => Record<string, string>;
  /** Sends the changed fields; not called without a change. */
  send: (changes: Partial<Details>, photo: File | null) => Promise<unknown>;
  extra?: ReactNode;
  onDone: () => void;
}

function changesOf(details: Details, values: Details): Partial<Details> {
  const name = values.name.trim();
  const phone = values.phone.trim();
  return {
    ...(name === details.name ? {} : { name }),
    ...(phone === details.phone ? {} : { phone }),
  };
}

function formOf(changes: Partial<Details>, photo: File): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(changes)) form.set(field, value);
  // The photo goes last, so that the server has parsed the fields when the file begins.
  form.set('photo', photo);
  return form;
}

function PersonForm({ details, hasPhone, hint, picture, validate, send, extra, onDone }: PersonFormProps) {
  const { t } = useTranslation(['account', 'common']);
  const client = useQueryClient();
  const [photo, setPhoto] = useState<File | null>(null);
  const { form, onSubmit, isBusy } = useCallForm<Details, boolean>({
    initialValues: details,
    draft: { key: 'person', fields: { name: z.string(), phone: z.string() } },
    validate,
    send: async (values) => {
      const changes = changesOf(details, values);
      if (Object.keys(changes).length === 0 && photo === null) return false;
      await send(changes, photo);
      return true;
    },
    onSuccess: (isChanged) => {
      if (isChanged) notifySuccess(t('person.saved'));
      void client.invalidateQueries({ queryKey: [keys.session] });
      onDone();
    },
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
        <TextInput
          label={t('person.name')}
          aria-required
          data-autofocus
          autoComplete="name"
          maxLength={200}
          dir="auto"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        {hasPhone ? (
          <TextInput
            label={t('person.phone')}
            description={t('person.phoneHint')}
            type="tel"
            autoComplete="tel"
            dir="ltr"
            key={form.key('phone')}
            {...form.getInputProps('phone')}
          />
        ) : null}
        <PhotoField photo={photo} onChange={setPhoto} current={picture} maxBytes={PHOTO_MAX_BYTES} />
        {extra}
        <FormButtons
          cancel={t('common:cancel')}
          submit={t('person.save')}
          onCancel={onDone}
          isBusy={isBusy}
        />
      </Stack>
    </form>
  );
}

function pictureOf({ photo, name }: { photo: string | null; name: string }): ReactNode {
  return photo === null ? null : (
    <span aria-hidden="true">
      <Photo path={photo} name={name} size={64} isEager />
    </span>
  );
}

export function ParentPersonForm({ parent, onDone }: { parent: Parent; onDone: () => void }) {
  const { t } = useTranslation('account');
  const params = { id: parent._id };
  return (
    <PersonForm
      details={{ name: parent.name, phone: parent.phone ?? '' }}
      hasPhone
      hint={t('person.forParent')}
      picture={pictureOf(parent)}
      validate={validateWith(updateParentBodySchema)}
      send={(changes, photo) =>
        call(
          accountRoutes.updateParent,
          photo === null
            ? { params, body: { ...changes, phone: changes.phone } }
            : { params, form: formOf(changes, photo) },
        )
      }
      onDone={onDone}
    />
  );
}

export function StaffPersonForm({ admin, onDone }: { admin: Admin; onDone: () => void }) {
  const { t } = useTranslation('account');
  return (
    <PersonForm
      details={{ name: admin.name, phone: '' }}
      hasPhone={false}
      hint={t('person.forStaff')}
      picture={pictureOf(admin)}
      validate={validateWith(staffProfileRoutes.updateOwnProfile.body)}
      send={(changes, photo) =>
        call(
          staffProfileRoutes.updateOwnProfile,
          photo === null ? { body: changes } : { form: formOf(changes, photo) },
        )
      }
      extra={admin.photo === null ? null : <RemovePhoto onDone={onDone} />}
      onDone={onDone}
    />
  );
}

function RemovePhoto({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('account');
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call(staffProfileRoutes.removeOwnPhoto),
    onSuccess: () => {
      notifySuccess(t('person.photoRemoved'));
      onDone();
    },
    onError: (error) => showFailure(error),
    onSettled: () => client.invalidateQueries({ queryKey: [keys.session] }),
  });
  return (
    <div data-wraps>
      <Button
        variant="subtle"
        color="clay"
        leftSection={<IconTrash size={18} aria-hidden />}
        loading={remove.isPending}
        onClick={() => remove.mutate()}
      >
        {t('person.removePhoto')}
      </Button>
    </div>
  );
}
