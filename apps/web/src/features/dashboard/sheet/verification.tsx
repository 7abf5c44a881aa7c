/** Addresses of a family that wait for verification, or a new one that waits for somebody's agreement. */
import type { Parent } from '@haris/contract/objects';
import { Alert, Button, Text } from '@mantine/core';
import { IconMailExclamation } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { momentFormat } from '../../../i18n/locale.ts';
import { Allowed } from '../../../session/allowed.tsx';
import { useSendsMail } from '../../../setup/mail-note.tsx';
import { VouchDialog } from '../families/vouch-dialog.tsx';
import classes from './sheet.module.css';
import { useResendLink } from './use-resend-link.ts';

export interface EmailWaits {
  /** From then on, whoever asked may send the link too. */
  until: string;
  askedByMe: boolean;
}

export interface VerificationProps {
  parent: Parent;
  pendingEmail: string | null;
  emailWaits: EmailWaits | null;
}

function WaitsText({ until, isTooEarly }: EmailWaits & { isTooEarly: boolean }) {
  const { t, i18n } = useTranslation('child');
  const sendsMail = useSendsMail();
  const at = momentFormat(i18n.language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(until));
  return (
    <Text size="sm" mt="xs">
      {isTooEarly
        ? t(sendsMail ? 'family.emailWaitsMine' : 'family.emailWaitsMineKept', { at })
        : t(sendsMail ? 'family.emailWaitsColleague' : 'family.emailWaitsColleagueKept')}
    </Text>
  );
}

/** Addresses that wait for verification, with a new link and, for the current address, a button to vouch for it. */
export function Verification({ parent, pendingEmail, emailWaits }: VerificationProps) {
  const { t } = useTranslation(['child', 'dashboard']);
  const sendsMail = useSendsMail();
  const waits = sendsMail ? 'family.emailWaits' : 'family.emailWaitsKept';
  const again = sendsMail ? 'family.resend' : 'family.resendKept';
  const sendLink = sendsMail ? 'family.sendLink' : 'family.sendLinkKept';
  const [isVouching, setVouching] = useState(false);
  const resend = useResendLink(parent._id);
  const isTooEarly = emailWaits?.askedByMe === true && Date.parse(emailWaits.until) > Date.now();
  if (parent.emailVerified && pendingEmail === null) return null;
  return (
    <Alert
      mt="md"
      color={parent.disownedAt === undefined ? 'saffron' : 'clay'}
      variant="light"
      icon={<IconMailExclamation size={20} aria-hidden />}
    >
      <Text size="sm">
        {pendingEmail !== null
          ? t(emailWaits === null ? 'family.pendingEmail' : waits, {
              email: `\u2066${pendingEmail}\u2069`,
            })
          : parent.disownedAt === undefined
            ? t('dashboard:families.notVerified')
            : t('dashboard:families.disowned')}
      </Text>
      {emailWaits === null ? null : <WaitsText {...emailWaits} isTooEarly={isTooEarly} />}
      <Allowed to="families.edit">
        <div className={classes.buttons}>
          {isTooEarly ? null : (
            <Button
              size="compact-md"
              fz="sm"
              variant="default"
              loading={resend.isPending}
              onClick={() => resend.mutate()}
            >
              {t(emailWaits === null ? again : sendLink)}
            </Button>
          )}
          {parent.emailVerified ? null : (
            <Button
              size="compact-md"
              fz="sm"
              variant="subtle"
              aria-haspopup="dialog"
              onClick={() => setVouching(true)}
            >
              {t('dashboard:families.markVerified')}
            </Button>
          )}
        </div>
      </Allowed>
      <VouchDialog parent={parent} opened={isVouching} onClose={() => setVouching(false)} />
    </Alert>
  );
}
