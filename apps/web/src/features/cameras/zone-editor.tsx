/** Draws privacy zones over the live picture: with a pointer, and as well with the keyboard alone. */
import { type Camera, ZONES_MAX } from '@haris/contract/http/cameras';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconEyeOff, IconPlus, IconTrash } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../client/failure.ts';
import { localeOf } from '../../i18n/locale.ts';
import { Card } from '../../ui/card.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { useChangeCamera } from './api.ts';
import styles from './zone-editor.module.css';
import {
  addPoint,
  addZone,
  canAddPoint,
  canAddZone,
  canRemovePoint,
  movePoint,
  moveZone,
  type Point,
  removePoint,
  removeZone,
  type Zones,
} from './zones.ts';

/** How far an arrow key moves a corner, parts of the picture; with Shift further. */
const STEP = 0.01;
const LONG_STEP = 0.05;

export interface ZoneEditor {
  readonly isOpen: boolean;
  readonly isSaving: boolean;
  readonly zones: Zones;
  readonly chosen: number;
  readonly open: () => void;
  readonly close: () => void;
  readonly choose: (zone: number) => void;
  readonly change: (zones: Zones) => void;
  readonly save: () => void;
}

export function useZoneEditor(camera: Camera): ZoneEditor {
  const { t } = useTranslation('cameras');
  const [draft, setDraft] = useState<Zones | null>(null);
  const [chosen, setChosen] = useState(0);
  const change = useChangeCamera(camera._id);
  return {
    isOpen: draft !== null,
    isSaving: change.isPending,
    zones: draft ?? camera.zones,
    chosen,
    open: () => {
      setDraft(camera.zones.length === 0 ? addZone([]) : camera.zones);
      setChosen(0);
    },
    close: () => setDraft(null),
    choose: setChosen,
    change: setDraft,
    save: () => {
      if (draft === null || change.isPending) return;
      change.mutate(
        { zones: draft.map((zone) => [...zone]) },
        {
          onSuccess: () => {
            notifySuccess(t('zones.saved'));
            setDraft(null);
          },
          onError: (error) => showFailure(error),
        },
      );
    },
  };
}

/** Corners and areas, in the coordinates of the picture. */
export function ZoneLayer({ editor }: { editor: ZoneEditor }) {
  const layer = useRef<HTMLDivElement>(null);
  const { zones, chosen, choose, change } = editor;

  /** Where a pointer is in the picture. */
  function pointOf(event: PointerEvent): Point {
    const box = layer.current?.getBoundingClientRect();
    if (box === undefined) return [0, 0];
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  }

  return (
    <div className={styles.layer} ref={layer}>
      <svg className={styles.areas} viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        {zones.map((zone, at) => (
          <ZoneArea
            // biome-ignore lint/suspicious/noArrayIndexKey: a zone is its place in the list
            key={at}
            points={zone}
            isChosen={at === chosen}
            pointOf={pointOf}
            onChoose={() => choose(at)}
            onMove={(by) => change(moveZone(zones, at, by))}
          />
        ))}
      </svg>
      {zones.map((zone, at) =>
        at === chosen
          ? zone.map((point, corner) => (
              <Corner
                // biome-ignore lint/suspicious/noArrayIndexKey: a corner is its place in the zone
                key={corner}
                editor={editor}
                zone={at}
                corner={corner}
                point={point}
                pointOf={pointOf}
              />
            ))
          : null,
      )}
    </div>
  );
}

interface ZoneAreaProps {
  points: readonly Point[];
  isChosen: boolean;
  pointOf: (event: PointerEvent) => Point;
  onChoose: () => void;
  onMove: (by: Point) => void;
}

function ZoneArea({ points, isChosen, pointOf, onChoose, onMove }: ZoneAreaProps) {
  const last = useRef<Point | null>(null);
  return (
    <polygon
      className={styles.area}
      data-chosen={isChosen || undefined}
      points={points.map(([x, y]) => `${x},${y}`).join(' ')}
      vectorEffect="non-scaling-stroke"
      onPointerDown={(event) => {
        onChoose();
        last.current = pointOf(event);
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (last.current === null) return;
        const here = pointOf(event);
        onMove([here[0] - last.current[0], here[1] - last.current[1]]);
        last.current = here;
      }}
      onPointerUp={() => {
        last.current = null;
      }}
      onPointerCancel={() => {
        last.current = null;
      }}
    />
  );
}

interface CornerProps {
  editor: ZoneEditor;
  zone: number;
  corner: number;
  point: Point;
  pointOf: (event: PointerEvent) => Point;
}

