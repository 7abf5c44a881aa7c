/** The place where a camera last saw the child, with a link to that camera's live picture. */
import type { Child } from '@haris/contract/objects';
import { Button, Text } from '@mantine/core';
import { IconEye, IconEyeOff, IconVideo } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { Allowed } from '../../../session/allowed.tsx';
import { Section } from './section.tsx';
import classes from './sheet.module.css';

/** Renders nothing without cameras and while the child is outside: there is nothing to know then. */
export function PlacePart({ child }: { child: Child }) {
  const { t } = useTranslation('child');
  const format = useClockFormat();
  if (!child.isInside || child.lastSeen === undefined) return null;
  const { lastSeen } = child;
  return (
    <Section title={t('place.title')}>
      <div className={classes.person}>
        {lastSeen === null ? <IconEyeOff size={20} aria-hidden /> : <IconEye size={20} aria-hidden />}
        <Text size="sm" className={classes.who}>
          {lastSeen === null ? (
            t('place.notSeen', { name: child.name })
          ) : (
            <>
              <bdi>{lastSeen.area}</bdi> · <time dateTime={lastSeen.at}>{format.timeOfDay(lastSeen.at)}</time>
            </>
          )}
        </Text>
        <Allowed to="live.watch">
          <Button
            component={Link}
            to={lastSeen === null ? '/cameras/wall' : `/cameras/${encodeURIComponent(lastSeen.cameraId)}`}
            size="sm"
            variant="subtle"
            leftSection={<IconVideo size={18} aria-hidden />}
          >
            {t('place.live')}
          </Button>
        </Allowed>
      </div>
    </Section>
  );
}
