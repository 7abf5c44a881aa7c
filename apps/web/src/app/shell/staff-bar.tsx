/** The staff's bar at the lower edge of phones; "More" opens a sheet with everything that the sidebar has. */
import { Drawer, UnstyledButton } from '@mantine/core';
import {
  IconBell,
  IconDeviceCctv,
  IconDoorEnter,
  IconLayoutDashboard,
  IconLogout,
  IconMenu2,
} from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { dialogs } from '../../features/dashboard/dialogs.ts';
import { useLogout } from '../../session/logout.ts';
import { useMay, useMayRegisterEntry } from '../../session/may.ts';
import { Bar, BarButton, BarLink } from './bar.tsx';
import { FacilityChooser } from './facility-chooser.tsx';
import { QuietSlot } from './quiet-slot.tsx';
import rail from './rail.module.css';
import { OpenAlerts, StaffList } from './staff-list.tsx';

export function StaffBar() {
  const { t } = useTranslation('frame');
  const [isOpen, setOpen] = useState(false);
  const may = useMay();
  const mayEnter = useMayRegisterEntry();
  return (
    <>
      <QuietSlot place="bar" />
      <Bar label={t('bar.label')}>
        {may('families.view') ? (
          <BarLink to="/adminDashboard" icon={<IconLayoutDashboard />} label={t('bar.dashboard')} />
        ) : null}
        {mayEnter ? (
          <BarButton
            icon={<IconDoorEnter />}
            label={t('bar.checkIn')}
            onClick={dialogs.registerEntry}
            isMain
          />
        ) : null}
        {may('incidents.view') ? (
          <BarLink
            to="/incidents"
            icon={<IconBell />}
            label={t('entry.alerts')}
            mark={<OpenAlerts isOnIcon />}
          />
        ) : null}
        {may('cameras.view') ? (
          <BarLink to="/cameras" icon={<IconDeviceCctv />} label={t('entry.cameras')} />
        ) : null}
        <BarButton
          icon={<IconMenu2 />}
          label={t('bar.more')}
          onClick={() => setOpen(true)}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
        />
        <MoreSheet opened={isOpen} onClose={() => setOpen(false)} />
      </Bar>
    </>
  );
}

function MoreSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation(['frame', 'common']);
  const logout = useLogout();
  const mayEnter = useMayRegisterEntry();
  const { key } = useLocation();
  // Close after a link in it or after the browser's Back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the navigation is the trigger
  useEffect(onClose, [key]);
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t('bar.sheet')}
      position="bottom"
      size="auto"
      closeButtonProps={{ 'aria-label': t('common:close') }}
      // A second `header` element would be a second banner landmark.
      attributes={{ header: { role: 'presentation' } }}
      classNames={{ content: rail.sheet ?? '', body: rail.sheetBody ?? '' }}
    >
      <FacilityChooser />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: pressing an entry with the keyboard is a click too */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: presses go to the entries inside */}
      <div onClick={onClose}>
        <nav aria-label={t('rail.label')} className={rail.sheetGroups}>
          {mayEnter ? (
            <UnstyledButton className={rail.item} onClick={dialogs.registerEntry} mod={{ main: true }}>
              <span className={rail.icon} aria-hidden="true">
                <IconDoorEnter />
              </span>
              <span className={rail.label}>{t('entry.registerEntry')}</span>
            </UnstyledButton>
          ) : null}
          <StaffList />
        </nav>
        <UnstyledButton className={rail.item} onClick={() => void logout()}>
          <span className={rail.icon} aria-hidden="true">
            <IconLogout className={rail.mirror ?? ''} />
          </span>
          <span className={rail.label}>{t('entry.logout')}</span>
        </UnstyledButton>
      </div>
    </Drawer>
  );
}
