/** One line of the search: a child with its state, a family, or a screen, and the action beside it. */
import { Combobox, Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Keys } from '../../../keys/keys.tsx';
import { Photo } from '../../../photos/photo.tsx';
import classes from './palette.module.css';
import type { Line } from './use-palette.ts';

export interface PaletteLineProps {
  line: Line;
  /** Whether this person checks children in and out. */
  mayCheckIn: boolean;
  markedId: string | undefined;
  /** The id in the document of an option. */
  domId: (id: string) => string;
  onPoint: (id: string) => void;
}

export function PaletteLine({ line, mayCheckIn, ...options }: PaletteLineProps) {
  const { t } = useTranslation('search');
  const action = mayCheckIn ? actionOf(line, t) : null;
  return (
    <div className={classes.line} role="presentation">
      <Option id={line.id} className={classes.main ?? ''} {...options}>
        <Content line={line} />
      </Option>
      {action === null ? null : (
        <Option id={`${line.id}-act`} className={classes.action ?? ''} {...options}>
          <span aria-hidden="true">{action.label}</span>
          <span className={classes.spoken}>{action.spoken}</span>
        </Option>
      )}
    </div>
  );
}

/** Whether a line has an action beside it. The action depends on whether the child is inside, which must be known. */
export function hasAction(line: Line): boolean {
  if (line.kind === 'entry') return false;
  return line.kind === 'family' ? line.found.parent.children.length > 0 : line.isCurrent;
}

function actionOf(line: Line, t: TFunction<'search'>): { label: string; spoken: string } | null {
  if (line.kind === 'entry' || !hasAction(line)) return null;
  if (line.kind === 'family')
    return { label: t('checkIn'), spoken: t('checkInFamily', { name: line.found.parent.name }) };
  const { name, isInside } = line.found.child;
  return isInside
    ? { label: t('checkOut'), spoken: t('checkOutOf', { name }) }
    : { label: t('checkIn'), spoken: t('checkInOf', { name }) };
}

interface OptionProps extends Omit<PaletteLineProps, 'line' | 'mayCheckIn'> {
  id: string;
  className: string;
  children: ReactNode;
}

function Option({ id, markedId, domId, onPoint, className, children }: OptionProps) {
  const box = useRef<HTMLDivElement>(null);
  const isMarked = id === markedId;
  useEffect(() => {
    if (isMarked) box.current?.scrollIntoView({ block: 'nearest' });
  }, [isMarked]);
  return (
    <Combobox.Option
      ref={box}
      id={domId(id)}
      value={id}
      aria-selected={isMarked}
      className={className}
      onMouseMove={() => onPoint(id)}
    >
      {children}
    </Combobox.Option>
  );
}

function Content({ line }: { line: Line }) {
  const { t } = useTranslation('search');
  if (line.kind === 'entry') {
    const { Icon, label, keys } = line.entry;
    return (
      <>
        <span className={classes.icon} aria-hidden="true">
          <Icon size={20} />
        </span>
        <span className={classes.text}>{label}</span>
        {keys === undefined ? null : (
          <span className={classes.keys} aria-hidden="true">
            <Keys keys={keys} />
          </span>
        )}
      </>
    );
  }
  if (line.kind === 'family') {
    const { parent } = line.found;
    const names = parent.children.map(({ name }) => name).join(' · ');
    return <Person {...parent} below={names === '' ? t('noChildren') : names} />;
  }
  const { child, by } = line.found;
  const proposed = by === 'proposed' ? (child.proposal?.name ?? null) : null;
  return (
    <>
      <Person
        {...child}
        below={proposed === null ? child.parent.name : t('proposedName', { name: proposed })}
      />
      {line.isCurrent ? (
        <span className={classes.state} data-inside={child.isInside || undefined}>
          {child.isInside ? t('inside') : t('outside')}
        </span>
      ) : null}
    </>
  );
}

function Person({ name, photo, below }: { name: string; photo: string | null; below: string }) {
  return (
    <>
      <Photo name={name} path={photo} size={36} />
      <span className={classes.text}>
        <Text span size="sm" fw={500} truncate className={classes.cut} dir="auto">
          {name}
        </Text>
        <Text span size="xs" c="dimmed" truncate className={classes.cut} dir="auto">
          {below}
        </Text>
      </span>
    </>
  );
}
