/** Layout of the sign-in screens: a card with the form, and a drawing beside it on wide screens. */
import { Button, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePublicName } from '../../start/facility-name.ts';
import { Card } from '../../ui/card.tsx';
import { useDocumentTitle } from '../../ui/document-title.ts';
import { ShelterScene } from '../../ui/shelter-scene.tsx';
import styles from './auth-frame.module.css';

export interface AuthFrameProps {
  title: string;
  lead?: string | undefined;
  /** Icon beside the title. */
  icon?: ReactNode;
  children: ReactNode;
}

/** Says whose account it is: mailed links lead here. "Back to Home" ends each of these screens (spec §2). */
export function AuthFrame({ title, lead, icon, children }: AuthFrameProps) {
  const { t } = useTranslation('common');
  useDocumentTitle(title);
  const facility = usePublicName();
  return (
    <div className={styles.frame}>
      <div className={styles.side} aria-hidden="true">
        <ShelterScene className={styles.scene} />
      </div>
      <div className={styles.content}>
        <Card p={{ base: 'lg', xs: 'xl' }} className={styles.card}>
          <Stack gap="lg">
            <Stack gap={6}>
              {facility === null ? null : (
                <Text fw={600} c="var(--mantine-color-anchor)" className={styles.facility ?? ''}>
                  <bdi>{facility}</bdi>
                </Text>
              )}
              {icon}
              <Title order={1} fz="1.75rem">
                {title}
              </Title>
              {lead === undefined ? null : <Text c="dimmed">{lead}</Text>}
            </Stack>
            {children}
          </Stack>
        </Card>
        <Button
          component={Link}
          to="/"
          variant="subtle"
          color="gray"
          c="dimmed"
          size="sm"
          leftSection={<IconArrowLeft size={16} className={styles.arrow} aria-hidden />}
        >
          {t('backToHome')}
        </Button>
      </div>
    </div>
  );
}
