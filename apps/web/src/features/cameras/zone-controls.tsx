/** Controls for privacy zones, beside the picture. */
import { ZONES_MAX } from '@haris/contract/http/cameras';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconEyeOff, IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../../i18n/locale.ts';
import { Allowed } from '../../session/allowed.tsx';
import { useMay } from '../../session/may.ts';
import { Card } from '../../ui/card.tsx';
import type { ZoneEditor } from './use-zone-editor.ts';
import styles from './zone-editor.module.css';
import {
  addPoint,
  addZone,
  canAddPoint,
  canAddZone,
  canRemovePoint,
  removePoint,
  removeZone,
} from './zones.ts';

/** The zones by number, and the actions on the selected zone. */
export function ZoneControls({ editor, hasPicture }: { editor: ZoneEditor; hasPicture: boolean }) {
  const { t } = useTranslation('cameras');
  const { zones, isOpen } = editor;
  const mayManage = useMay()('cameras.manage');
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
          <Allowed to="cameras.manage">
            <Button
              size="sm"
              variant="light"
              leftSection={<IconEyeOff size={18} aria-hidden />}
              disabled={!hasPicture}
              onClick={editor.open}
            >
              {t('zones.edit')}
            </Button>
          </Allowed>
          {hasPicture || !mayManage ? null : (
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
      {zone === undefined ? null : <Text size="sm">{t('zones.how')}</Text>}
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
