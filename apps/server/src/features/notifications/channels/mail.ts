/** Notifications as mails. They bypass the mail queue, because the queue of deliveries records each outcome. */
import { pushPayloadSchema } from '@haris/contract/notifications';
import type { Context } from '../../../context.ts';
import { findIncident } from '../../../db/incidents.ts';
import { findNotificationAccounts } from '../../../db/notification-people.ts';
import { findMailFacility, findNameOf } from '../../../mail/facility-words.ts';
import { composeNotificationMail } from '../../../mail/templates.ts';
import type { Carrier } from './carrier.ts';
import { DeliveryError } from './delivery-error.ts';

/** The SMTP server's reply code, as nodemailer reports it; 0 without a reply. */
function responseCode(error: unknown): number {
  return error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
}

export function mailCarrier({ db, mails, publicUrl }: Pick<Context, 'db' | 'mails' | 'publicUrl'>): Carrier {
  return async ({ row, content }) => {
    if (row.account_kind === 'webhook') throw new DeliveryError('gone');
    const [account] = await findNotificationAccounts(db, [{ kind: row.account_kind, id: row.account_id }]);
    if (!account?.email) throw new DeliveryError('gone');
    const payload = pushPayloadSchema.parse(content);
    const incident = await findIncident(db, row.incident_id);
    // A test is about nothing, so it names the facility of its receiver.
    const facility = incident
      ? await findNameOf(db, incident.facility_id)
      : await findMailFacility(db, { kind: row.account_kind, accountId: row.account_id });
    const mail = composeNotificationMail({
      language: payload.lang,
      name: account.name,
      title: payload.title,
      body: payload.body,
      facility,
      link: `${publicUrl()}${payload.url}`,
    });
    try {
      // The delivery's id, so that mail programs show a mail that arrives twice only once.
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
