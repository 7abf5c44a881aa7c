/** Result of a parent's e-mail verification. */
import { Verification } from './verification.tsx';

export default function VerifyParentScreen() {
  return <Verification kind="parent" />;
}
