/** A real SMTP server on the loopback interface that keeps the mails it accepts, and one that never finishes its answer. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { type ReadMail, readMail } from './outbox.ts';

export interface SmtpPost {
  readonly port: number;
  readonly mails: ReadMail[];
  readonly envelopes: { from: string; to: string[] }[];
  /** Reply with which mails are refused; null to accept them. */
  refuse: string | null;
  /** Code of the refusal: 451 means "later", 550 "never". */
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

export interface EndlessPost {
  readonly port: number;
  /** Number of connections whose first command it has begun to answer. */
  readonly answering: number;
  readonly connections: number;
  close(): Promise<void>;
}

/** Sends another line of its first answer now and then, so that no connection is ever silent. */
export async function openEndlessPost(greeting = '220 mail.example ESMTP\r\n'): Promise<EndlessPost> {
  const sockets = new Set<Socket>();
  let answering = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    let timer: NodeJS.Timeout | undefined;
    socket.write(greeting);
    socket.once('data', () => {
      answering++;
      timer = setInterval(() => socket.write('250-X\r\n'), 100);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get answering() {
      return answering;
    },
    get connections() {
      return sockets.size;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
