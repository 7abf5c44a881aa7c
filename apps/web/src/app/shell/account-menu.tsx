/** The account's menu at the end of the header: the signed-in person, the account page, signing out, the version. */
import { ActionIcon, Popover, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconHome, IconLogout, IconUserCircle, IconUserCog } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { Photo } from '../../photos/photo.tsx';
import { useLogout } from '../../session/logout.ts';
import { useSees } from '../../session/may.ts';
import { useSession } from '../../session/session.tsx';
import { VERSION } from '../../version.ts';
import { AppearanceChoice } from '../appearance.tsx';
import classes from './account-menu.module.css';
import rail from './rail.module.css';

export function AccountMenu() {
  const { t } = useTranslation('frame');
  const { key } = useLocation();
  const [isOpen, setOpen] = useState(false);
  // Close after a link in it or after the browser's Back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the navigation is the trigger
  useEffect(() => setOpen(false), [key]);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={260}
      trapFocus
      returnFocus
      shadow="md"
      radius="md"
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={44}
          radius="md"
          aria-label={t('account.open')}
          onClick={() => setOpen(!isOpen)}
        >
          <Face />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('account.open')}>
        <Content />
      </Popover.Dropdown>
    </Popover>
  );
}

/** The own photo; a figure without one. */
function Face() {
  const { admin, parent } = useSession();
  const who = admin.identity ?? parent.identity;
  if (who === null || who.photo === null) return <IconUserCircle size={26} stroke={1.75} aria-hidden />;
  return (
    <span aria-hidden="true">
      <Photo path={who.photo} name={who.name} size={30} isEager />
    </span>
  );
}

function Content() {
  const { t } = useTranslation(['frame', 'shell']);
  const { admin, parent } = useSession();
  const logout = useLogout();
  const who = admin.identity ?? parent.identity;
  const seesFamilies = useSees('families.view');
  if (who === null) return null;
  return (
    <Stack gap="xs">
      <div className={classes.who}>
        <Text fw={600} truncate dir="auto">
          {who.name}
        </Text>
        <Text size="sm" c="dimmed" truncate dir="auto">
          {who.email}
        </Text>
      </div>
      <div>
        {seesFamilies ? (
          <Way
            to={admin.isAuthenticated ? '/adminDashboard' : '/profile'}
            icon={<IconHome />}
            label={t(admin.isAuthenticated ? 'bar.dashboard' : 'parent.home')}
          />
        ) : null}
        <Way to="/account" icon={<IconUserCog />} label={t('entry.account')} />
        <UnstyledButton className={rail.item} onClick={() => void logout()}>
          <span className={rail.icon} aria-hidden="true">
            <IconLogout className={rail.mirror ?? ''} />
          </span>
          <span className={rail.label}>{t('account.logOut')}</span>
        </UnstyledButton>
      </div>
      <div className={classes.appearance}>
        <AppearanceChoice />
      </div>
      {/* Screens of staff have no footer. */}
      <Text size="xs" c="dimmed" px="0.4rem">
        {t('shell:version', { version: VERSION })}
      </Text>
    </Stack>
  );
}

function Way({ to, icon, label }: { to: string; icon: ReactNode; label: string }) {
  return (
    <UnstyledButton component={Link} to={to} className={rail.item}>
      <span className={rail.icon} aria-hidden="true">
        {icon}
      </span>
      <span className={rail.label}>{label}</span>
    </UnstyledButton>
  );
}
