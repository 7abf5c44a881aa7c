/** Gives an employee one role at every facility, or a role at each of them. */
import { roleRoutes } from '@haris/contract/http/roles';
import type { Admin } from '@haris/contract/objects';
import { Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { RoleSelect } from '../../roles/role-select.tsx';
import { useSession } from '../../session/session.tsx';
import { useFacilityName, useWork } from '../../session/work.ts';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { notifySuccess } from '../../ui/toast.ts';

/** Role ids by facility. */
type Chosen = Readonly<Record<string, string>>;

interface Roles {
  /** Role at every facility; null: the person has a role at each. */
  readonly everywhere: string | null;
  readonly at: Chosen;
}

function rolesOf(employee: Admin): Roles {
  const everywhere = employee.roles.find(({ facilityId }) => facilityId === null)?.roleId ?? null;
  const at = employee.roles.flatMap(({ roleId, facilityId }) =>
    facilityId === null ? [] : [[facilityId, roleId] as const],
  );
  return { everywhere, at: Object.fromEntries(at) };
}

function toBody({ everywhere, at }: Roles) {
  if (everywhere !== null) return { roles: [{ roleId: everywhere, facilityId: null }] };
  return { roles: Object.entries(at).map(([facilityId, roleId]) => ({ roleId, facilityId })) };
}

export function RoleForm({ employee, onDone }: { employee: Admin; onDone: () => void }) {
  const { t } = useTranslation('roles');
  const client = useQueryClient();
  const isEverywhere =
    useSession().admin.identity?.roles.some(({ facilityId }) => facilityId === null) ?? false;
  const [roles, setRoles] = useState(() => rolesOf(employee));
  const [isMissing, setMissing] = useState(false);
  const save = useMutation({
    mutationFn: () => call(roleRoutes.setStaffRoles, { params: { id: employee._id }, body: toBody(roles) }),
    onSuccess: () => {
      notifySuccess(t('give.saved'));
      void client.invalidateQueries({ queryKey: [keys.admins] });
      onDone();
    },
    onError: (error) => showFailure(error),
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const isEmpty = toBody(roles).roles.length === 0;
    setMissing(isEmpty);
    if (!isEmpty) save.mutate();
  };
  const first = roles.everywhere ?? Object.values(roles.at)[0] ?? 'teacher';
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        {isEverywhere ? (
          <Switch
            label={t('give.everywhere')}
            checked={roles.everywhere !== null}
            onChange={({ currentTarget: { checked } }) =>
              setRoles({ ...roles, everywhere: checked ? first : null })
            }
          />
        ) : null}
        {roles.everywhere === null ? (
          <RolesAt chosen={roles.at} onChange={(at) => setRoles({ everywhere: null, at })} />
        ) : (
          <RoleSelect
            isEverywhere
            value={roles.everywhere}
            onChange={(everywhere) => setRoles({ ...roles, everywhere })}
          />
        )}
        {isMissing ? (
          <Text size="sm" c="clay" role="alert">
            {t('give.noneGiven')}
          </Text>
        ) : null}
        <Text size="sm" c="dimmed">
          {t('give.atOnce')}
        </Text>
        <FormButtons
          cancel={t('give.cancel')}
          submit={t('give.submit')}
          onCancel={onDone}
          isBusy={save.isPending}
        />
      </Stack>
    </form>
  );
}

/** A choice for each facility where the reader works; with one facility a single one. */
function RolesAt({ chosen, onChange }: { chosen: Chosen; onChange: (chosen: Chosen) => void }) {
  const { t } = useTranslation('roles');
  const nameOf = useFacilityName();
  const work = useWork();
  const [only = 'main'] = Object.keys(chosen);
  if (work === null)
    return (
      <RoleSelect value={chosen[only] ?? 'teacher'} onChange={(roleId) => onChange({ [only]: roleId })} />
    );
  const set = (facility: string, roleId: string) => {
    const { [facility]: _before, ...others } = chosen;
    onChange(roleId === '' ? others : { ...others, [facility]: roleId });
  };
  const hasOthers = Object.keys(chosen).some((id) => !work.facilities.some(({ _id }) => _id === id));
  return (
    <>
      {work.facilities.map((facility) => (
        <RoleSelect
          key={facility._id}
          label={t('give.at', { name: nameOf(facility) })}
          isOptional
          isElsewhere={facility._id !== work.facilityId}
          value={chosen[facility._id] ?? ''}
          onChange={(roleId) => set(facility._id, roleId)}
        />
      ))}
      {hasOthers ? (
        <Text size="sm" c="dimmed">
          {t('give.others')}
        </Text>
      ) : null}
    </>
  );
}
