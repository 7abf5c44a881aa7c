/** Buttons for the ends of a stay that the facility offers besides the periods. */
import type { StayEnd, StayEndKind } from '@haris/contract/fields';
import { Button, Popover } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { useMinute } from '../../../facilities/use-minute.ts';
import { UntilForm } from '../undo/until-form.tsx';
import classes from './entry.module.css';
import type { StayEnds } from './use-stay-ends.ts';

export interface EndButtonsProps {
  ends: StayEnds;
  /** Null while a period is chosen. */
  chosen: StayEndKind | null;
  onChange: (end: StayEnd) => void;
}

/** Renders nothing where only the periods are offered. */
export function EndButtons({ ends: { kinds, momentOf }, chosen, onChange }: EndButtonsProps) {
  const { t } = useTranslation('dashboard');
  const format = useClockFormat();
  const now = useMinute();
  if (kinds.length === 0) return null;
  const labelOf = (kind: Exclude<StayEndKind, 'until'>) => {
    const at = momentOf[kind];
    return at == null
      ? t(`entry.end.${kind}`)
      : t(`entry.end.${kind}At`, { time: format.endOfStay(at, now) });
  };
  return (
    <fieldset className={classes.ends} aria-label={t('entry.end.label')}>
      {kinds.map((kind) =>
        kind === 'until' ? (
          <UntilButton key={kind} isChosen={chosen === kind} onChange={onChange} />
        ) : (
          <Button
            key={kind}
            size="sm"
            variant={chosen === kind ? 'filled' : 'default'}
            aria-pressed={chosen === kind}
            onClick={() => onChange({ kind })}
          >
            {labelOf(kind)}
          </Button>
        ),
      )}
    </fieldset>
  );
}

function UntilButton({ isChosen, onChange }: { isChosen: boolean; onChange: (end: StayEnd) => void }) {
  const { t } = useTranslation('dashboard');
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus position="top-end" shadow="md">
      <Popover.Target>
        <Button
          size="sm"
          variant={isChosen ? 'filled' : 'default'}
          aria-pressed={isChosen}
          aria-expanded={isOpen}
          onClick={() => setOpen((open) => !open)}
        >
          {t('entry.end.until')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown data-mantine-stop-propagation>
        <UntilForm
          label={t('entry.end.time')}
          hint={t('entry.end.timeHint')}
          submit={t('entry.end.choose')}
          hasFocus
          onChoose={(at) => {
            setOpen(false);
            onChange({ kind: 'until', at });
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
