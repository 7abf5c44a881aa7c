/** Makes or changes a role: its name, and the permissions in groups. */
import { roleRoutes } from '@haris/contract/http/roles';
import { type Permission, permissionSchema } from '@haris/contract/permissions';
import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { useCallForm } from '../../forms/use-call-form.ts';
import { useDraft } from '../../forms/use-draft.ts';
import { validateWith } from '../../forms/validation.ts';
import { PERMISSION_GROUPS, usePermissionName } from '../../roles/names.ts';
import { useMay } from '../../session/may.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import classes from './roles.module.css';

/** `id` null: a new role. */
export interface RoleDraft {
  readonly id: string | null;
  readonly name: string;
  readonly permissions: readonly Permission[];
}

export interface RoleDialogProps {
  opened: boolean;
  draft: RoleDraft;
  onClose: () => void;
}

export function RoleDialog({ opened, draft, onClose }: RoleDialogProps) {
  const { t } = useTranslation('roles');
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t(draft.id === null ? 'dialog.titleNew' : 'dialog.titleChange')}
      size="xl"
    >
      <RoleForm draft={draft} onDone={onClose} />
    </Dialog>
  );
}

function RoleForm({ draft, onDone }: { draft: RoleDraft; onDone: () => void }) {
  const { t } = useTranslation('roles');
  const client = useQueryClient();
  const may = useMay();
  const nameOf = usePermissionName();
  const { id } = draft;
  const [permissions, setPermissions] = useState(draft.permissions);
  const complete = ({ name }: { name: string }) => ({ name, permissions: [...permissions] });
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: { name: draft.name },
    draft: { key: `role:${id ?? ''}`, fields: { name: z.string() } },
    validate: (values) => validateWith(roleRoutes.createRole.body)(complete(values)),
    send: (values) =>
      id === null
        ? call(roleRoutes.createRole, { body: complete(values) })
        : call(roleRoutes.updateRole, { params: { id }, body: complete(values) }),
    onSuccess: () => {
      notifySuccess(t(id === null ? 'dialog.made' : 'dialog.saved'));
      void client.invalidateQueries({ queryKey: [keys.admins] });
      onDone();
    },
  });
  useDraft<{ permissions: readonly Permission[] }>(
    { key: `permissions:${id ?? ''}`, fields: { permissions: z.array(permissionSchema) } },
    {
      now: () => ({ permissions }),
      before: () => ({ permissions: draft.permissions }),
      restore: (typed) => setPermissions((before) => typed.permissions ?? before),
    },
  );
  const isEmpty = permissions.length === 0 && form.errors.permissions !== undefined;
  const toggle = (permission: Permission, isOn: boolean) =>
    setPermissions((chosen) => (isOn ? [...chosen, permission] : chosen.filter((one) => one !== permission)));
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <TextInput
          label={t('dialog.name')}
          description={t('dialog.nameHint')}
          required
          data-autofocus
          autoComplete="off"
          dir="auto"
          maxLength={100}
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <div className={classes.fields}>
          {PERMISSION_GROUPS.map(([group, offered]) => (
            <fieldset key={group} className={classes.group}>
              <legend>{t(`group.${group}`)}</legend>
              <Stack gap={8}>
                {offered.map((permission) => (
                  <Checkbox
                    key={permission}
                    label={nameOf(permission)}
                    description={may(permission) ? undefined : t('dialog.lacking')}
                    disabled={!may(permission) && !permissions.includes(permission)}
                    checked={permissions.includes(permission)}
                    onChange={({ currentTarget: { checked } }) => toggle(permission, checked)}
                  />
                ))}
              </Stack>
            </fieldset>
          ))}
        </div>
        <Text size="sm" role="status" c={isEmpty ? 'var(--mantine-color-error)' : 'dimmed'}>
          {isEmpty ? t('dialog.chooseOne') : t('dialog.chosen', { count: permissions.length })}
          {id === null ? null : ` · ${t('dialog.atOnce')}`}
        </Text>
        <FormButtons
          cancel={t('dialog.cancel')}
          submit={t(id === null ? 'dialog.submitNew' : 'dialog.submitChange')}
          onCancel={onDone}
          isBusy={isBusy}
        />
      </Stack>
    </form>
  );
}