/** Arrows move it, Enter puts a corner after it, Delete takes it out. Left is left in a picture, in every language. */
function Corner({ editor, zone, corner, point: [x, y], pointOf }: CornerProps) {
  const { t, i18n } = useTranslation('cameras');
  const isHeld = useRef(false);
  const { zones, change } = editor;
  const percent = new Intl.NumberFormat(localeOf(i18n.language), { style: 'percent' });
  const number = new Intl.NumberFormat(localeOf(i18n.language));

  function onKeyDown(event: KeyboardEvent): void {
    const step = event.shiftKey ? LONG_STEP : STEP;
    const moves: Readonly<Record<string, Point>> = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    };
    const move = moves[event.key];
    if (move !== undefined) change(movePoint(zones, zone, corner, [x + move[0], y + move[1]]));
    else if (event.key === 'Enter') change(addPoint(zones, zone, corner));
    else if (event.key === 'Delete' || event.key === 'Backspace') change(removePoint(zones, zone, corner));
    else return;
    event.preventDefault();
  }

  return (
    <button
      type="button"
      className={styles.corner}
      style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
      aria-label={t('zones.corner', { corner: number.format(corner + 1), zone: number.format(zone + 1) })}
      aria-description={t('zones.place', { x: percent.format(x), y: percent.format(y) })}
      aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Enter Delete"
      onKeyDown={onKeyDown}
      onDoubleClick={() => change(addPoint(zones, zone, corner))}
      onPointerDown={(event) => {
        isHeld.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (isHeld.current) change(movePoint(zones, zone, corner, pointOf(event)));
      }}
      onPointerUp={() => {
        isHeld.current = false;
      }}
      onPointerCancel={() => {
        isHeld.current = false;
      }}
    />
  );
}

/** What is beside the picture: the zones by number, and what can be done with the chosen one. */
export function ZoneControls({ editor, hasPicture }: { editor: ZoneEditor; hasPicture: boolean }) {
  const { t } = useTranslation('cameras');
  const { zones, isOpen } = editor;
  return (
    <Card component="section" aria-labelledby="zones-title">
      <Title order={2} id="zones-title" fz="h4" mb="xs">
        {t('zones.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('zones.about')}
      </Text>
      {isOpen ? (
        <EditControls editor={editor} />
      ) : (
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{t('zones.count', { count: zones.length })}</Text>
          <Button
            size="sm"
            variant="light"
            leftSection={<IconEyeOff size={18} aria-hidden />}
            disabled={!hasPicture}
            onClick={editor.open}
          >
            {t('zones.edit')}
          </Button>
          {hasPicture ? null : (
            <Text size="sm" c="dimmed">
              {t('zones.needsPicture')}
            </Text>
          )}
        </Stack>
      )}
    </Card>
  );
}

function EditControls({ editor }: { editor: ZoneEditor }) {
  const { t, i18n } = useTranslation('cameras');
  const { zones, chosen, choose, change } = editor;
  const zone = zones[chosen];
  const last = zone === undefined ? 0 : zone.length - 1;
  const number = new Intl.NumberFormat(localeOf(i18n.language));
  return (
    <Stack gap="sm">
      <Text size="sm">{t('zones.how')}</Text>
      <fieldset className={styles.zones}>
        <legend className={styles.legend}>{t('zones.choose')}</legend>
        <Group gap="xs">
          {zones.map((_, at) => (
            <Button
              // biome-ignore lint/suspicious/noArrayIndexKey: a zone is its place in the list
              key={at}
              size="compact-md"
              variant={at === chosen ? 'filled' : 'default'}
              aria-pressed={at === chosen}
              onClick={() => choose(at)}
            >
              {t('zones.zone', { number: number.format(at + 1) })}
            </Button>
          ))}
          <Button
            size="compact-md"
            variant="light"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={!canAddZone(zones)}
            onClick={() => {
              change(addZone(zones));
              choose(zones.length);
            }}
          >
            {t('zones.add')}
          </Button>
        </Group>
      </fieldset>
      {canAddZone(zones) ? null : <Text size="sm">{t('zones.full', { count: ZONES_MAX })}</Text>}
      {zone === undefined ? null : (
        <Group gap="xs">
          <Button
            size="compact-md"
            variant="default"
            disabled={!canAddPoint(zone)}
            onClick={() => change(addPoint(zones, chosen, last))}
          >
            {t('zones.addCorner')}
          </Button>
          <Button
            size="compact-md"
            variant="default"
            disabled={!canRemovePoint(zone)}
            onClick={() => change(removePoint(zones, chosen, last))}
          >
            {t('zones.removeCorner')}
          </Button>
          <Button
            size="compact-md"
            variant="subtle"
            color="clay"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => {
              change(removeZone(zones, chosen));
              choose(Math.max(0, chosen - 1));
            }}
          >
            {t('zones.remove')}
          </Button>
        </Group>
      )}
      <Group justify="flex-end" gap="sm">
        <Button size="sm" variant="default" onClick={editor.close} disabled={editor.isSaving}>
          {t('cancel')}
        </Button>
        <Button size="sm" onClick={editor.save} loading={editor.isSaving}>
          {t('zones.save')}
        </Button>
      </Group>
    </Stack>
  );
}
