/** The way back from a screen to the one above it, which stands first among a screen's actions. */
import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'react-router';
import classes from './back-link.module.css';

export interface BackLinkProps {
  to: string;
  /** Says where it leads. */
  children: string;
}

export function BackLink({ to, children }: BackLinkProps) {
  return (
    <Button
      component={Link}
      to={to}
      variant="default"
      leftSection={<IconArrowLeft size={18} className={classes.arrow ?? ''} aria-hidden />}
    >
      {children}
    </Button>
  );
}
