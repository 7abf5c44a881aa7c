/** Result of a staff member's e-mail verification. */
import { Verification } from './verification.tsx';

export default function VerifyAdminScreen() {
  return <Verification kind="admin" />;
}
