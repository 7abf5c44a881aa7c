/** A part of a sheet with its heading. */
import { Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './sheet.module.css';

export interface SectionProps {
  title: string;
  /** Beside the heading. */
  action?: ReactNode;
  children: ReactNode;
}

export function Section({ title, action, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.sectionHead}>
        <Text component="h3" id={id} size="sm" fw={600} c="dimmed">
          {title}
        </Text>
        {action}
      </div>
      {children}
    </section>
  );
}
