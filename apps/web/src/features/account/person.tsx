/** The signed-in person, with a form to change name and photo. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconClock, IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Photo } from '../../photos/photo.tsx';
import { useGivenRoleName } from '../../roles/given-role.ts';
import { useSession } from '../../session/session.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import classes from './account.module.css';
import { ParentPersonForm, StaffPersonForm } from './person-form.tsx';

/** The parent's changes that wait for a decision by staff. */
const DETAILS = ['name', 'phone', 'photo'];

export function Person() {
  const { t } = useTranslation('account');
  const { admin, parent } = useSession();
  const roleName = useGivenRoleName();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const who = admin.identity ?? parent.identity;
  if (who === null) return null;
  const isStaff = admin.identity !== null;
  const waits = parent.identity?.pending.some((field) => DETAILS.includes(field)) ?? false;
  const phone = parent.identity?.phone ?? null;
  return (
    <Card>
      <div className={classes.person}>
        <Group wrap="nowrap" gap="md" miw={0} flex="1 1 14rem">
          <Photo path={who.photo} name={who.name} size={64} />
          <Stack gap={0} miw={0}>
            <Text fw={600} fz="lg" style={{ overflowWrap: 'anywhere' }}>
              <bdi>{who.name}</bdi>
            </Text>
            <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              <bdi>{who.email}</bdi>
            </Text>
            {phone === null ? null : (
              <Text c="dimmed">
                <bdi dir="ltr">{phone}</bdi>
              </Text>
            )}
            {admin.identity === null ? (
              <Text size="sm" c="dimmed">
                {t('kind.parent')}
              </Text>
            ) : (
              admin.identity.roles.map((role) => (
                <Text key={role.facilityId ?? ''} size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  <bdi>{roleName(role)}</bdi>
                </Text>
              ))
            )}
          </Stack>
        </Group>
        <Button
          variant="default"
          leftSection={<IconPencil size={18} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          {t('person.edit')}
        </Button>
      </div>
      {waits ? (
        <Group gap="xs" mt="md" wrap="nowrap" align="flex-start">
          <IconClock size={20} aria-hidden />
          <Text size="sm">{t('person.waits')}</Text>
        </Group>
      ) : null}
      <Dialog opened={isOpen} onClose={close} title={t(isStaff ? 'person.title' : 'person.titleParent')}>
        {!isOpen ? null : admin.identity !== null ? (
          <StaffPersonForm admin={admin.identity} onDone={close} />
        ) : parent.identity !== null ? (
          <ParentPersonForm parent={parent.identity} onDone={close} />
        ) : null}
      </Dialog>
    </Card>
  );
}
