/** Checks of the way in and out: this server, its address for phones, its mails. */
import { opensOnlyHere } from '../../addresses.ts';
import { bad, CERTIFICATE_ENDS_SOON_MS, type Judgement, ok, unknown, warn } from './judgement.ts';
import { day, days, say, sayAll } from './sentence.ts';
import type { CertificateFacts, Surroundings } from './surroundings.ts';

/** Codes of a certificate that no device takes. One of the operator's own authority may be unknown on this machine only. */
const CERTIFICATE_CODE = /^CERT_(HAS_EXPIRED|NOT_YET_VALID|REVOKED)$|ALTNAME/;

export async function checkServer({ config: { host, port }, server }: Surroundings): Promise<Judgement> {
  if (port === 0) return unknown(say('anyPort'));
  const answer = await server();
  const at = { port: String(port) };
  switch (answer.state) {
    case 'haris':
      return ok(say('harisAnswers', at));
    case 'none':
      return warn(say('nothingAnswers', { ...at, host }), say('startHaris'));
    case 'silent':
      return bad(say('programIsSilent', at), say('restartAndLook'));
    case 'certificate':
      return warn(say('otherCertificate', at), say('whyOtherCertificate'));
    default:
      return bad(say('portIsTaken', at), say('freePort'));
  }
}

const RENEW = say('renewOwn');

function judgeDates({ isInUse, startsAt, endsAt }: CertificateFacts, now: number): Judgement | null {
  if (endsAt <= now)
    return bad(say(isInUse ? 'usedCertificateEnded' : 'fileCertificateEnded', { day: day(endsAt) }), RENEW);
  if (startsAt > now)
    return bad(
      say(isInUse ? 'usedCertificateStarts' : 'fileCertificateStarts', { day: day(startsAt) }),
      say('lookAtClock'),
    );
  if (endsAt - now < CERTIFICATE_ENDS_SOON_MS)
    return warn(
      say(isInUse ? 'usedCertificateEnds' : 'fileCertificateEnds', { days: days(endsAt - now) }),
      RENEW,
    );
  return null;
}

/** Whether the server has taken what is in its files. A start would be refused where it cannot. */
function judgeFiles({ isInUse, endsAt, waiting }: CertificateFacts): Judgement | null {
  if (waiting === null) return null;
  const { problem } = waiting;
  const until = { day: day(endsAt) };
  return problem === null
    ? warn(isInUse ? say('goesOnWithOld', until) : say('cannotStartWithNew'), say('waitForNew'))
    : warn(
        isInUse ? say('goesOnBecause', { ...until, problem }) : say('cannotStartBecause', { problem }),
        say('correctFiles'),
      );
}

function judgeKeyFile({ isKeyOpenToOthers }: CertificateFacts): Judgement | null {
  return isKeyOpenToOthers ? warn(say('tlsKeyIsOpen'), say('closeTlsKey')) : null;
}

/** All that is wrong with the certificate of the server's own HTTPS, as one; null: nothing. */
function judgeOwn(own: CertificateFacts, now: number): Judgement | null {
  const found = [judgeDates(own, now), judgeFiles(own), judgeKeyFile(own)].filter((one) => one !== null);
  const [first] = found;
  if (first === undefined) return null;
  const judge = found.some(({ state }) => state === 'bad') ? bad : warn;
  return judge(sayAll(...found.map(({ detail }) => detail)), sayAll(...found.map(({ todo }) => todo)));
}

/** What is wrong with `PUBLIC_URL` itself; null: nothing. */
function judgeName({ config }: Surroundings, own: CertificateFacts | null): Judgement | null {
  const named = config.publicUrl;
  const setIt = say(own === null ? 'setHttps' : 'setPublicUrl');
  if (named === null) return warn(say('noPublicUrl'), setIt);
  const { origin, protocol, host } = new URL(named);
  if (opensOnlyHere(named)) return warn(say('publicUrlIsHere', { origin }), setIt);
  if (protocol !== 'https:')
    return own === null
      ? warn(say('publicUrlIsPlain', { origin }), setIt)
      : bad(say('publicUrlIsNotTls', { origin }), setIt);
  // With a proxy in front, people see the certificate of the proxy.
  if (own !== null && !own.isForPublicUrl && config.trustProxy === 0)
    return bad(say('certificateForOther', { host }), setIt);
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
  const renew = isDirect ? RENEW : say('renewAtProxy');
  const answer = await publicAddress();
  if (answer.state === 'failed')
    return CERTIFICATE_CODE.test(answer.code)
      ? bad(say('certificateIsInvalid', { host, code: answer.code }), renew)
      : warn(
          say('addressDoesNotAnswer', { origin, code: answer.code }),
          say(isDirect ? 'tryOnPhoneOwn' : 'tryOnPhoneProxy'),
        );
  if (answer.state === 'other')
    return bad(say('addressIsNotHaris', { origin }), say(isDirect ? 'lookAtName' : 'passEverything'));
  const left = answer.certificateEndsAt === null ? null : answer.certificateEndsAt - now;
  if (left !== null && left < CERTIFICATE_ENDS_SOON_MS)
    return warn(say('certificateEnds', { host, days: days(Math.max(0, left)) }), renew);
  if (own === null && config.trustProxy === 0)
    return warn(say('proxyIsNotCounted', { origin }), say('countProxies'));
  return ok(
    left === null
      ? say('plain', { text: origin })
      : say('addressWithCertificate', { origin, days: days(left) }),
  );
}

export async function checkPhones({ config, phoneSeenAt }: Surroundings): Promise<Judgement> {
  if (config.demo) return ok(say('demoNeedsNoPhone'));
  const at = await phoneSeenAt();
  return at === null ? warn(say('noPhone'), say('scanCode')) : ok(say('phoneOpened', { day: day(at) }));
}

export async function checkMail({ config, mail }: Surroundings): Promise<Judgement> {
  const { host, kept, tried, failed } = await mail();
  if (host === null)
    return config.demo
      ? ok(say('demoSendsNoMail'))
      : warn(say(kept === 1 ? 'noMailOne' : 'noMail', { count: kept }), say('setMail'));
  if (tried + failed > 0) return warn(say('mailFails', { host, tried, failed }), say('testMail'));
  return ok(say('mailBy', { host }));
}
