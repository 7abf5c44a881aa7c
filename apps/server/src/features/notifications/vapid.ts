/**
 * The keys that identify this installation to push services (VAPID, RFC 8292). They are created at the first start and
 * sealed in the database, so that all servers share them and backups contain them. Browsers bind their subscriptions to
 * the public key: with a new key, devices would stop receiving pushes.
 */
import webPush from 'web-push';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { keepSealedMeta } from '../../db/sealed-meta.ts';

const META_KEY = 'vapid_keys';

const vapidKeysSchema = z.object({ publicKey: z.string(), privateKey: z.string() });
/** Both base64url: the uncompressed point and the scalar of P-256. */
export type VapidKeys = z.infer<typeof vapidKeysSchema>;

export async function openVapidKeys({ db, vault }: Pick<Context, 'db' | 'vault'>): Promise<VapidKeys> {
  const made = JSON.stringify(webPush.generateVAPIDKeys());
  return vapidKeysSchema.parse(JSON.parse(await keepSealedMeta(db, vault, META_KEY, made)));
}
