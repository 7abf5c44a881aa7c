/** A software authenticator: makes passkeys and signs with them, as a browser does (WebAuthn level 2). */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** The claims of the simulated browser; a test changes one of them. */
export interface Claims {
  readonly challenge: string;
  readonly origin: string;
  readonly host: string;
}

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest();

/** CBOR of the few types that an attestation needs. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, size: number): Buffer => {
    if (size < 24) return Buffer.of((major << 5) | size);
    if (size < 256) return Buffer.of((major << 5) | 24, size);
    return Buffer.of((major << 5) | 25, size >> 8, size & 0xff);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, one]) => [cbor(key), cbor(one as Parameters<typeof cbor>[0])]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

export function makePasskey() {
  const id = randomBytes(32);
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const cose = cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(String(x), 'base64url')],
      [-3, Buffer.from(String(y), 'base64url')],
    ]),
  );
  let counter = 0;
  /** Given by the server when the passkey is made. */
  let user: string | undefined;

  function clientData(type: string, { challenge, origin }: Claims): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }
  /** Flags: user present and verified, and 0x40 with the key. */
  function authenticatorData({ host }: Claims, flags: number, rest = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(host), Buffer.of(flags), count, rest]);
  }
  const credential = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' };

  return {
    /** Answer of `navigator.credentials.create`. `userId`: of the options, kept by passkeys that are found without a name. */
    create(claims: Claims, userId?: string) {
      user = userId;
      const length = Buffer.from([0, id.length]);
      const key = Buffer.concat([Buffer.alloc(16), length, id, cose]);
      const attestation = cbor(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authenticatorData(claims, 0x45, key)],
        ]),
      );
      return {
        ...credential,
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', claims).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    /** Answer of `navigator.credentials.get`. Without `isVerified` the person was only present. */
    get(claims: Claims, { isVerified = true }: { readonly isVerified?: boolean } = {}) {
      counter++;
      const data = clientData('webauthn.get', claims);
      const authenticator = authenticatorData(claims, isVerified ? 0x05 : 0x01);
      const signed = Buffer.concat([authenticator, sha256(data)]);
      return {
        ...credential,
        clientExtensionResults: {},
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authenticator.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          ...(user === undefined ? {} : { userHandle: user }),
        },
      };
    },
  };
}
