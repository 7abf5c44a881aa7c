/** Links and buttons of the shell and the landing page; screens use those of the component library. */
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Link, type LinkProps } from 'react-router';
import styles from './action.module.css';

interface Look {
  /**
   * `filled` marks the main action, `light` a secondary one; `plain` has the colour of links, `quiet` the colour of
   * text.
   */
  look?: 'filled' | 'light' | 'plain' | 'quiet';
  /** Height of 42 px, 50 px for the landing page, or a square of 44 px for an icon alone. */
  size?: 'regular' | 'large' | 'square';
  /** Icons before and after the label; an icon without a label goes into `children`. */
  icon?: ReactNode;
  iconAfter?: ReactNode;
  className?: string | undefined;
}

function classOf(className: string | undefined): string {
  return [styles.action, className].filter(Boolean).join(' ');
}

function Inside({ icon, iconAfter, size, children }: Look & { children: ReactNode }) {
  if (size === 'square') return children;
  return (
    <>
      {icon}
      <span className={styles.text}>{children}</span>
      {iconAfter}
    </>
  );
}

/** A link that looks like a button. */
export function ActionLink({
  look = 'filled',
  size = 'regular',
  icon,
  iconAfter,
  className,
  children,
  ...link
}: Look & Omit<LinkProps, 'className' | 'children'> & { children: ReactNode }) {
  return (
    <Link {...link} className={classOf(className)} data-look={look} data-size={size}>
      <Inside icon={icon} iconAfter={iconAfter} size={size}>
        {children}
      </Inside>
    </Link>
  );
}

/** A button with the same looks. */
export function ActionButton({
  look = 'filled',
  size = 'regular',
  icon,
  iconAfter,
  className,
  children,
  ...button
}: Look & ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement>; children: ReactNode }) {
  return (
    <button type="button" {...button} className={classOf(className)} data-look={look} data-size={size}>
      <Inside icon={icon} iconAfter={iconAfter} size={size}>
        {children}
      </Inside>
    </button>
  );
}
