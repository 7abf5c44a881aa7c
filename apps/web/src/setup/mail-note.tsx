/** Says where mails go while there is no mail server; renders nothing once there is one. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { loadTexts } from '../i18n/i18n.ts';
import { configAnswerQuery } from '../start/config-answer.ts';

const Texts = {
  staff: lazy(async () => {
    const [{ StaffMailNote }] = await Promise.all([import('./mail-note-text.tsx'), loadTexts(['mail-note'])]);
    return { default: StaffMailNote };
  }),
  forgetful: lazy(async () => {
    const [{ ForgetfulMailNote }] = await Promise.all([
      import('./mail-note-text.tsx'),
      loadTexts(['mail-note']),
    ]);
    return { default: ForgetfulMailNote };
  }),
  visitor: lazy(async () => {
    const [{ VisitorMailNote }] = await Promise.all([
      import('./mail-note-text.tsx'),
      loadTexts(['mail-note']),
    ]);
    return { default: VisitorMailNote };
  }),
};

/** False while mails are only kept on the server. */
export function useSendsMail(): boolean {
  const { data } = useQuery(configAnswerQuery);
  return !(typeof data === 'object' && data !== null && 'sendsMail' in data && data.sendsMail === false);
}

/** `forgetful`: for somebody who requests a new password by mail. */
export function MailNote({ to }: { to: keyof typeof Texts }) {
  if (useSendsMail()) return null;
  const Text = Texts[to];
  return (
    <Suspense fallback={null}>
      <Text />
    </Suspense>
  );
}
