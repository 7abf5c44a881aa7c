/** A release told later that may be wrong: in whose name, what to do, and the ways to the family and to both records. */
import { Button, Text } from '@mantine/core';
import { IconArrowsDiff, IconUser } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useOpenChild } from '../../../child/child-link.tsx';
import { useMay } from '../../../session/may.ts';
import classes from './danger-dialog.module.css';
import type { DoubtfulDanger } from './shown-danger.ts';

export interface DoubtfulDetailsProps {
  danger: DoubtfulDanger;
  /** The sheet of the child and the list open below the dialog. */
  onMinimise: () => void;
}

export function DoubtfulDetails({ danger: { child, releasedBy }, onMinimise }: DoubtfulDetailsProps) {
  const { t } = useTranslation(['emergency', 'incidents']);
  const may = useMay();
  const openChild = useOpenChild();
  return (
    <>
      {releasedBy === null ? null : (
        <Text fw={600}>{t('doubtful.by', { name: `\u2068${releasedBy}\u2069` })}</Text>
      )}
      <Text>{t('doubtful.todo')}</Text>
      <div className={classes.ways}>
        {child !== null && may('families.view') ? (
          <Button
            variant="default"
            size="md"
            leftSection={<IconUser size={18} aria-hidden />}
            onClick={() => {
              onMinimise();
              openChild(child.id);
            }}
          >
            {t('incidents:openChild', { name: `\u2068${child.name}\u2069` })}
          </Button>
        ) : null}
        {may('children.check_in') ? (
          <Button
            component={Link}
            to="/deskConflicts"
            variant="default"
            size="md"
            leftSection={<IconArrowsDiff size={18} aria-hidden />}
            onClick={onMinimise}
          >
            {t('incidents:openConflicts')}
          </Button>
        ) : null}
      </div>
    </>
  );
}
