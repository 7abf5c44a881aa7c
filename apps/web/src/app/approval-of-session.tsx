/** Shows the dialog while a call waits for a second person; loads the dialog's code on first use. */
import { useAwaitedApproval } from '../calls/approval.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { useLoaded } from '../ui/load-again.ts';

async function loadDialog() {
  const [dialog] = await Promise.all([import('./approval-dialog.tsx'), loadTexts(['approvals'])]);
  return dialog.ApprovalDialog;
}

export function ApprovalOfSession() {
  const id = useAwaitedApproval();
  const Dialog = useLoaded(loadDialog, id !== null);
  return Dialog === null ? null : <Dialog id={id} />;
}
