/** Every entry of the staff's sidebar, in its group. The sheet of phones and the search show the same entries. */

import type { Permission } from '@haris/contract/permissions';
import {
  IconArrowsDiff,
  IconBell,
  IconBellCog,
  IconBuilding,
  IconCalendarStats,
  IconDeviceCctv,
  IconDeviceTablet,
  IconDoor,
  IconFaceId,
  IconFileImport,
  IconFlame,
  IconHistory,
  IconHome,
  IconIdBadge2,
  IconLayoutDashboard,
  IconLicense,
  IconListCheck,
  IconMailCog,
  IconSettings,
  IconTemperature,
  IconUserCircle,
  IconUserHeart,
  IconUserPlus,
  IconUsers,
  IconUsersPlus,
} from '@tabler/icons-react';
import { useMemo } from 'react';
import { dialogs } from '../../features/dashboard/dialogs.ts';
import { FAMILIES_ID } from '../../features/dashboard/families/go-to-families.ts';
import { useMay } from '../../session/may.ts';
import { useFireDrill } from './use-fire-drill.ts';

/** An entry leads to a screen (`to`) or does something at once (`act`). Its text is `frame:entry.<name>`. */
interface EntryOf<Name extends string> {
  readonly name: Name;
  readonly Icon: typeof IconHome;
  readonly to?: string;
  readonly act?: () => void;
  /** Shown only to staff with this permission. */
  readonly needs?: Permission;
  /** Marked as current at this very path only, not at paths below it. */
  readonly isExact?: boolean;
}

const GROUPS = [
  {
    name: 'today',
    entries: [
      { name: 'dashboard', Icon: IconLayoutDashboard, to: '/adminDashboard', needs: 'families.view' },
      { name: 'alerts', Icon: IconBell, to: '/incidents', needs: 'incidents.view' },
      { name: 'visitors', Icon: IconIdBadge2, to: '/visitors', needs: 'visitors.view' },
    ],
  },
  {
    name: 'families',
    entries: [
      { name: 'families', Icon: IconUserHeart, to: `/adminDashboard#${FAMILIES_ID}`, needs: 'families.view' },
      { name: 'addParent', Icon: IconUsersPlus, act: dialogs.addParent, needs: 'families.edit' },
      { name: 'importFamilies', Icon: IconFileImport, to: '/importFamilies', needs: 'families.import' },
      { name: 'checkFace', Icon: IconFaceId, to: '/checkFace', needs: 'families.edit' },
    ],
  },
  {
    name: 'rooms',
    entries: [
      { name: 'rooms', Icon: IconDoor, to: '/rooms', needs: 'rooms.view' },
      { name: 'headCounts', Icon: IconListCheck, to: '/headCounts', needs: 'children.move' },
      { name: 'cameras', Icon: IconDeviceCctv, to: '/cameras', needs: 'cameras.view' },
      { name: 'sensors', Icon: IconTemperature, to: '/sensors', needs: 'sensors.view' },
      { name: 'kiosks', Icon: IconDeviceTablet, to: '/kiosks', needs: 'kiosks.manage' },
    ],
  },
  {
    name: 'records',
    entries: [
      { name: 'attendance', Icon: IconCalendarStats, to: '/reports', needs: 'reports.view' },
      { name: 'deskConflicts', Icon: IconArrowsDiff, to: '/deskConflicts', needs: 'children.check_in' },
      { name: 'auditLog', Icon: IconHistory, to: '/auditLog', needs: 'audit.view' },
    ],
  },
  {
    name: 'settings',
    entries: [
      { name: 'settings', Icon: IconSettings, to: '/settings', needs: 'settings.view' },
      { name: 'facilities', Icon: IconBuilding, to: '/facilities', needs: 'facilities.manage' },
      { name: 'viewEmployees', Icon: IconUsers, to: '/viewEmployees', needs: 'staff.view' },
      { name: 'roles', Icon: IconLicense, to: '/roles', needs: 'staff.view' },
      { name: 'addEmployee', Icon: IconUserPlus, act: dialogs.addEmployee, needs: 'staff.manage' },
      { name: 'alertSettings', Icon: IconBellCog, to: '/alarmSettings', needs: 'settings.view' },
      { name: 'notifications', Icon: IconMailCog, to: '/notices' },
      { name: 'account', Icon: IconUserCircle, to: '/account' },
    ],
  },
] as const satisfies readonly { name: string; entries: readonly EntryOf<string>[] }[];

/** Entries outside the groups, below them. */
const SITE = { name: 'siteOverview', Icon: IconHome, to: '/overview' } as const;
const FIRE_DRILL = { name: 'fireDrill', Icon: IconFlame, needs: 'evacuation.run' } as const;

type GroupName = (typeof GROUPS)[number]['name'];
type EntryName = (typeof GROUPS)[number]['entries'][number]['name'] | 'siteOverview' | 'fireDrill';

export type StaffEntry = EntryOf<EntryName>;

export interface StaffGroup {
  /** Its text is `frame:group.<name>`; null for the entries below the groups. */
  readonly name: GroupName | null;
  readonly entries: readonly StaffEntry[];
}

/** The entries that this person may use, in their order; the fire drill exists in the demo only. */
export function useStaffEntries(): readonly StaffGroup[] {
  const startDrill = useFireDrill();
  const may = useMay();
  return useMemo(() => {
    const drill: StaffEntry[] = startDrill === null ? [] : [{ ...FIRE_DRILL, act: startDrill }];
    const all: readonly StaffGroup[] = [...GROUPS, { name: null, entries: [...drill, SITE] }];
    return all
      .map(({ name, entries }) => ({
        name,
        entries: entries.filter(({ needs }) => needs === undefined || may(needs)),
      }))
      .filter(({ entries }) => entries.length > 0);
  }, [startDrill, may]);
}
