/** How the children inside are arranged: the order, by room or not, tiles or rows. */
import { ActionIcon, Group, NativeSelect, Tooltip } from '@mantine/core';
import { IconArrowsMove, IconLayoutGrid, IconLayoutList, IconMapPin } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMayMove } from '../moves/use-move.ts';
import classes from './inside.module.css';
import type { InsideView, Look, Order } from './inside-view.ts';

export interface InsideToolsProps {
  view: InsideView;
  look: Look;
  onChange: (part: Partial<InsideView>) => void;
  /** Opens the dialog that moves several children. */
  onMove: (childIds: readonly string[]) => void;
}

export function InsideTools({ view, look, onChange, onMove }: InsideToolsProps) {
  const { t } = useTranslation('dashboard');
  const mayMove = useMayMove();
  const other = look === 'tiles' ? 'rows' : 'tiles';
  const Icon = other === 'tiles' ? IconLayoutGrid : IconLayoutList;
  return (
    <Group gap={4} wrap="nowrap">
      <NativeSelect
        size="xs"
        className={classes.order ?? ''}
        aria-label={t('inside.order.label')}
        value={view.order}
        onChange={({ currentTarget }) => onChange({ order: currentTarget.value as Order })}
        data={[
          { value: 'due', label: t('inside.order.due') },
          { value: 'name', label: t('inside.order.name') },
          { value: 'entry', label: t('inside.order.entry') },
        ]}
      />
      <Tooltip label={t('inside.byRoom')} openDelay={300}>
        <ActionIcon
          size={36}
          variant={view.byRoom ? 'light' : 'subtle'}
          color={view.byRoom ? 'pine' : 'gray'}
          aria-label={t('inside.byRoom')}
          aria-pressed={view.byRoom}
          onClick={() => onChange({ byRoom: !view.byRoom })}
        >
          <IconMapPin size={20} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {mayMove ? (
        <Tooltip label={t('move.dialog')} openDelay={300}>
          <ActionIcon
            size={36}
            variant="subtle"
            color="gray"
            aria-label={t('move.dialog')}
            aria-haspopup="dialog"
            onClick={() => onMove([])}
          >
            <IconArrowsMove size={20} stroke={1.75} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ) : null}
      <Tooltip label={t(`inside.look.${other}`)} openDelay={300}>
        <ActionIcon
          size={36}
          variant="subtle"
          color="gray"
          aria-label={t(`inside.look.${other}`)}
          onClick={() => onChange({ look: other })}
        >
          <Icon size={20} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
