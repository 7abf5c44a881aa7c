/** Checks of the parts beside the server: face engine, broker, cameras. */
import {
  bad,
  CERTIFICATE_ENDS_SOON_MS,
  capital,
  day,
  days,
  type Judgement,
  notTold,
  ok,
  warn,
} from './judgement.ts';
import type { Surroundings } from './surroundings.ts';

export async function checkEngine({ config, server, engineAnswers }: Surroundings): Promise<Judgement> {
  const place = config.vision === null ? 'of this server' : `at ${new URL(config.vision.url).origin}`;
  const answer = await server();
  const told = answer.state === 'haris' ? answer.parts?.faces : undefined;
  if (told === undefined && config.vision === null) throw notTold(answer);
  if (told === 'ok' || (told === undefined && (await engineAnswers())))
    return ok(`The face engine ${place} answers.`);
  return bad(
    `The face engine ${place} does not answer.`,
    config.vision === null
      ? 'After a start it takes a minute. Then look at log lines with "program":"vision".'
      : 'Start it there; compare VISION_URL, VISION_TOKEN and VISION_CA.',
  );
}

export async function checkBroker(surroundings: Surroundings): Promise<Judgement> {
  const { config, server, isTaken, brokerCertificateEndsAt, now } = surroundings;
  const { url, port, host } = config.mqtt;
  if (url === null && port === 0) return ok('Off (MQTT_PORT=0).');
  const answer = await server();
  const told = answer.state === 'haris' ? answer.parts?.broker : undefined;
  if (url !== null) {
    const broker = new URL(url);
    const place = `${broker.hostname}${broker.port === '' ? '' : `:${broker.port}`}`;
    if (told === undefined) throw notTold(answer);
    return told === 'ok'
      ? ok(`Connected to ${place}`)
      : bad(
          `${place} does not take the connection.`,
          'Start that broker; compare user and password in MQTT_URL.',
        );
  }
  const endsAt = await brokerCertificateEndsAt();
  if (endsAt !== null && endsAt < now)
    return bad(`The certificate in MQTT_TLS_CERT ended on ${day(endsAt)}.`, 'Renew it, and restart Haris.');
  const todo = 'set another MQTT_PORT, or MQTT_URL if that program is a broker.';
  if (told === undefined) {
    // With PORT=0, or without the settings of the server, Haris itself may run unseen.
    if (answer.state === 'none' && (await isTaken(host, port)))
      return warn(`A program uses port ${port}, and Haris was not found.`, `If it is not Haris, ${todo}`);
    throw notTold(answer);
  }
  if (told === 'off') return bad(`Another program uses port ${port}: sensors cannot connect.`, capital(todo));
  if (told === 'down') return bad('The broker of this server has stopped.', 'Restart Haris.');
  if (endsAt !== null && endsAt - now < CERTIFICATE_ENDS_SOON_MS)
    return warn(
      `Port ${port}; the certificate in MQTT_TLS_CERT ends in ${days(endsAt - now)}.`,
      'Renew it, and restart Haris.',
    );
  return ok(`Port ${port}`);
}

export async function checkCameras({ cameras, server }: Surroundings): Promise<Judgement> {
  const { watched, down } = await cameras();
  if (watched === 0) return ok('None is set up.');
  const answer = await server();
  if (answer.state !== 'haris') throw notTold(answer);
  const detail = `${down} of ${watched} ${down === 1 ? 'gives' : 'give'} no picture.`;
  return down === 0
    ? ok(`${watched} of ${watched} give pictures.`)
    : warn(detail, 'The page of each camera says why.');
}
