/** Link from a screen to its parent screen, the first of its actions. */
import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'react-router';
import classes from './back-link.module.css';

export interface BackLinkProps {
  to: string;
  /** Names the target. */
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
