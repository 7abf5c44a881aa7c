/** Keys of a shortcut, labelled as on a keyboard. */
import { useTranslation } from 'react-i18next';
import classes from './key-list.module.css';

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** `keys` as in the registry: `n`, `g d`, `mod+k`. */
export function Keys({ keys }: { keys: string }) {
  const { t } = useTranslation('keys');
  const parts = keys.split(/[ +]/);
  return (
    // Keyboards name their keys from left to right in every language.
    <span dir="ltr" className={classes.keys}>
      {parts.map((part, index) => (
        <span key={part}>
          {index > 0 && keys.includes(' ') ? <span className={classes.then}>{t('then')}</span> : null}
          <kbd className={classes.key}>
            {part === 'mod' ? (isMac() ? '⌘' : 'Ctrl') : /^[a-z]$/.test(part) ? part.toUpperCase() : part}
          </kbd>
        </span>
      ))}
    </span>
  );
}
