/** Changes sessions in the database as the server itself does, with a new seal. */
import type { Context } from '../context.ts';
import { type Covered, sealOf } from '../db/row-seals.ts';
import { hashToken } from '../vault/vault.ts';

/** `token`: the session's; without it, all sessions are changed. */
export async function changeSessions(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  change: Partial<Pick<Covered<'sessions'>, 'proved_at' | 'factor' | 'expires_at'>>,
  token?: string,
): Promise<void> {
  const all = db.selectFrom('sessions').selectAll();
  const rows = await (token === undefined ? all : all.where('token_hash', '=', hashToken(token))).execute();
  for (const row of rows)
    await db
      .updateTable('sessions')
      .set({ ...change, seal: sealOf(vault, 'sessions', { ...row, ...change }) })
      .where('token_hash', '=', row.token_hash)
      .execute();
}
