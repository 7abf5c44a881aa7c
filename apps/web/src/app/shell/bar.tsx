/** The bar of navigation at the lower edge of phones: up to five ways within reach of the thumb. */
import { UnstyledButton } from '@mantine/core';
import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import { NavLink } from 'react-router';
import classes from './bar.module.css';

export function Bar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={classes.bar} aria-label={label} data-nav-bar>
      {children}
    </nav>
  );
}

interface Place {
  icon: ReactNode;
  label: string;
  /** A badge on the icon. */
  mark?: ReactNode;
}

function Content({ icon, label, mark }: Place) {
  return (
    <>
      <span className={classes.icon}>
        <span aria-hidden="true">{icon}</span>
        {mark}
      </span>
      <span className={classes.label}>{label}</span>
    </>
  );
}

/** The browser hears `aria-current` from the link itself. */
export function BarLink({ to, ...place }: Place & { to: string }) {
  return (
    <NavLink to={to} className={classes.place ?? ''}>
      <Content {...place} />
    </NavLink>
  );
}

export function BarButton({
  icon,
  label,
  mark,
  isMain = false,
  ...button
}: Place & { isMain?: boolean } & ComponentPropsWithoutRef<'button'>) {
  return (
    <UnstyledButton {...button} className={classes.place} mod={{ main: isMain }}>
      <Content icon={icon} label={label} mark={mark} />
    </UnstyledButton>
  );
}
