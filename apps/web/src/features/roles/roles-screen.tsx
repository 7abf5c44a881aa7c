/** Lists roles with their permissions and number of people; custom roles are created, changed and deleted here. */
import type { Role } from '@haris/contract/http/roles';
import { isBuiltInRole } from '@haris/contract/permissions';
import { Badge, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconCopy, IconLicense, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../calls/failure.ts';
import { PERMISSION_GROUPS, usePermissionName, useRoleName } from '../../roles/names.ts';
import { rolesQuery } from '../../roles/queries.ts';
import { useMay } from '../../session/may.ts';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { DeleteRoleDialog } from './delete-role-dialog.tsx';
import { RoleDialog, type RoleDraft } from './role-dialog.tsx';
import classes from './roles.module.css';

const NEW: RoleDraft = { id: null, name: '', permissions: [] };

export default function RolesScreen() {
  const { t } = useTranslation('roles');
  const mayManage = useMay()('roles.manage');
  const roles = useQuery(rolesQuery);
  const [open, setOpen] = useState<'none' | 'role' | 'deletion'>('none');
  // Subjects stay set after a dialog closes, because it still shows them while it fades out.
  const [draft, setDraft] = useState(NEW);
  const [doomed, setDoomed] = useState<Role | null>(null);
  const all = roles.data?.roles;
  const own = all?.filter(({ _id }) => !isBuiltInRole(_id)) ?? [];
  const edit = (next: RoleDraft) => {
    setDraft(next);
    setOpen('role');
  };
  const remove = (role: Role) => {
    setDoomed(role);
    setOpen('deletion');
  };
  const actions = mayManage ? { onEdit: edit, onDelete: remove } : null;
  return (
    <Page
      title={t('title')}
      description={t('lead')}
      size="md"
      actions={
        mayManage ? (
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => edit(NEW)}>
            {t('add')}
          </Button>
        ) : null
      }
    >
      {all === undefined ? (
        roles.isError ? (
          <ErrorState
            text={`${t('error')} ${failureText(roles.error)}`}
            onRetry={() => void roles.refetch()}
            busy={roles.isRefetching}
          />
        ) : (
          <RolesSkeleton />
        )
      ) : (
        <Stack gap="lg">
          <RoleList
            label={t('comesWithHaris')}
            roles={all.filter(({ _id }) => isBuiltInRole(_id))}
            actions={actions}
          />
          {own.length > 0 ? (
            <RoleList label={t('own')} roles={own} actions={actions} />
          ) : (
            <EmptyState icon={<IconLicense size={28} />} text={t(mayManage ? 'noneOwn' : 'mayNotManage')} />
          )}
        </Stack>
      )}
      <RoleDialog opened={open === 'role'} draft={draft} onClose={() => setOpen('none')} />
      <DeleteRoleDialog opened={open === 'deletion'} role={doomed} onClose={() => setOpen('none')} />
    </Page>
  );
}

/** Placeholder cards while the roles load. */
function RolesSkeleton() {
  const { t } = useTranslation('common');
  return (
    <Stack gap="sm" role="status" aria-label={t('loading')}>
      {['a', 'b', 'c', 'd', 'e'].map((card) => (
        <Skeleton key={card} height={92} radius="md" />
      ))}
    </Stack>
  );
}

/** Null if this person may not change roles. */
type Actions = {
  readonly onEdit: (draft: RoleDraft) => void;
  readonly onDelete: (role: Role) => void;
} | null;

function RoleList({ label, roles, actions }: { label: string; roles: readonly Role[]; actions: Actions }) {
  return (
    <section aria-label={label}>
      <Title order={2} fz="lg" mb="sm">
        {label}
      </Title>
      <ul className={classes.list}>
        {roles.map((role) => (
          <RoleCard key={role._id} role={role} actions={actions} />
        ))}
      </ul>
    </section>
  );
}

function RoleCard({ role, actions }: { role: Role; actions: Actions }) {
  const { t } = useTranslation('roles');
  const name = useRoleName()({ id: role._id, name: role.name });
  const isBuiltIn = isBuiltInRole(role._id);
  return (
    <Card component="li" className={classes.card ?? ''}>
      <Group justify="space-between" gap="sm" align="flex-start">
        <div className={classes.who}>
          <Group gap="xs">
            <Text component="h3" fw={600}>
              <bdi>{name}</bdi>
            </Text>
            <Badge tt="none" variant="light" color="gray">
              {t('members', { count: role.members })}
            </Badge>
          </Group>
          {isBuiltInRole(role._id) ? (
            <Text size="sm" c="dimmed">
              {t(`roleLead.${role._id}`)}
            </Text>
          ) : null}
        </div>
        {actions === null ? null : (
          <Group gap={4}>
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconCopy size={16} aria-hidden />}
              aria-label={t('copyOf', { name })}
              onClick={() => actions.onEdit({ id: null, name: '', permissions: role.permissions })}
            >
              {t('copy')}
            </Button>
            {isBuiltIn ? null : (
              <>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  leftSection={<IconPencil size={16} aria-hidden />}
                  aria-label={t('editOf', { name })}
                  onClick={() => actions.onEdit({ id: role._id, name, permissions: role.permissions })}
                >
                  {t('edit')}
                </Button>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="clay"
                  leftSection={<IconTrash size={16} aria-hidden />}
                  aria-label={t('deleteOf', { name })}
                  onClick={() => actions.onDelete(role)}
                >
                  {t('delete')}
                </Button>
              </>
            )}
          </Group>
        )}
      </Group>
      <Allowed role={role} />
    </Card>
  );
}

/** The permissions of a role, folded. */
function Allowed({ role }: { role: Role }) {
  const { t } = useTranslation('roles');
  const nameOf = usePermissionName();
  const groups = PERMISSION_GROUPS.map(
    ([group, permissions]) =>
      [group, permissions.filter((permission) => role.permissions.includes(permission))] as const,
  ).filter(([, permissions]) => permissions.length > 0);
  return (
    <details className={classes.allowed}>
      <summary>
        {t('show')} ·{' '}
        {role._id === 'owner' ? t('everything') : t('permissions', { count: role.permissions.length })}
      </summary>
      <dl className={classes.groups}>
        {groups.map(([group, permissions]) => (
          <div key={group}>
            <dt>{t(`group.${group}`)}</dt>
            {permissions.map((permission) => (
              <dd key={permission}>{nameOf(permission)}</dd>
            ))}
          </div>
        ))}
      </dl>
    </details>
  );
}
