/** Checkboxes for the children of the chosen parent; children already inside are disabled. */
import type { Child } from '@haris/contract/objects';
import { Checkbox, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CareEntry } from '../../../care/care-sign.tsx';
import { Photo } from '../../../photos/photo.tsx';
import { ChangedSince } from '../proposals/changed-since.tsx';
import classes from './entry.module.css';

export interface EntryChildrenProps {
  items: readonly Child[];
  isInside: (child: Child) => boolean;
  ticked: ReadonlySet<string>;
  onTick: (childId: string, isTicked: boolean) => void;
  /** A number above `focusAnswered` moves the focus to the first enabled checkbox. */
  focusRequest: number;
  /** The last focus request that was carried out, so that a new render does not move the focus again. */
  focusAnswered: RefObject<number>;
  /** True while the children of an earlier search are shown; all checkboxes are then disabled. */
  isStale: boolean;
  /** Whether the child's photo stands large below its name. */
  hasLargePhoto: (child: Child) => boolean;
  /** What stands below a child in its card; null for nothing. */
  below: (child: Child) => ReactNode;
}

export function EntryChildren({
  items,
  isInside,
  ticked,
  onTick,
  focusRequest,
  focusAnswered,
  isStale,
  hasLargePhoto,
  below,
}: EntryChildrenProps) {
  const { t } = useTranslation('dashboard');
  const group = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (focusRequest <= focusAnswered.current) return;
    focusAnswered.current = focusRequest;
    group.current?.querySelector<HTMLInputElement>('input:enabled')?.focus();
  }, [focusRequest, focusAnswered]);

  if (items.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('entry.noChildren')}
      </Text>
    );
  }
  return (
    <Stack
      gap={6}
      ref={group}
      role="group"
      aria-labelledby="entry-children"
      className={classes.children}
      data-stale={isStale || undefined}
    >
      {items.every(isInside) ? (
        <Text size="sm" c="dimmed">
          {t('entry.allInside')}
        </Text>
      ) : null}
      {items.map((child) => {
        const inside = isInside(child);
        return (
          <div
            key={child._id}
            className={classes.card}
            data-ticked={(ticked.has(child._id) && !inside) || undefined}
          >
            <div className={classes.choosable}>
              <Checkbox
                classNames={{
                  root: classes.child ?? '',
                  body: classes.body ?? '',
                  labelWrapper: classes.label ?? '',
                }}
                aria-label={inside ? `${child.name}, ${t('entry.alreadyInside')}` : child.name}
                checked={ticked.has(child._id) && !inside}
                disabled={inside || isStale}
                onChange={(event) => onTick(child._id, event.currentTarget.checked)}
                label={
                  <Group gap="sm" wrap="nowrap">
                    {hasLargePhoto(child) ? null : <Photo name={child.name} path={child.photo} size={40} />}
                    <div>
                      <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
                        <bdi>{child.name}</bdi>
                      </Text>
                      {inside ? (
                        <Text size="xs" c="dimmed">
                          {t('entry.alreadyInside')}
                        </Text>
                      ) : null}
                      <ChangedSince child={child} />
                    </div>
                  </Group>
                }
              />
              <CareEntry child={{ id: child._id, name: child.name }} />
            </div>
            {below(child)}
          </div>
        );
      })}
    </Stack>
  );
}
