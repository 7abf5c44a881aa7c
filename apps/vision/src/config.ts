/** Settings of the vision process. */
import { parseConfig } from '@haris/runtime/config';
import { z } from 'zod';
import { defaultModelsDir } from './faces/models/model-files.ts';

const portText = 'must be a port number from 0 (any free one) to 65535';

const schema = z.object({
  /** Address to listen on. */
  VISION_HOST: z.string().default('127.0.0.1'),
  /** Port to listen on; 0 takes any free one. */
  VISION_PORT: z.coerce.number(portText).int(portText).min(0, portText).max(65_535, portText).default(0),
  /** What the server shows with every call. */
  VISION_TOKEN: z
    .string('must be a secret of at least 16 characters')
    .min(16, 'must be a secret of at least 16 characters'),
  /** Folder of the ONNX files that the exporter wrote. */
  VISION_MODELS_DIR: z.string().default(defaultModelsDir),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be a level such as info or debug',
    )
    .default('info'),
});

export type VisionConfig = z.infer<typeof schema>;

/** Throws ConfigError for the first variable that does not fit. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): VisionConfig {
  return parseConfig(schema, env, ['VISION_TOKEN']);
}
