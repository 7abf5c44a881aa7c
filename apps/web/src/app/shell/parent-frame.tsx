/** The frame of parents: four links, at the lower edge of phones and in the header of wide screens. */
import { IconBell, IconHome, IconUserCircle, IconVideo } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { AccountMenu } from './account-menu.tsx';
import { Bar, BarLink } from './bar.tsx';
import type { SessionFrame } from './frame-parts.ts';
import classes from './parent-frame.module.css';

const WAYS = [
  { name: 'home', Icon: IconHome, to: '/profile' },
  { name: 'live', Icon: IconVideo, to: '/liveFeed' },
  { name: 'notifications', Icon: IconBell, to: '/notices' },
  { name: 'account', Icon: IconUserCircle, to: '/account' },
] as const;

function ParentBar() {
  const { t } = useTranslation('frame');
  return (
    <Bar label={t('bar.label')}>
      {WAYS.map(({ name, Icon, to }) => (
        <BarLink key={name} to={to} icon={<Icon />} label={t(`parent.${name}`)} />
      ))}
    </Bar>
  );
}

function ParentLinks() {
  const { t } = useTranslation('frame');
  return (
    <nav className={classes.links} aria-label={t('bar.label')}>
      {WAYS.map(({ name, Icon, to }) => (
        <NavLink key={name} to={to} className={classes.link ?? ''}>
          <Icon size={18} aria-hidden />
          {t(`parent.${name}`)}
        </NavLink>
      ))}
    </nav>
  );
}

export const parentFrame: SessionFrame = {
  Rail: null,
  Bar: ParentBar,
  HeaderLinks: ParentLinks,
  HeaderTools: () => null,
  AccountMenu,
  Companions: null,
};
