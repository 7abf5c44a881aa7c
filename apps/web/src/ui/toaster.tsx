/**
 * Container of toasts: in the corner at the end of a wide screen, above the bottom bar on a phone. Loaded with the first
 * toast.
 */
import { useDirection } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Toaster } from 'react-hot-toast';
import { toastDurations } from './toast.ts';
import styles from './toaster.module.css';

export default function Toasts() {
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const corner = useDirection().dir === 'rtl' ? 'bottom-left' : 'bottom-right';
  return (
    <Toaster
      position={isPhone ? 'bottom-center' : corner}
      // The style sheet positions the toasts; the library's inline position would override it.
      containerStyle={NO_PLACE}
      containerClassName={styles.container ?? ''}
      toastOptions={{ ...toastDurations, className: styles.toast ?? '' }}
    />
  );
}

const NO_PLACE = { top: undefined, right: undefined, bottom: undefined, left: undefined };
