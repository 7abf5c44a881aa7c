/** The list of entries in groups, for the rail and the sheet. */
import { Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useOpenAlertCount } from '../../features/incidents/api.ts';
import classes from './rail.module.css';
import { type StaffEntry, type StaffGroup, useStaffEntries } from './staff-entries.ts';

export interface StaffListProps {
  /** Shows icons only; the labels become tooltips and stay the accessible names. */
  compact?: boolean;
}

export function StaffList({ compact = false }: StaffListProps) {
  return useStaffEntries().map((group) => (
    <Group key={group.name ?? 'site'} group={group} compact={compact} />
  ));
}

function Group({ group, compact }: { group: StaffGroup; compact: boolean }) {
  const { t } = useTranslation('frame');
  const id = useId();
  return (
    <div className={classes.group}>
      {group.name === null ? null : (
        <p id={id} className={classes.groupName}>
          {t(`group.${group.name}`)}
        </p>
      )}
      <ul className={classes.items} {...(group.name === null ? {} : { 'aria-labelledby': id })}>
        {group.entries.map((entry) => (
          <Entry key={entry.name} entry={entry} compact={compact} />
        ))}
      </ul>
    </div>
  );
}

/** True if the entry's address, including its hash, is the current one. */
function useIsCurrent({ to }: StaffEntry): boolean {
  const { pathname, hash } = useLocation();
  if (to === undefined) return false;
  const [path = '', anchor] = to.split('#');
  if (path === '/adminDashboard')
    return pathname === path && hash === (anchor === undefined ? '' : `#${anchor}`);
  return pathname === path || pathname.startsWith(`${path}/`);
}

function Entry({ entry, compact }: { entry: StaffEntry; compact: boolean }) {
  const { t } = useTranslation('frame');
  const { Icon, to, act } = entry;
  const label = t(`entry.${entry.name}`);
  const isCurrent = useIsCurrent(entry);
  const place = useRef<HTMLLIElement>(null);
  // Short screens do not show all entries at once.
  useEffect(() => {
    if (isCurrent) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const content = (
    <>
      <span className={classes.icon} aria-hidden="true">
        <Icon />
      </span>
      <span className={classes.label}>{label}</span>
      {entry.name === 'alerts' ? <OpenAlerts /> : null}
    </>
  );
  const shown =
    to === undefined ? (
      <UnstyledButton className={classes.item} onClick={act} mod={{ compact }}>
        {content}
      </UnstyledButton>
    ) : (
      <UnstyledButton
        component={Link}
        to={to}
        className={classes.item}
        mod={{ compact }}
        aria-current={isCurrent ? 'page' : undefined}
      >
        {content}
      </UnstyledButton>
    );
  // Only the folded rail has tooltips: even a hidden tooltip takes a slow phone longer to render than the entry.
  return (
    <li ref={place} className={classes.place}>
      {compact ? (
        <Tooltip label={label} position="right" openDelay={200}>
          {shown}
        </Tooltip>
      ) : (
        shown
      )}
    </li>
  );
}

/** Number of unacknowledged alerts, at the end of the entry or on its icon. */
export function OpenAlerts({ isOnIcon = false }: { isOnIcon?: boolean }) {
  const { t } = useTranslation('frame');
  const format = useClockFormat();
  const { count, hasDanger } = useOpenAlertCount();
  if (count === 0) return null;
  return (
    <>
      <span
        className={isOnIcon ? classes.iconCount : classes.count}
        data-danger={hasDanger || undefined}
        aria-hidden="true"
      >
        {format.count(count)}
      </span>
      <VisuallyHidden>{t('openAlerts', { count })}</VisuallyHidden>
    </>
  );
}
