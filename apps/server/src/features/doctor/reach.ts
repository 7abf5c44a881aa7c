/** Checks of the way in and out: this server, its address for phones, its mails. */
import { opensOnlyHere } from '../../addresses.ts';
import { bad, CERTIFICATE_ENDS_SOON_MS, day, days, type Judgement, ok, unknown, warn } from './judgement.ts';
import type { CertificateFacts, Surroundings } from './surroundings.ts';

/** Codes of a certificate that no device takes. One of the operator's own authority may be unknown on this machine only. */
const CERTIFICATE_CODE = /^CERT_(HAS_EXPIRED|NOT_YET_VALID|REVOKED)$|ALTNAME/;

export async function checkServer({ config: { host, port }, server }: Surroundings): Promise<Judgement> {
  if (port === 0) return unknown('With PORT=0 the server takes any free port.');
  const answer = await server();
  const place = `port ${port}`;
  switch (answer.state) {
    case 'haris':
      return ok(`Haris answers at ${place}.`);
    case 'none':
      return warn(
        `Nothing answers at ${place} of ${host}.`,
        'Start Haris. If it runs, give this command its settings (PORT, HOST).',
      );
    case 'silent':
      return bad(`The program at ${place} gives no answer.`, 'Restart Haris; look at its log.');
    case 'certificate':
      return warn(
        `The program at ${place} has another certificate than the one in TLS_CERT.`,
        'If the file is older than a minute, the log of Haris says why it was not loaded. If the program is not Haris, set another PORT.',
      );
    default:
      return bad(
        `Another program uses ${place}.`,
        'End it, or set another PORT. If it is Haris, give both the same TLS_CERT.',
      );
  }
}

const RENEW = 'Renew it: Haris loads the new files within a minute.';

function judgeDates({ isInUse, startsAt, endsAt }: CertificateFacts, now: number): Judgement | null {
  const what = `The certificate ${isInUse ? 'in use' : 'in TLS_CERT'}`;
  if (endsAt <= now) return bad(`${what} ended on ${day(endsAt)}.`, RENEW);
  if (startsAt > now) return bad(`${what} is not valid before ${day(startsAt)}.`, 'Look at the clock.');
  if (endsAt - now < CERTIFICATE_ENDS_SOON_MS) return warn(`${what} ends in ${days(endsAt - now)}.`, RENEW);
  return null;
}

/** Whether the server has taken what is in its files. A start would be refused where it cannot. */
function judgeFiles({ isInUse, endsAt, waiting }: CertificateFacts): Judgement | null {
  if (waiting === null) return null;
  const used = isInUse ? `Haris goes on with its certificate until ${day(endsAt)}` : 'Haris cannot start';
  return waiting.problem === null
    ? warn(
        `${used}: TLS_CERT has another one.`,
        'It is taken within a minute of the change. If that is over, the log of Haris says why not.',
      )
    : warn(`${used}: ${waiting.problem}.`, 'Correct the files: Haris takes them within a minute.');
}

function judgeKeyFile({ isKeyOpenToOthers }: CertificateFacts): Judgement | null {
  return isKeyOpenToOthers
    ? warn(
        'Other users of this machine can open the private key in TLS_KEY.',
        'Let only the user of Haris read it (chmod 600).',
      )
    : null;
}

/** All that is wrong with the certificate of the server's own HTTPS, as one; null: nothing. */
function judgeOwn(own: CertificateFacts, now: number): Judgement | null {
  const found = [judgeDates(own, now), judgeFiles(own), judgeKeyFile(own)].filter((one) => one !== null);
  const [first] = found;
  if (first === undefined) return null;
  const join = (texts: readonly (string | undefined)[]): string => texts.filter(Boolean).join(' ');
  const judge = found.some(({ state }) => state === 'bad') ? bad : warn;
  return judge(join(found.map(({ detail }) => detail)), join(found.map(({ todo }) => todo)));
}

