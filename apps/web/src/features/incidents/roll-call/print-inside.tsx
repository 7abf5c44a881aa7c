/** Prints everybody who is in the building now, without an evacuation. */
import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useRollCallNow } from '../api.ts';
import { entriesOf } from './roll-list.ts';
import { usePrintedRollCall } from './roll-sheet.tsx';

export function PrintInside() {
  const { t } = useTranslation('emergency');
  const { data } = useRollCallNow();
  const entries = useMemo(() => (data === undefined ? [] : entriesOf(data.rollCall, [])), [data]);
  const { print, sheet } = usePrintedRollCall(entries, null);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPrinter size={18} aria-hidden />}
        onClick={print}
        disabled={data === undefined}
      >
        {t('sheet.printInside')}
      </Button>
      {sheet}
    </>
  );
}
