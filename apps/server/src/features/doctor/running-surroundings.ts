/** What the checks look at in a running server, which knows itself what `npm run doctor` has to ask. */
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { inReadOnlyTransaction } from '../../db/transaction.ts';
import { findParts } from '../../readiness.ts';
import { VERSION } from '../../version.ts';
import { once, readSurroundings } from './read-surroundings.ts';
import type { Surroundings } from './surroundings.ts';

/** The settings, with the ports that are really used: the demo's broker takes any free one. */
function inUse({ config, mqtt }: Context, port: number): Config {
  const broker = mqtt.address();
  return broker?.embedded
    ? { ...config, port, mqtt: { ...config.mqtt, port: broker.port } }
    : { ...config, port };
}

/** `port`: of this server. */
export function surroundingsOf(context: Context, port: number): Surroundings {
  const { clock, db, dialect, integrity, vault } = context;
  return {
    ...readSurroundings(inUse(context, port), {
      now: clock.now(),
      read: (work) => inReadOnlyTransaction(db, (trx) => work(trx, dialect)),
      vault: () => vault,
    }),
    server: once(async () => ({ state: 'haris', version: VERSION, parts: await findParts(context) })),
    // The file is checked after each start; a second check would read all of it again.
    damage: async () => integrity.state(),
  };
}
