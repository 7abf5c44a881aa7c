/** Checks of the parts beside the server: face engine, broker, cameras. */
import { bad, CERTIFICATE_ENDS_SOON_MS, type Judgement, notTold, ok, warn } from './judgement.ts';
import { day, days, say } from './sentence.ts';
import type { Surroundings } from './surroundings.ts';

export async function checkEngine({ config, server, engineAnswers }: Surroundings): Promise<Judgement> {
  const place = config.vision === null ? null : new URL(config.vision.url).origin;
  const answer = await server();
  const told = answer.state === 'haris' ? answer.parts?.faces : undefined;
  if (told === undefined && config.vision === null) throw notTold(answer);
  if (told === 'ok' || (told === undefined && (await engineAnswers())))
    return ok(place === null ? say('ownEngineAnswers') : say('engineAnswers', { place }));
  return place === null
    ? bad(say('ownEngineIsDown'), say('waitForEngine'))
    : bad(say('engineIsDown', { place }), say('startEngineThere'));
}

export async function checkBroker(surroundings: Surroundings): Promise<Judgement> {
  const { config, server, isTaken, brokerCertificateEndsAt, now } = surroundings;
  const { url, port, host } = config.mqtt;
  if (url === null && port === 0) return ok(say('brokerIsOff'));
  const answer = await server();
  const told = answer.state === 'haris' ? answer.parts?.broker : undefined;
  if (url !== null) {
    const broker = new URL(url);
    const place = `${broker.hostname}${broker.port === '' ? '' : `:${broker.port}`}`;
    if (told === undefined) throw notTold(answer);
    return told === 'ok'
      ? ok(say('connectedTo', { place }))
      : bad(say('brokerRefuses', { place }), say('startBroker'));
  }
  const endsAt = await brokerCertificateEndsAt();
  if (endsAt !== null && endsAt < now)
    return bad(say('brokerCertificateEnded', { day: day(endsAt) }), say('renewAndRestart'));
  const at = { port: String(port) };
  if (told === undefined) {
    // With PORT=0, or without the settings of the server, Haris itself may run unseen.
    if (answer.state === 'none' && (await isTaken(host, port)))
      return warn(say('brokerPortInUse', at), say('freeBrokerPortUnlessHaris'));
    throw notTold(answer);
  }
  if (told === 'off') return bad(say('brokerPortIsTaken', at), say('freeBrokerPort'));
  if (told === 'down') return bad(say('brokerHasStopped'), say('restart'));
  if (endsAt !== null && endsAt - now < CERTIFICATE_ENDS_SOON_MS)
    return warn(say('brokerCertificateEnds', { ...at, days: days(endsAt - now) }), say('renewAndRestart'));
  return ok(say('brokerAt', at));
}

export async function checkCameras({ cameras, server }: Surroundings): Promise<Judgement> {
  const { watched, down } = await cameras();
  if (watched === 0) return ok(say('noCamera'));
  const answer = await server();
  if (answer.state !== 'haris') throw notTold(answer);
  return down === 0
    ? ok(say('camerasGive', { watched }))
    : warn(say(down === 1 ? 'cameraGivesNone' : 'camerasGiveNone', { down, watched }), say('seeCameraPage'));
}
