/**
 * The checklist of the first run: an item is done if the installation shows it, not because somebody pressed a
 * button.
 */
import { SETUP_ITEMS, type Setup, type SetupItem } from '@haris/contract/http/setup';
import type { Settings } from '@haris/contract/objects';
import type { Actor } from '../../actor.ts';
import { listensToNetwork } from '../../addresses.ts';
import { toMoment } from '../../clock.ts';
import { outboxFolder } from '../../config.ts';
import type { Context } from '../../context.ts';
import { findCameras } from '../../db/cameras.ts';
import { hasRealParent, hasRealSensor } from '../../db/sample.ts';
import { findChosenSettings, lockSettings } from '../../db/settings.ts';
import {
  hasMadeUpAddress,
  readFirstPassword,
  readReachSeen,
  readSetupChoices,
  type SetupChoices,
  writeSetupChoices,
} from '../../db/setup.ts';
import { findStaffMember } from '../../db/staff.ts';
import { inTransaction } from '../../db/transaction.ts';
import { areMailsSent } from '../../mail/server.ts';
import { countKeptMails } from '../../mail/transport.ts';
import { may } from '../../policy.ts';
import { findSampleCameras, type SampleData } from '../../sample-data.ts';
import { hashToken } from '../../vault/vault.ts';
import { findLinkAddress, findReachAddresses } from './reach.ts';

/** Whether the password that was printed at the first start still signs in. */
async function hasPrintedPassword({ db }: Context): Promise<boolean> {
  const first = await readFirstPassword(db);
  if (!first) return false;
  const member = await findStaffMember(db, first.id);
  return member?.password_hash != null && hashToken(member.password_hash) === first.hash;
}

function isTimeZoneChosen({ config }: Context, chosen: Partial<Settings>): boolean {
  return chosen.timeZone !== undefined || config.timeZoneIsChosen;
}

async function findDone(context: Context, chosen: Partial<Settings>): Promise<Record<SetupItem, boolean>> {
  const { db, config, vault } = context;
  const samples = config.demo ? [] : await findSampleCameras(context);
  return {
    locale: chosen.language !== undefined && isTimeZoneChosen(context, chosen),
    facility: typeof chosen.facilityName === 'string',
    account: !(await hasMadeUpAddress(db)) && !(await hasPrintedPassword(context)),
    mail: await areMailsSent(db, vault, config),
    // A phone that got here is not enough while the links in mails lead nowhere from it.
    phones: (await readReachSeen(db)) !== null && !findLinkAddress(context).onlyHere,
    family: await hasRealParent(db),
    camera: (await findCameras(db)).length > samples.length,
    sensor: await hasRealSensor(db),
    secondFactor: chosen.staffSecondFactor === true,
  };
}

/** The checklist as this person sees it. */
export async function presentSetup(context: Context, actor: Actor, sample: SampleData): Promise<Setup> {
  const { db, config, vault } = context;
  const chosen = await findChosenSettings(db);
  const done = await findDone(context, chosen);
  const { skipped, dismissed } = await readSetupChoices(db);
  const isSent = await areMailsSent(db, vault, config);
  const folder = outboxFolder(config);
  const kept = await countKeptMails(folder);
  const seen = await readReachSeen(db);
  const own = await findStaffMember(db, actor.id);
  const isPresent = await sample.isPresent();
  return {
    items: SETUP_ITEMS.map((id) => ({
      id,
      state: done[id] ? 'done' : skipped.includes(id) ? 'skipped' : 'open',
    })),
    // In a demo there is nothing to set up.
    dismissed: dismissed || config.demo,
    timeZoneIsChosen: isTimeZoneChosen(context, chosen),
    mayManageMail: may(actor, 'security.manage'),
    needsOwnAddress: own?.email.endsWith('@localhost') ?? false,
    mail: { isSent, folder: isSent && kept === 0 ? null : folder, kept },
    reach: {
      addresses: findReachAddresses(context),
      listensToNetwork: listensToNetwork(config.host),
      links: findLinkAddress(context),
      seen: seen && { url: seen.url, at: toMoment(seen.at) },
    },
    sample: isPresent ? 'present' : config.demo || done.family ? 'impossible' : 'possible',
  };
}

/** Stores which items are skipped, and whether the dashboard hides the checklist. */
export async function chooseSetup(
  context: Context,
  actor: Actor,
  { skipped, dismissed }: { [Key in keyof SetupChoices]?: SetupChoices[Key] | undefined },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockSettings(tx.trx);
    const before = await readSetupChoices(tx.trx);
    const after = { skipped: skipped ?? before.skipped, dismissed: dismissed ?? before.dismissed };
    await writeSetupChoices(tx.trx, after);
    await context.audit.append(tx, {
      actor,
      action: 'setup.updated',
      details: { skipped: after.skipped.join(', '), dismissed: after.dismissed },
    });
    await context.events.append(tx, { type: 'settings.updated' });
  });
}
