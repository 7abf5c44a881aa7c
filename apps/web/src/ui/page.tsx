/** The frame of a screen below the header: width, title row, actions. */
import { Box, Container, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDocumentTitle } from './document-title.ts';
import classes from './page.module.css';

export interface PageProps {
  title: string;
  /** A sentence under the title. */
  description?: ReactNode;
  /** Buttons at the end of the title row. */
  actions?: ReactNode;
  /** Container width, Mantine size or pixels. */
  size?: 'xs' | 'sm' | 'md' | 'lg' | 'xl' | number;
  children: ReactNode;
}

/** One `h1` per screen, which also names the browser tab. */
export function Page({ title, description, actions, size = 'lg', children }: PageProps) {
  useDocumentTitle(title);
  return (
    <Container
      size={size}
      className={classes.page ?? ''}
      w="100%"
      py={{ base: 'lg', sm: 'xl' }}
      px={{ base: 'md', sm: 'lg' }}
    >
      <Group
        justify="space-between"
        align={description === undefined ? 'center' : 'flex-end'}
        gap="md"
        mb="lg"
      >
        {/* A long description wraps instead of pushing the actions to the next row. */}
        <Box flex={description === undefined ? undefined : '1 1 20rem'} miw={0}>
          <Title order={1} fz={{ base: '1.6rem', sm: '2rem' }}>
            {title}
          </Title>
          {description === undefined ? null : (
            <Text c="dimmed" mt={4}>
              {description}
            </Text>
          )}
        </Box>
        {actions === undefined ? null : (
          <Group gap="sm" maw="100%" data-wraps>
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Container>
  );
}
