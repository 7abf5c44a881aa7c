/** Checks of the way in and out: this server, its address for phones, its mails. */
import { opensOnlyHere } from '../../addresses.ts';
import { bad, CERTIFICATE_ENDS_SOON_MS, day, days, type Judgement, ok, unknown, warn } from './judgement.ts';
import type { Surroundings } from './surroundings.ts';

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
    default:
      return bad(`Another program uses ${place}.`, 'End it, or set another PORT.');
  }
}

export async function checkHttps({ config, publicAddress, now }: Surroundings): Promise<Judgement> {
  const named = config.publicUrl;
  const setIt =
    'Put a proxy with HTTPS in front ("Behind HTTPS" in README.md), and set PUBLIC_URL and TRUST_PROXY.';
  if (named === null) return warn('PUBLIC_URL is not set: links in mails open on this machine only.', setIt);
  const { origin, protocol, host } = new URL(named);
  if (opensOnlyHere(named)) return warn(`PUBLIC_URL is ${origin}, which opens on this machine only.`, setIt);
  if (protocol !== 'https:')
    return warn(`PUBLIC_URL is ${origin}: without HTTPS phones open no camera.`, setIt);
  const answer = await publicAddress();
  if (answer.state === 'failed')
    return CERTIFICATE_CODE.test(answer.code)
      ? bad(`The certificate of ${host} is not valid (${answer.code}).`, 'Renew it at the proxy.')
      : warn(
          `${origin} does not answer as it should from this machine (${answer.code}).`,
          'Open it on a phone. If it fails there too, look at the proxy, the DNS name and the firewall.',
        );
  if (answer.state === 'other')
    return bad(`${origin} answers, but not as Haris.`, 'Let the proxy pass everything to Haris.');
  const left = answer.certificateEndsAt === null ? null : answer.certificateEndsAt - now;
  if (left !== null && left < CERTIFICATE_ENDS_SOON_MS)
    return warn(`The certificate of ${host} ends in ${days(Math.max(0, left))}.`, 'Renew it at the proxy.');
  if (config.trustProxy === 0)
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
