/** Redirects to another screen. */
import { Navigate, type NavigateProps, useLocation } from 'react-router';
import { LoadingScreen } from './loading-screen.tsx';
import styles from './redirect.module.css';

/** Like `Navigate`, but shows that the page is loading: on a slow network the other screen's code takes seconds. */
export function Redirect(props: NavigateProps) {
  const { key } = useLocation();
  return (
    <div className={styles.waiting}>
      <LoadingScreen />
      {/* `Navigate` redirects once. If Back or Forward comes in between and leads here again, it has to redirect again. */}
      <Navigate key={key} {...props} />
    </div>
  );
}
