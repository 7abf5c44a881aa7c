/** Where notices appear: at a desk below the header, on a phone above what lies under the thumb. Loaded with the first of them. */
import { useMediaQuery } from '@mantine/hooks';
import { Toaster } from 'react-hot-toast';
import { toastDurations } from './toast.ts';
import styles from './toaster.module.css';

export default function Notices() {
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  return (
    <Toaster
      position={isPhone ? 'bottom-center' : 'top-center'}
      // The style sheet says where; the library's own place would overrule it.
      containerStyle={NO_PLACE}
      containerClassName={styles.container ?? ''}
      toastOptions={{ ...toastDurations, className: styles.toast ?? '' }}
    />
  );
}

const NO_PLACE = { top: undefined, right: undefined, bottom: undefined, left: undefined };
