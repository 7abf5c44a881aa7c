/** A barred person at the desk: who serves there, what to do, the way to the child, and on request who is barred. */
import { Button, Text } from '@mantine/core';
import { IconUser, IconUserCancel } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BarredList } from '../../../barred/barred-list.tsx';
import { useOpenChild } from '../../../child/child-link.tsx';
import { useMay } from '../../../session/may.ts';
import classes from './danger-dialog.module.css';
import type { BarredDanger } from './shown-danger.ts';

export interface BarredDetailsProps {
  danger: BarredDanger;
  /** The sheet of the child opens below the dialog. */
  onMinimise: () => void;
}

export function BarredDetails({ danger: { child, atDesk }, onMinimise }: BarredDetailsProps) {
  const { t } = useTranslation(['emergency', 'incidents']);
  const may = useMay();
  const openChild = useOpenChild();
  // The person may be looking at this screen, so staff show and hide the names; the ledger records it.
  const [isShown, setShown] = useState(false);
  return (
    <>
      {atDesk === null ? null : <Text fw={600}>{t('barred.atDesk', { name: `\u2068${atDesk}\u2069` })}</Text>}
      <Text>{t('barred.todo')}</Text>
      {child === null ? null : (
        <>
          <div className={classes.ways}>
            {may('barred.view') ? (
              <Button
                variant="default"
                size="md"
                leftSection={<IconUserCancel size={18} aria-hidden />}
                onClick={() => setShown(!isShown)}
              >
                {t(isShown ? 'barred.hide' : 'barred.show')}
              </Button>
            ) : null}
            {may('families.view') ? (
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
          </div>
          {may('barred.view') && isShown ? <BarredList child={child} /> : null}
        </>
      )}
    </>
  );
}
