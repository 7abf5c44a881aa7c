/** The frame of a sheet: at the side of a wide screen, over the whole of a phone; closes on Escape and beside it. */
import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useReturnFocus } from '../../../ui/use-return-focus.ts';
import classes from './sheet.module.css';

export interface SheetFrameProps {
  opened: boolean;
  onClose: () => void;
  /** Accessible name, and the heading of the sheet. */
  title: string;
  /** The button that starts an evacuation: the sheet covers the one of the page. */
  evacuate: ReactNode;
  children: ReactNode;
}

/** From this width on the sheet is at the side (spec §9: the same width as the mobile layout of the sidebar). */
const WIDE = '(min-width: 48em)';

/** Selectors of everything that may cover the sheet: its own dialogs, alerts, the search. */
const OTHER_DIALOGS = '[role="dialog"], [role="alertdialog"], dialog[open]';

/**
 * Closes the sheet on Escape, unless another dialog is open. Listens before the dialogs that the sheet opens, so that
 * one press of Escape closes only one of them.
 */
function useEscape(opened: boolean, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    if (!opened) return;
    const whenPressed = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.getAttribute('data-mantine-stop-propagation') === 'true') return;
      const others = [...document.querySelectorAll(OTHER_DIALOGS)].filter(
        (dialog) => dialog.closest('[data-sheet]') === null,
      );
      if (others.length === 0) close.current();
    };
    window.addEventListener('keydown', whenPressed, { capture: true });
    return () => window.removeEventListener('keydown', whenPressed, { capture: true });
  }, [opened]);
}

export function SheetFrame({ opened, onClose, title, evacuate, children }: SheetFrameProps) {
  const { t } = useTranslation('common');
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  useReturnFocus(opened, true);
  useEscape(opened, onClose);
  return (
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      position={isWide ? 'right' : 'bottom'}
      size={isWide ? '30rem' : '100%'}
      padding={0}
      // Not as a class of the content: the library gives that to the frame around it, too, and the sheet would stand in a corner.
      classNames={{ content: classes.content ?? '' }}
      // Below the dialogs that it opens, which have 200.
      zIndex={190}
      closeOnEscape={false}
      returnFocus={false}
      attributes={{ root: { 'data-sheet': true }, header: { role: 'presentation' } }}
    >
      <Drawer.Overlay backgroundOpacity={0.4} />
      <Drawer.Content>
        <Drawer.Header className={classes.head ?? ''}>
          <Drawer.Title className={classes.title ?? ''}>{title}</Drawer.Title>
          <div className={classes.tools}>
            {/* First, because the sheet opens with the focus on it, and no key may land on Evacuate unasked. */}
            <Drawer.CloseButton aria-label={t('close')} />
            {evacuate}
          </div>
        </Drawer.Header>
        <Drawer.Body className={classes.body ?? ''}>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
