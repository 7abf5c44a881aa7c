/** The list of all keys that work on this screen, by group, and the switch that turns single keys off. */
import { Stack, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../ui/dialog.tsx';
import classes from './key-list.module.css';
import { Keys } from './keys.tsx';
import { switchSingleKeys, useSingleKeysOn } from './keys-setting.ts';
import { SHORTCUT_GROUPS, type Shortcut, useShortcuts } from './shortcuts.ts';

export function KeyListDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('keys');
  const all = useShortcuts();
  const areOn = useSingleKeysOn();
  return (
    <Dialog opened={opened} onClose={onClose} title={t('title')} size="lg">
      <Stack gap="lg">
        <Switch
          data-autofocus
          checked={areOn}
          onChange={(event) => switchSingleKeys(event.currentTarget.checked)}
          label={t('singleKeys')}
          description={t('singleKeysHint')}
        />
        <div className={classes.groups}>
          {SHORTCUT_GROUPS.map((group) => (
            <Group
              key={group}
              title={t(`groups.${group}`)}
              shortcuts={all.filter((shortcut) => shortcut.group === group)}
              areSingleOn={areOn}
            />
          ))}
        </div>
      </Stack>
    </Dialog>
  );
}

interface GroupProps {
  title: string;
  shortcuts: readonly Shortcut[];
  areSingleOn: boolean;
}

function Group({ title, shortcuts, areSingleOn }: GroupProps) {
  const { t } = useTranslation('keys');
  if (shortcuts.length === 0) return null;
  const byLabel = Map.groupBy(shortcuts, ({ label }) => label);
  const isOff = (keys: string) => !areSingleOn && !keys.startsWith('mod+');
  return (
    <section className={classes.group}>
      <h3 className={classes.heading}>{title}</h3>
      <dl className={classes.list}>
        {[...byLabel].map(([label, same]) => (
          <div key={label} className={classes.row}>
            <dt>{label}</dt>
            <dd>
              {same.map(({ keys }, index) => (
                <span key={keys} data-off={isOff(keys) || undefined}>
                  {index > 0 ? <span className={classes.between}>{t('or')}</span> : null}
                  <Keys keys={keys} />
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
