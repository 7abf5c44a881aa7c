/** Redirects to another screen. */
import { Navigate, type NavigateProps } from 'react-router';
import { LoadingScreen } from './loading-screen.tsx';
import styles from './redirect.module.css';

/** Like `Navigate`, but shows that the page is loading: on a slow network the other screen's code takes seconds. */
export function Redirect(props: NavigateProps) {
  return (
    <div className={styles.waiting}>
      <LoadingScreen />
      <Navigate {...props} />
    </div>
  );
}
