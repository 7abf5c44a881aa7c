/** One employee: who, and the way out. */
import type { Admin } from '@haris/contract/objects';
import { Badge, Button, Group, Text, Tooltip } from '@mantine/core';
import { IconId, IconMailExclamation, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { InitialsAvatar } from '../../ui/initials-avatar.tsx';
import classes from './employees.module.css';
import { lastDigits } from './national-id.ts';

export interface EmployeeCardProps {
  employee: Admin;
  /** The account of whoever is looking: it cannot be deleted. */
  isOwn: boolean;
  onDelete: (employee: Admin) => void;
}

export function EmployeeCard({ employee, isOwn, onDelete }: EmployeeCardProps) {
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
        <DeleteButton employee={employee} isOwn={isOwn} onDelete={onDelete} />
      </div>
    </li>
  );
}

/** For the own account it stays reachable by keyboard and says why it does nothing. */
function DeleteButton({ employee, isOwn, onDelete }: EmployeeCardProps) {
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
