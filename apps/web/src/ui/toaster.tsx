/** Where notices appear. Loaded with the first of them. */
import { Toaster } from 'react-hot-toast';
import { toastDurations } from './toast.ts';
import styles from './toaster.module.css';

export default function Notices() {
  return (
    <Toaster
      position="top-center"
      containerClassName={styles.container ?? ''}
      toastOptions={{ ...toastDurations, className: styles.toast ?? '' }}
    />
  );
}
