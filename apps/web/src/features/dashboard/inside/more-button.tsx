/** The button of a row or tile that extends the stay, moves the child or prints the entry slip, without a way over the child's sheet. */
import type { Child } from '@haris/contract/objects';
import { Button, Popover, Stack, Text } from '@mantine/core';
import { IconClockPlus, IconPrinter } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MoveButtons } from '../moves/move-buttons.tsx';
import { ExtendButtons } from '../undo/extend-buttons.tsx';
import classes from './inside.module.css';

export interface MoreButtonProps {
  child: Child;
  onPrint: (child: Child) => void;
}

/** A plain button, because there are two hundred of them; the popover is rendered while it is open. */
export function MoreButton({ child, onPrint }: MoreButtonProps) {
  const { t } = useTranslation('dashboard');
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const dropdown = useRef<HTMLDivElement>(null);
  // The popover closes when the mouse goes down outside it, so the click that follows would open it again.
  const wasOpen = useRef(false);

  function close() {
    if (dropdown.current?.contains(document.activeElement)) button.current?.focus();
    setOpen(false);
  }

  return (
    <span className={classes.moreSlot}>
      <button
        ref={button}
        type="button"
        className={classes.more}
        aria-label={t('inside.moreOf', { name: child.name })}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={t('inside.more')}
        data-more
        onPointerDown={() => {
          wasOpen.current = isOpen;
        }}
        onClick={({ detail }) => setOpen(detail === 0 ? !isOpen : !wasOpen.current)}
      >
        <IconClockPlus size={18} stroke={1.75} aria-hidden />
      </button>
      {isOpen ? (
        <Popover
          opened
          onChange={close}
          onDismiss={close}
          trapFocus
          withRoles={false}
          position="bottom-end"
          shadow="md"
          radius="md"
          width={250}
        >
          <Popover.Target>
            <span className={classes.moreAnchor} />
          </Popover.Target>
          <Popover.Dropdown
            ref={dropdown}
            role="dialog"
            aria-label={t('inside.moreOf', { name: child.name })}
          >
            <Stack gap="sm">
              <Text size="sm" fw={600} truncate dir="auto">
                {child.name}
              </Text>
              <ExtendButtons child={child} until="form" onSent={close} />
              <MoveButtons child={child} onSent={close} />
              <Button
                size="sm"
                variant="default"
                justify="flex-start"
                leftSection={<IconPrinter size={18} aria-hidden />}
                aria-label={t('inside.printSlipOf', { name: child.name })}
                onClick={() => {
                  close();
                  onPrint(child);
                }}
              >
                {t('inside.printSlip')}
              </Button>
            </Stack>
          </Popover.Dropdown>
        </Popover>
      ) : null}
    </span>
  );
}
