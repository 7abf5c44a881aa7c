/** Whether the parts of this server work: for `/readyz`, and for the health of the installation. */
import { z } from 'zod';
import type { Context } from './context.ts';

/** `damaged`: the embedded database. `off`: no broker is configured, or another program uses its port. */
export const partsSchema = z.object({
  database: z.enum(['ok', 'full', 'down', 'damaged']),
  faces: z.enum(['ok', 'down']),
  broker: z.enum(['ok', 'down', 'off']),
});
export type Parts = z.infer<typeof partsSchema>;

/** Writes a test row and asks the face engine. Answers within seconds, never rejects. */
export async function findParts({
  storage,
  vision,
  integrity,
  mqtt,
}: Pick<Context, 'storage' | 'vision' | 'integrity' | 'mqtt'>): Promise<Parts> {
  const [stored, faces] = await Promise.all([storage.probe(), vision.healthy()]);
  const isDamaged = stored === 'ok' && integrity.state() === 'damaged';
  return {
    database: isDamaged ? 'damaged' : stored,
    faces: faces ? 'ok' : 'down',
    broker: mqtt.state(),
  };
}
