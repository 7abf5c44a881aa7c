/** The button that opens the search over everything, in the header of every staff screen. */
import { UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { palette } from '../../features/dashboard/search/palette-store.ts';
import { Keys } from '../../keys/keys.tsx';
import { useSession } from '../../session/session.tsx';
import { isWorkingStaff } from '../../session/working-staff.ts';
import classes from './palette-slot.module.css';

/** Renders nothing for staff who are still setting up their account, because the search could not open any screen. */
export function PaletteSlot() {
  const { t } = useTranslation('frame');
  const { admin } = useSession();
  if (!isWorkingStaff(admin.identity)) return null;
  return (
    <UnstyledButton
      className={classes.button}
      onClick={palette.open}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
    >
      <IconSearch size={20} aria-hidden />
      <span className={classes.label}>{t('search')}</span>
      <span className={classes.keys} aria-hidden="true">
        <Keys keys="mod+k" />
      </span>
    </UnstyledButton>
  );
}
