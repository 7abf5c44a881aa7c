/** The dashboard's menu: a rail that folds to icons on wide screens, part of the header's menu below 768 px. */
import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ScreenMenu } from '../../ui/screen-menu.tsx';
import { RAIL_FOLDED_KEY } from './rail-folded.ts';
import classes from './sidebar.module.css';
import { SidebarItems, type SidebarItemsProps } from './sidebar-items.tsx';

export type SidebarActions = Omit<SidebarItemsProps, 'compact'>;

/** The rail of wide screens. Whether it is folded is remembered on this device. */
export function Sidebar(actions: SidebarActions) {
  const { t } = useTranslation('dashboard');
  const [isFolded, setFolded] = useLocalStorage({ key: RAIL_FOLDED_KEY, defaultValue: false });
  const label = isFolded ? t('sidebar.expand') : t('sidebar.collapse');
  const Icon = isFolded ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <nav className={classes.rail} aria-label={t('sidebar.label')} data-compact={isFolded || undefined}>
      <Group justify={isFolded ? 'center' : 'flex-end'}>
        <Tooltip label={label} position="right" openDelay={400}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={label}
            aria-expanded={!isFolded}
            onClick={() => setFolded(!isFolded)}
          >
            <Icon size={22} stroke={1.75} className={classes.mirror ?? ''} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
      <SidebarItems {...actions} compact={isFolded} />
    </nav>
  );
}

/** The same entries in the header's menu, where there is no room for the rail: one menu, not two. */
export function SidebarInMenu(actions: SidebarActions) {
  const { t } = useTranslation('dashboard');
  return (
    <ScreenMenu>
      <nav className={classes.inMenu} aria-label={t('sidebar.label')}>
        <SidebarItems {...actions} />
      </nav>
    </ScreenMenu>
  );
}
