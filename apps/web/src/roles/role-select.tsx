/**
 * The choice of a role, with a line that says what the role is for. Roles with permissions that the chooser lacks
 * cannot be chosen.
 */
import { isBuiltInRole } from '@haris/contract/permissions';
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../calls/failure.ts';
import { useMay } from '../session/may.ts';
import { useMayEverywhere } from '../session/work.ts';
import { useRoleName } from './names.ts';
import { rolesQuery } from './queries.ts';

export interface RoleSelectProps {
  /** Id of the role. */
  value: string;
  onChange: (roleId: string) => void;
  error?: ReactNode;
  label?: string;
  /** Offers "No role", whose value is empty. */
  isOptional?: boolean;
  /** The role counts at every facility. */
  isEverywhere?: boolean;
  /** The role counts at another facility, where only the server knows the chooser's rights. */
  isElsewhere?: boolean;
}

export function RoleSelect({
  value,
  onChange,
  error,
  label,
  isOptional = false,
  isEverywhere = false,
  isElsewhere = false,
}: RoleSelectProps) {
  const { t } = useTranslation('roles');
  const may = useMay();
  const mayEverywhere = useMayEverywhere();
  const nameOf = useRoleName();
  const roles = useQuery(rolesQuery);
  const options = (roles.data?.roles ?? []).map(({ _id, name, permissions }) => ({
    value: _id,
    label: nameOf({ id: _id, name }),
    disabled: !isElsewhere && !permissions.every(isEverywhere ? mayEverywhere : may),
  }));
  if (isOptional) options.unshift({ value: '', label: t('give.none'), disabled: false });
  const isBeyond = options.some((option) => option.value === value && option.disabled);
  return (
    <Select
      label={label ?? t('give.label')}
      description={isBeyond ? t('give.beyond') : isBuiltInRole(value) ? t(`roleLead.${value}`) : undefined}
      data={options}
      value={value}
      onChange={(next) => {
        if (next !== null) onChange(next);
      }}
      allowDeselect={false}
      disabled={roles.data === undefined}
      error={roles.isError ? failureText(roles.error) : error}
      comboboxProps={{ withinPortal: true }}
    />
  );
}
