/** Leads to another screen. Knows nobody's rights. */
import { Navigate, type NavigateProps } from 'react-router';
import { LoadingScreen } from './loading-screen.tsx';
import styles from './redirect.module.css';

/** `Navigate`, which shows nothing until the other screen's code has come: on a slow network that is for seconds. */
export function Redirect(props: NavigateProps) {
  return (
    <div className={styles.waiting}>
      <LoadingScreen />
      <Navigate {...props} />
    </div>
  );
}
