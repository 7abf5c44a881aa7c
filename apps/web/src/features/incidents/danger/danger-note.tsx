/** A parent's line about a danger where the child is, for the child's card; renders nothing without a danger. */
import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './danger-note.module.css';
import { isDangerIn, isInAir, useDangers } from './shown-danger.ts';

export interface DangerNoteProps {
  /** Areas in which the child may be; empty if unknown, and then every danger counts. */
  areas: readonly string[];
}

export function DangerNote({ areas }: DangerNoteProps) {
  const { t } = useTranslation('emergency');
  const dangers = useDangers()
    .filter(isInAir)
    .filter((danger) => areas.length === 0 || areas.some((area) => isDangerIn(danger, area)));
  if (dangers.length === 0) return null;
  return (
    <div className={classes.note} data-danger>
      <IconAlertTriangle size={22} aria-hidden />
      <div>
        {dangers.map((danger) => (
          <Text key={danger.key} fw={600}>
            {danger.area === null
              ? t(`parents.${danger.kind}`)
              : t(`parents.${danger.kind}In`, { area: danger.area })}
          </Text>
        ))}
        <Text size="sm">{t('parents.calm')}</Text>
      </div>
    </div>
  );
}
