/** Notices as mails. They do not go through the queue of the other mails: theirs tells what became of each. */
import { pushPayloadSchema } from '@haris/contract/http/notices';
import type { Context } from '../../../context.ts';
import { findNoticeAccounts } from '../../../db/notice-people.ts';
import { composeNoticeMail } from '../../../mail/templates.ts';
import type { Carrier } from './carrier.ts';
import { DeliveryError } from './delivery-error.ts';

/** An SMTP server's own code where it answered, by nodemailer. */
function responseCode(error: unknown): number {
  return error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
}

export function mailCarrier({ db, mails, publicUrl }: Pick<Context, 'db' | 'mails' | 'publicUrl'>): Carrier {
  return async ({ row, content }) => {
    if (row.account_kind === 'webhook') throw new DeliveryError('gone');
    const [account] = await findNoticeAccounts(db, [{ kind: row.account_kind, id: row.account_id }]);
    if (!account?.email) throw new DeliveryError('gone');
    const payload = pushPayloadSchema.parse(content);
    const mail = composeNoticeMail({
      language: payload.lang,
      name: account.name,
      title: payload.title,
      body: payload.body,
      link: `${publicUrl()}${payload.url}`,
    });
    try {
      // The same delivery has the same id: a mail program shows what came twice once.
      await mails.send({
        to: account.email,
        ...mail,
        messageId: `<${row.id}@${new URL(publicUrl()).hostname}>`,
      });
    } catch (error) {
      throw new DeliveryError(responseCode(error) >= 500 ? 'refused' : 'unreachable', { cause: error });
    }
  };
}
