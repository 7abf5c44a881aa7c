/** The staff's sidebar: a rail beside every screen from 768 px, which folds to icons. */
import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import {
  IconDoorEnter,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconLogout,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { dialogs } from '../../features/dashboard/dialogs.ts';
import { useLogout } from '../../session/logout.ts';
import { useMayRegisterEntry } from '../../session/may.ts';
import { EmergencySlot } from './emergency-slot.tsx';
import { FacilityChooser } from './facility-chooser.tsx';
import classes from './rail.module.css';
import { RAIL_FOLDED_KEY } from './rail-folded.ts';
import { StaffList } from './staff-list.tsx';

/** This device remembers whether it is folded. */
export function StaffRail() {
  const { t } = useTranslation('frame');
  const [isFolded, setFolded] = useLocalStorage({
    key: RAIL_FOLDED_KEY,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const logout = useLogout();
  const mayEnter = useMayRegisterEntry();
  const label = isFolded ? t('rail.expand') : t('rail.collapse');
  const Icon = isFolded ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <nav className={classes.rail} aria-label={t('rail.label')} data-compact={isFolded || undefined}>
      <FacilityChooser compact={isFolded} />
      <div className={classes.head}>
        {mayEnter ? (
          <Tooltip label={t('entry.registerEntry')} position="right" openDelay={200} disabled={!isFolded}>
            <UnstyledButton
              className={classes.item}
              onClick={dialogs.registerEntry}
              mod={{ compact: isFolded, main: true }}
            >
              <span className={classes.icon} aria-hidden="true">
                <IconDoorEnter />
              </span>
              <span className={classes.label}>{t('entry.registerEntry')}</span>
            </UnstyledButton>
          </Tooltip>
        ) : null}
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
      </div>
      <div className={classes.scrolling}>
        <StaffList compact={isFolded} />
      </div>
      <div className={classes.foot}>
        <EmergencySlot place="rail" hasRail isFolded={isFolded} />
        <Tooltip label={t('entry.logout')} position="right" openDelay={200} disabled={!isFolded}>
          <UnstyledButton className={classes.item} onClick={() => void logout()} mod={{ compact: isFolded }}>
            <span className={classes.icon} aria-hidden="true">
              <IconLogout className={classes.mirror ?? ''} />
            </span>
            <span className={classes.label}>{t('entry.logout')}</span>
          </UnstyledButton>
        </Tooltip>
      </div>
    </nav>
  );
}
