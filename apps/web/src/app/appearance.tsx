/** Choice of light, dark or the device's colour scheme; ui/theme-provider.tsx stores it on this device. */
import { type MantineColorScheme, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { pageColors } from '../ui/theme.ts';
import styles from './appearance.module.css';

const CHOICES = [
  ['auto', IconDeviceDesktop],
  ['light', IconSun],
  ['dark', IconMoon],
] as const satisfies readonly (readonly [MantineColorScheme, unknown])[];

/** Sets the colour of the browser's own bars if the choice differs from the device's scheme. */
export function SchemeSync() {
  const { colorScheme } = useMantineColorScheme();
  useEffect(() => {
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      const own = meta.media.includes('dark') ? 'dark' : 'light';
      meta.content = pageColors[colorScheme === 'auto' ? own : colorScheme];
    }
  }, [colorScheme]);
  return null;
}

/** Icon of the current colour scheme. */
export function AppearanceIcon({ size }: { size: number }) {
  const Icon = useComputedColorScheme('light') === 'dark' ? IconMoon : IconSun;
  return <Icon size={size} aria-hidden />;
}

/** Three radio buttons side by side. */
export function AppearanceChoice() {
  const { t } = useTranslation('shell');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend>{t('appearance.title')}</legend>
      <div className={styles.options}>
        {CHOICES.map(([scheme, Icon]) => (
          <label key={scheme} className={styles.option}>
            <input
              type="radio"
              name={name}
              value={scheme}
              checked={colorScheme === scheme}
              onChange={() => setColorScheme(scheme)}
            />
            <Icon size={20} aria-hidden />
            {t(`appearance.${scheme}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
