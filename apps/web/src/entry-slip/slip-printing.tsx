/** The inside of a dialog that prints slips: a preview, the paper size, and the browser's print dialog. */
import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconInfoCircle, IconPrinter } from '@tabler/icons-react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useCareSigns } from '../care/queries.ts';
import { localeOf } from '../i18n/locale.ts';
import classes from './slip.module.css';
import { Slip, type SlipChild } from './slip.tsx';

const PAPERS = ['label', 'page'] as const;
type Paper = (typeof PAPERS)[number];

function toPaper(kept: string | undefined): Paper {
  return PAPERS.find((paper) => paper === kept) ?? 'label';
}

export interface SlipPrintingProps {
  /** Children in order of check-in, one slip each. They are neither stored nor part of an address. */
  items: readonly SlipChild[];
  onClose: () => void;
}

export function SlipPrinting({ items, onClose }: SlipPrintingProps) {
  const { t, i18n } = useTranslation('entry-slip');
  const [paper, setPaper] = useLocalStorage<Paper>({
    key: 'haris.slip-paper',
    defaultValue: 'label',
    getInitialValueInEffect: false,
    // Stored on this device, possibly by an older version.
    deserialize: toPaper,
    serialize: String,
  });
  const { signs, onSlip } = useCareSigns();
  const allergiesOf = ({ _id }: SlipChild) => (onSlip ? (signs.get(_id)?.allergies ?? []) : []);
  const list = new Intl.ListFormat(localeOf(i18n.language));
  // While an adult is barred from taking a child, only the answer to its check-in has the code that proves a hand-over.
  const copies = items.filter(({ slipCode }) => slipCode === undefined);
  const slips = items.map((child) => <Slip key={child._id} child={child} allergies={allergiesOf(child)} />);
  return (
    <Stack gap="md">
      <div>
        <Text size="md" fw={500} id="slip-paper" mb={4}>
          {t('paper')}
        </Text>
        <SegmentedControl
          fullWidth
          size="sm"
          aria-labelledby="slip-paper"
          data={PAPERS.map((one) => ({ value: one, label: t(`papers.${one}`) }))}
          value={paper}
          onChange={(value) => setPaper(toPaper(value))}
        />
      </div>
      {copies.length > 0 && (
        <Alert color="saffron" icon={<IconInfoCircle aria-hidden />}>
          {t('copy', { names: list.format(copies.map(({ name }) => `\u2068${name}\u2069`)) })}
        </Alert>
      )}
      <div className={classes.preview}>{slips}</div>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
        <Button data-autofocus leftSection={<IconPrinter size={18} aria-hidden />} onClick={() => print()}>
          {t('print')}
        </Button>
      </Group>
      {createPortal(
        <div className={classes.sheet} data-print-sheet data-paper={paper} aria-hidden="true">
          {slips}
        </div>,
        document.body,
      )}
    </Stack>
  );
}
