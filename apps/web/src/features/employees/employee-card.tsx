/** One employee: who, and the way out. */
import type { Admin } from '@haris/contract/objects';
import { Badge, Button, Group, Text, Tooltip } from '@mantine/core';
import { IconId, IconMailExclamation, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { InitialsAvatar } from '../../ui/initials-avatar.tsx';
import classes from './employees.module.css';
import { lastDigits } from './national-id.ts';

export interface EmployeeCardProps {
  employee: Admin;
  /** For the account of whoever is looking, which cannot be deleted: what it can do here. Null for any other. */
  ownAccount: ReactNode;
  onDelete: (employee: Admin) => void;
}

export function EmployeeCard({ employee, ownAccount, onDelete }: EmployeeCardProps) {
  const isOwn = ownAccount !== null;
  const { t } = useTranslation('employees');
  const digits = lastDigits(employee.nationalId);
  return (
    <li className={classes.card}>
      <div className={classes.who}>
        <InitialsAvatar name={employee.name} size={48} />
        <div className={classes.text}>
          <Group gap="xs">
            <Text component="h2" fw={600} fz="md" className={classes.name}>
              <bdi>{employee.name}</bdi>
            </Text>
            {isOwn ? (
              <Badge tt="none" size="sm" variant="light">
                {t('you')}
              </Badge>
            ) : null}
          </Group>
          <Text size="sm" c="dimmed" className={classes.name}>
            <bdi>{employee.email}</bdi>
          </Text>
        </div>
      </div>
      <Group gap={6} c="dimmed" wrap="nowrap">
        <IconId size={18} aria-hidden />
        <Text size="sm">
          {digits === null ? t('noNationalId') : `${t('nationalId')} ${t('nationalIdEnding', { digits })}`}
        </Text>
      </Group>
      {employee.emailVerified ? null : (
        <Badge
          tt="none"
          color="saffron"
          variant="light"
          leftSection={<IconMailExclamation size={14} aria-hidden />}
        >
          {t('notVerified')}
        </Badge>
      )}
      <div className={classes.actions}>
        {ownAccount}
        <DeleteButton employee={employee} isOwn={isOwn} onDelete={onDelete} />
      </div>
    </li>
  );
}

/** For the own account it stays reachable by keyboard and says why it does nothing. */
function DeleteButton({
  employee,
  isOwn,
  onDelete,
}: Pick<EmployeeCardProps, 'employee' | 'onDelete'> & { isOwn: boolean }) {
  const { t } = useTranslation('employees');
  const button = (
    <Button
      size="sm"
      variant="subtle"
      color="clay"
      leftSection={<IconTrash size={17} aria-hidden />}
      aria-label={t('deleteOf', { name: employee.name })}
      {...(isOwn
        ? {
            bg: 'transparent',
            'data-disabled': true,
            'aria-disabled': true,
            'aria-description': t('ownAccount'),
          }
        : { onClick: () => onDelete(employee) })}
    >
      {t('delete')}
    </Button>
  );
  return isOwn ? (
    <Tooltip label={t('ownAccount')} events={{ hover: true, focus: true, touch: true }}>
      {button}
    </Tooltip>
  ) : (
    button
  );
}