/** What is wrong with `PUBLIC_URL` itself; null: nothing. */
function judgeName({ config }: Surroundings, own: CertificateFacts | null): Judgement | null {
  const named = config.publicUrl;
  const setIt =
    own === null
      ? 'Put a proxy with HTTPS in front, or set TLS_CERT and TLS_KEY ("Behind HTTPS" in README.md), and set PUBLIC_URL.'
      : 'Set PUBLIC_URL to https:// with a name of the certificate and the port.';
  if (named === null) return warn('PUBLIC_URL is not set: links in mails open on this machine only.', setIt);
  const { origin, protocol, host } = new URL(named);
  if (opensOnlyHere(named)) return warn(`PUBLIC_URL is ${origin}, which opens on this machine only.`, setIt);
  if (protocol !== 'https:')
    return own === null
      ? warn(`PUBLIC_URL is ${origin}: without HTTPS phones open no camera.`, setIt)
      : bad(`PUBLIC_URL is ${origin}, but with TLS_CERT Haris speaks HTTPS only.`, setIt);
  // With a proxy in front, people see the certificate of the proxy.
  if (own !== null && !own.isForPublicUrl && config.trustProxy === 0)
    return bad(`The certificate in TLS_CERT is not for ${host}, the host of PUBLIC_URL.`, setIt);
  return null;
}

export async function checkHttps(surroundings: Surroundings): Promise<Judgement> {
  const { config, publicAddress, certificate, now } = surroundings;
  const own = await certificate();
  const [ofOwn, ofName] = [own && judgeOwn(own, now), judgeName(surroundings, own)];
  // A warning about the files must not hide an address that opens nowhere.
  const wrong = ofName?.state === 'bad' && ofOwn?.state !== 'bad' ? ofName : (ofOwn ?? ofName);
  if (wrong !== null) return wrong;
  const { origin, host } = new URL(config.publicUrl ?? '');
  const isDirect = own !== null && config.trustProxy === 0;
  const renew = isDirect ? RENEW : 'Renew it at the proxy.';
  const answer = await publicAddress();
  if (answer.state === 'failed')
    return CERTIFICATE_CODE.test(answer.code)
      ? bad(`The certificate of ${host} is not valid (${answer.code}).`, renew)
      : warn(
          `${origin} does not answer as it should from this machine (${answer.code}).`,
          `Open it on a phone. If it fails there too, look at the ${isDirect ? 'certificate' : 'proxy'}, the DNS name and the firewall.`,
        );
  if (answer.state === 'other')
    return bad(
      `${origin} answers, but not as Haris.`,
      isDirect ? 'Look at the DNS name and the port.' : 'Let the proxy pass everything to Haris.',
    );
  const left = answer.certificateEndsAt === null ? null : answer.certificateEndsAt - now;
  if (left !== null && left < CERTIFICATE_ENDS_SOON_MS)
    return warn(`The certificate of ${host} ends in ${days(Math.max(0, left))}.`, renew);
  if (own === null && config.trustProxy === 0)
    return warn(
      `${origin} answers, but TRUST_PROXY is 0: Haris takes everybody for one address.`,
      'Set TRUST_PROXY to the number of proxies in front, usually 1.',
    );
  return ok(`${origin}${left === null ? '' : `, certificate for ${days(left)}`}`);
}

export async function checkPhones({ config, phoneSeenAt }: Surroundings): Promise<Judgement> {
  if (config.demo) return ok('A demo needs none.');
  const at = await phoneSeenAt();
  return at === null
    ? warn('No phone has opened Haris by its code yet.', 'Scan the code under Settings, Phones.')
    : ok(`A phone opened Haris on ${day(at)}.`);
}

export async function checkMail({ config, mail }: Surroundings): Promise<Judgement> {
  const { host, kept, tried, failed } = await mail();
  if (host === null)
    return config.demo
      ? ok('The demo sends none.')
      : warn(
          `None is sent: ${kept} ${kept === 1 ? 'lies' : 'lie'} in DATA_DIR/outbox.`,
          'Set a mail server under Settings, Mail.',
        );
  if (tried + failed > 0)
    return warn(
      `Sent by ${host}: ${tried} could not be sent so far, ${failed} were given up.`,
      'Send a test under Settings, Mail, which shows the reply.',
    );
  return ok(`Sent by ${host}`);
}
