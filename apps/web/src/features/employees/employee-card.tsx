/** One employee, with the delete button. */
import type { Admin } from '@haris/contract/objects';
import { Badge, Button, Group, Text, Tooltip } from '@mantine/core';
import { IconId, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Photo } from '../../photos/photo.tsx';
import { useMay } from '../../session/may.ts';
import { CorrectEmail } from './email-form.tsx';
import classes from './employees.module.css';
import { EmployeeLinks } from './links.tsx';
import { lastDigits } from './national-id.ts';
import { NotVerified } from './not-verified.tsx';
import { EmployeeRole } from './role.tsx';
import { SecondFactor } from './second-factor.tsx';

export interface EmployeeCardProps {
  employee: Admin;
  /** Actions in the card of the signed-in account, which cannot be deleted. Null for other accounts. */
  ownAccount: ReactNode;
  onDelete: (employee: Admin) => void;
}

export function EmployeeCard({ employee, ownAccount, onDelete }: EmployeeCardProps) {
  const isOwn = ownAccount !== null;
  const { t } = useTranslation('employees');
  const mayManage = useMay()('staff.manage');
  const digits = lastDigits(employee.nationalId);
  return (
    <li className={classes.card}>
      <div className={classes.who}>
        <Photo path={employee.photo} name={employee.name} size={48} />
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
          {employee.pendingEmail === undefined ? null : (
            <Text size="sm" className={classes.name}>
              {t('email.pending', { email: `\u2066${employee.pendingEmail}\u2069` })}
            </Text>
          )}
        </div>
      </div>
      <Group gap={6} c="dimmed" wrap="nowrap">
        <IconId size={18} aria-hidden />
        <Text size="sm">
          {digits === null ? t('noNationalId') : `${t('nationalId')} ${t('nationalIdEnding', { digits })}`}
        </Text>
      </Group>
      <EmployeeRole employee={employee} isOwn={isOwn} />
      {employee.emailVerified ? null : <NotVerified employee={employee} />}
      <SecondFactor employee={employee} isOwn={isOwn} />
      <div className={classes.actions}>
        {ownAccount}
        {mayManage ? <CorrectEmail employee={employee} /> : null}
        {mayManage && !isOwn ? <EmployeeLinks employee={employee} /> : null}
        {mayManage ? <DeleteButton employee={employee} isOwn={isOwn} onDelete={onDelete} /> : null}
      </div>
    </li>
  );
}

/** For the person's own account the button stays focusable and explains why it is disabled. */
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
