/** Result of a member of staff's e-mail verification. */
import { Verification } from './verification.tsx';

export default function VerifyAdminScreen() {
  return <Verification kind="admin" />;
}
