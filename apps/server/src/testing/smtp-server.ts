/** A real SMTP server on the loopback that keeps what it takes. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { type ReadMail, readMail } from './outbox.ts';

export interface SmtpPost {
  readonly port: number;
  readonly mails: ReadMail[];
  readonly envelopes: { from: string; to: string[] }[];
  /** Refuses mails with this answer while it is set. */
  refuse: string | null;
  /** The code of that answer: 451 is "later", 550 "never". */
  refuseCode: number;
  close(): Promise<void>;
}

export async function openSmtpPost(port = 0): Promise<SmtpPost> {
  const mails: ReadMail[] = [];
  const envelopes: SmtpPost['envelopes'] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        if (post.refuse)
          return done(Object.assign(new Error(post.refuse), { responseCode: post.refuseCode }));
        const { mailFrom, rcptTo } = session.envelope;
        envelopes.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) });
        mails.push(await readMail(Buffer.concat(chunks)));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const post: SmtpPost = {
    port: (server.server.address() as AddressInfo).port,
    mails,
    envelopes,
    refuse: null,
    refuseCode: 451,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return post;
}
