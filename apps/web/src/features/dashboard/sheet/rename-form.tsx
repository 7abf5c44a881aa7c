/** Corrects a child's name, birth date and home room. */

import { birthDateSchema, nameSchema } from '@haris/contract/fields';
import { childRoutes } from '@haris/contract/http/children';
import type { Child } from '@haris/contract/objects';
import { NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { useRooms } from '../../../calls/rooms.ts';
import { useCallForm } from '../../../forms/use-call-form.ts';
import { validateWith } from '../../../forms/validation.ts';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import { showChild } from '../lists/show-child.ts';
import classes from './sheet.module.css';

const schema = z.object({ name: nameSchema, birthDate: birthDateSchema });
const draftFields = { name: z.string(), birthDate: z.string(), homeRoomId: z.string() };

export interface RenameFormProps {
  child: Child;
  onDone: () => void;
}

export function RenameForm({ child, onDone }: RenameFormProps) {
  const { t } = useTranslation(['child', 'common']);
  const client = useQueryClient();
  const rooms = useRooms().data ?? [];
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: { name: child.name, birthDate: child.birthDate ?? '', homeRoomId: child.homeRoomId ?? '' },
    draft: { key: `child:${child._id}`, fields: draftFields },
    validate: validateWith(schema),
    send: ({ name, birthDate, homeRoomId }) => {
      const others = {
        ...(birthDate === (child.birthDate ?? '') ? {} : { birthDate }),
        ...(homeRoomId === (child.homeRoomId ?? '') ? {} : { homeRoomId }),
      };
      // To send a name confirms it, so the shown one goes along only if nothing else was changed.
      const isNameMeant = name !== child.name || Object.keys(others).length === 0;
      const body = { ...(isNameMeant ? { name } : {}), ...others };
      return call(childRoutes.updateChild, { params: { id: child._id }, body });
    },
    onSuccess: ({ child: renamed }) => {
      notifySuccess(t('rename.done'));
      showChild(client, renamed);
      void client.invalidateQueries({ queryKey: [keys.children] });
      void client.invalidateQueries({ queryKey: [keys.parents] });
      onDone();
    },
  });
  return (
    <form noValidate onSubmit={onSubmit} className={classes.form}>
      <TextInput
        label={t('rename.label')}
        required
        data-autofocus
        autoFocus
        autoComplete="off"
        maxLength={200}
        dir="auto"
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <TextInput
        type="date"
        label={t('rename.birthDate')}
        description={t('rename.birthDateHint')}
        autoComplete="off"
        key={form.key('birthDate')}
        {...form.getInputProps('birthDate')}
      />
      {rooms.length < 2 ? null : (
        <NativeSelect
          label={t('rename.homeRoom')}
          description={t('rename.homeRoomHint')}
          data={[
            { value: '', label: t('rename.defaultRoom') },
            ...rooms.map(({ _id, name }) => ({ value: _id, label: name })),
          ]}
          key={form.key('homeRoomId')}
          {...form.getInputProps('homeRoomId')}
        />
      )}
      <FormButtons cancel={t('common:cancel')} submit={t('save')} onCancel={onDone} isBusy={isBusy} />
    </form>
  );
}
