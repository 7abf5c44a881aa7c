/** The entries of the dashboard's menu (the five of spec §2 and our own), for the sidebar and for the drawer of small screens. */
import { Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import {
  IconBell,
  IconBellCog,
  IconCalendarStats,
  IconDeviceCctv,
  IconDoorEnter,
  IconFaceId,
  IconFileImport,
  IconFlame,
  IconHistory,
  IconHome,
  IconKey,
  IconLogout,
  IconTemperature,
  IconUserPlus,
  IconUsers,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import classes from './sidebar.module.css';

export interface SidebarItemsProps {
  /** Icons only; the names stand in tooltips and stay the accessible names. */
  compact?: boolean;
  /** Incidents that nobody has acknowledged. */
  openIncidents: number;
  onAddEmployee: () => void;
  onRegisterEntry: () => void;
  /** Where everything is invented: makes the simulated sensor hot. */
  onFireDrill: (() => void) | null;
  onLogout: () => void;
}

/** In the order of the spec; Logout stands apart at the end. */
export function SidebarItems({
  compact = false,
  openIncidents,
  onAddEmployee,
  onRegisterEntry,
  onFireDrill,
  onLogout,
}: SidebarItemsProps) {
  const { t } = useTranslation('dashboard');
  return (
    <ul className={classes.items}>
      <Item
        compact={compact}
        icon={<IconUserPlus />}
        label={t('sidebar.addEmployee')}
        onClick={onAddEmployee}
      />
      <Item compact={compact} icon={<IconUsers />} label={t('sidebar.viewEmployees')} to="/viewEmployees" />
      <Item
        compact={compact}
        icon={<IconDoorEnter />}
        label={t('sidebar.registerEntry')}
        onClick={onRegisterEntry}
        isMain
      />
      <Item
        compact={compact}
        icon={<IconBell />}
        label={t('sidebar.incidents')}
        to="/incidents"
        count={openIncidents}
        countLabel={openIncidents === 0 ? '' : t('sidebar.openIncidents', { count: openIncidents })}
      />
      <Item compact={compact} icon={<IconDeviceCctv />} label={t('sidebar.cameras')} to="/cameras" />
      <Item compact={compact} icon={<IconFaceId />} label={t('sidebar.checkFace')} to="/checkFace" />
      <Item compact={compact} icon={<IconCalendarStats />} label={t('sidebar.reports')} to="/reports" />
      <Item
        compact={compact}
        icon={<IconFileImport />}
        label={t('sidebar.importFamilies')}
        to="/importFamilies"
      />
      <Item compact={compact} icon={<IconHistory />} label={t('sidebar.auditLog')} to="/auditLog" />
      <Item compact={compact} icon={<IconTemperature />} label={t('sidebar.sensors')} to="/sensors" />
      <Item compact={compact} icon={<IconBellCog />} label={t('sidebar.notices')} to="/notices" />
      <Item compact={compact} icon={<IconKey />} label={t('sidebar.password')} to="/password" />
      {onFireDrill === null ? null : (
        <Item compact={compact} icon={<IconFlame />} label={t('sidebar.fireDrill')} onClick={onFireDrill} />
      )}
      <Item compact={compact} icon={<IconHome />} label={t('sidebar.siteOverview')} to="/overview" />
      <Item compact={compact} icon={<IconLogout />} label={t('sidebar.logout')} onClick={onLogout} last />
    </ul>
  );
}

interface ItemProps {
  compact: boolean;
  icon: ReactNode;
  label: string;
  /** What the desk does all day: it stands out. */
  isMain?: boolean;
  last?: boolean;
  /** How many wait there, shown when there are any; and the same in words. */
  count?: number;
  countLabel?: string;
  /** Where it goes; without it, it does something here. */
  to?: string;
  onClick?: () => void;
}

function Item({
  compact,
  icon,
  label,
  isMain = false,
  last = false,
  count = 0,
  countLabel = '',
  to,
  onClick,
}: ItemProps) {
  const format = useClockFormat();
  const content = (
    <>
      <span className={classes.icon} aria-hidden="true">
        {icon}
      </span>
      <span className={classes.label}>{label}</span>
      {count === 0 ? null : (
        <>
          <span className={classes.count} aria-hidden="true">
            {format.count(count)}
          </span>
          <VisuallyHidden>{countLabel}</VisuallyHidden>
        </>
      )}
    </>
  );
  const entry =
    to === undefined ? (
      <UnstyledButton className={classes.item} onClick={onClick} mod={{ compact, main: isMain }}>
        {content}
      </UnstyledButton>
    ) : (
      <UnstyledButton component={Link} to={to} className={classes.item} mod={{ compact }}>
        {content}
      </UnstyledButton>
    );
  return (
    <li className={last ? classes.last : undefined}>
      {/* A tooltip costs a slow phone more than its entry, also one that never shows. */}
      {compact ? (
        <Tooltip label={label} position="right" openDelay={200}>
          {entry}
        </Tooltip>
      ) : (
        entry
      )}
    </li>
  );
}
