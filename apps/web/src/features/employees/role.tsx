/** The roles of an employee, and the dialog that changes them. */
import type { Admin } from '@haris/contract/objects';
import { Badge, Button, Group } from '@mantine/core';
import { IconLicense } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGivenRoleName } from '../../roles/given-role.ts';
import { useMay } from '../../session/may.ts';
import { useWork } from '../../session/work.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { RoleForm } from './role-form.tsx';

/** `isOwn`: the employee is the signed-in person, and nobody may change their own role. */
export function EmployeeRole({ employee, isOwn }: { employee: Admin; isOwn: boolean }) {
  const { t } = useTranslation('roles');
  const mayManage = useMay()('staff.manage');
  const nameOf = useGivenRoleName();
  const work = useWork();
  const [isOpen, setOpen] = useState(false);
  return (
    <Group gap="xs">
      {employee.roles.map((given) => (
        <Badge
          key={given.facilityId ?? ''}
          tt="none"
          variant="light"
          color="gray"
          maw="100%"
          leftSection={<IconLicense size={14} aria-hidden />}
          attributes={{ label: { dir: 'auto' } }}
        >
          {nameOf(given)}
        </Badge>
      ))}
      {mayManage && !isOwn ? (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('give.buttonOf', { name: employee.name })}
          onClick={() => setOpen(true)}
        >
          {t(work === null ? 'give.button' : 'give.buttonAll')}
        </Button>
      ) : null}
      <Dialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t(work === null ? 'give.title' : 'give.titleFacilities', { name: employee.name })}
      >
        <RoleForm employee={employee} onDone={() => setOpen(false)} />
      </Dialog>
    </Group>
  );
}
