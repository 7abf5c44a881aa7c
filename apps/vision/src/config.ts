/** Settings of the face engine. */
import { ConfigError, parseConfig } from '@haris/runtime/config';
import { isOwnMachine } from '@haris/runtime/own-machine';
import { type Certificate, readCertificate } from '@haris/runtime/setting-files';
import { z } from 'zod';
import { defaultModelsDir } from './faces/models/model-files.ts';

const portText = 'must be a port number from 0 (any free one) to 65535';

const schema = z.object({
  /** Address to listen on. */
  VISION_HOST: z.string().default('127.0.0.1'),
  /** Port to listen on; 0 takes any free one. */
  VISION_PORT: z.coerce.number(portText).int(portText).min(0, portText).max(65_535, portText).default(0),
  /** Bearer token that the server must send. */
  VISION_TOKEN: z
    .string('must be a secret of at least 16 characters')
    .min(16, 'must be a secret of at least 16 characters'),
  /** PEM files of the certificate and its key. If set, the engine speaks TLS only. */
  VISION_TLS_CERT: z.string().optional(),
  VISION_TLS_KEY: z.string().optional(),
  /** Whether the engine may listen on the network without TLS. */
  VISION_WITHOUT_TLS: z.enum(['yes', 'no'], 'must be yes or no').default('no'),
  /** Folder of the ONNX files that the exporter wrote. */
  VISION_MODELS_DIR: z.string().default(defaultModelsDir),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be a level such as info or debug',
    )
    .default('info'),
});

export type VisionConfig = z.infer<typeof schema> & {
  readonly tls: Certificate | null;
};

/** Throws ConfigError for the first invalid variable. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): VisionConfig {
  const read = parseConfig(schema, env, ['VISION_TOKEN']);
  const tls = readCertificate('VISION_TLS', read.VISION_TLS_CERT, read.VISION_TLS_KEY, process.cwd());
  if (!tls && read.VISION_WITHOUT_TLS === 'no' && !isOwnMachine(read.VISION_HOST))
    throw new ConfigError(
      `VISION_TLS_CERT and VISION_TLS_KEY must be set where VISION_HOST is not this machine alone; VISION_WITHOUT_TLS=yes sends children's pictures without TLS (VISION_HOST is "${read.VISION_HOST}")`,
    );
  return { ...read, tls };
}
