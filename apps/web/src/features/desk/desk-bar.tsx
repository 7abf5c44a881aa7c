/** The bar of the person who works at a desk tablet: the name, the time left, and handing over. */
import { IconLock, IconUser } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { DESK_PATH } from '../../session/at-desk.ts';
import { signOut } from '../../session/session.tsx';
import { clearToasts } from '../../ui/toast.ts';
import styles from './desk-bar.module.css';
import { idleTime } from './desk-time.ts';
import { useDeskLock } from './use-desk-lock.ts';

export function DeskBar({ name }: { name: string }) {
  const { t } = useTranslation('desk');
  const client = useQueryClient();
  const navigate = useNavigate();
  const handOver = () =>
    signOut(client, () => {
      clearToasts();
      return navigate(DESK_PATH, { replace: true, flushSync: true });
    });
  const left = useDeskLock(idleTime(), () => void handOver());
  return (
    <aside className={styles.bar} aria-label={t('bar.label')} data-desk-bar>
      <span className={styles.name}>
        <IconUser size={18} aria-hidden />
        <bdi>{name}</bdi>
      </span>
      {left === null ? null : (
        <span className={styles.left} role="timer">
          {t('bar.left', { count: left })}
        </span>
      )}
      <button type="button" className={styles.button} onClick={() => void handOver()}>
        <IconLock size={18} aria-hidden />
        {t('bar.handOver')}
      </button>
    </aside>
  );
}
