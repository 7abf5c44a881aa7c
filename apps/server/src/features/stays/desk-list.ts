/** The list of children that a desk tablet keeps for a time without a connection, sealed for who signed in there last (decision 055). */
import type { CareCard } from '@haris/contract/care-card';
import { DESK_LIST_CONTEXT, type DeskList, type KeptChild } from '@haris/contract/desk-list';
import { describeFailure } from '@haris/runtime/log';
import type { DeskDevice } from '../../actor.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findBarredAmong } from '../../db/barred-adults.ts';
import { findCareCards, findCareSigns } from '../../db/care-cards.ts';
import { findChildrenForDesk, type ListedChild } from '../../db/desk-list.ts';
import { type DeskTicketRow, findLastDeskTicket } from '../../db/desk-tickets.ts';
import { findPermissions } from '../../db/memberships.ts';
import { hasEndedLink } from '../../db/oidc.ts';
import { recordReading } from '../../db/read-audit.ts';
import { readSettings } from '../../db/settings.ts';
import { findStaffMember } from '../../db/staff.ts';
import { deskListKey } from '../../desk-list-key.ts';
import { currentFacility } from '../../facility.ts';
import { barTestOf, isAccountBarred } from '../../hand-over/adults.ts';
import { permissionsAt } from '../../policy.ts';
import { seal } from '../../vault/vault.ts';

/** `revision` null: the tablet must keep none. Without `sealed`: it has the list of now. */
export interface SealedList {
  readonly revision: string | null;
  /** Base64url. */
  readonly sealed?: string;
  readonly until?: string;
}

/**
 * The list for a tablet, sealed with the key of the last sign-in there, and as that person may read it now. `known`: the revision of the
 * list that the tablet has. Handing the list out is recorded, at most once in a quarter of an hour for each person.
 */
export async function readDeskList(
  context: Context,
  desk: DeskDevice,
  known: string | undefined,
): Promise<SealedList> {
  const reader = await findReader(context, desk);
  if (!reader) return { revision: null };
  const { ticket, seesCare } = reader;
  const text = JSON.stringify(await compose(context, seesCare));
  // With the ticket: who signs in anew cannot open the list of before.
  const revision = context.vault.mac('desk list', `${ticket.token_hash} ${text}`);
  if (revision === known) return { revision };
  await recordReading(context, desk, {
    action: 'desk_list.read',
    subject: { kind: 'kiosk', id: desk.id },
    details: { staffId: ticket.staff_id },
  });
  return {
    revision,
    sealed: seal(deskListKey(context, ticket), DESK_LIST_CONTEXT, Buffer.from(text)).toString('base64url'),
    until: toMoment(ticket.expires_at),
  };
}

/** Who can open the list, with the rights of now; undefined if nobody may. */
async function findReader(
  { config, clock, db, vault }: Context,
  desk: DeskDevice,
): Promise<{ readonly ticket: DeskTicketRow; readonly seesCare: boolean } | undefined> {
  if (!(await readSettings(db, config)).deskOffline) return undefined;
  const ticket = await findLastDeskTicket(db, vault, desk.id, clock.now());
  if (!ticket) return undefined;
  const id = ticket.staff_id;
  if (!(await findStaffMember(db, id)) || (await hasEndedLink(db, id))) return undefined;
  const own = (await findPermissions(db, currentFacility(), [id])).get(id);
  const permissions = permissionsAt(own ?? new Set(), desk.id);
  if (!permissions.has('families.view')) return undefined;
  return { ticket, seesCare: permissions.has('care.view') };
}

async function compose(context: Context, seesCare: boolean): Promise<DeskList> {
  const { db, vault } = context;
  const children = await findChildrenForDesk(db);
  const inside = children.filter(isInside);
  const ids = inside.map(({ id }) => id);
  const cards = seesCare ? await findCareCards(db, vault, ids) : new Map<string, CareCard>();
  const haveCards = new Set(
    seesCare ? (await findCareSigns(db, vault, currentFacility())).map(({ childId }) => childId) : [],
  );
  const haveBars = await findBarredAmong(db, ids);
  const listed: KeptChild[] = [];
  for (const child of inside) {
    const card = cards.get(child.id) ?? null;
    const kept: KeptChild = {
      id: child.id,
      name: child.name,
      isUnconfirmed: child.photo_confirmed_at === null || child.name_confirmed_at === null,
      guardian: { name: child.parent_name, phone: child.phone },
      room: child.room_name,
      entryTime: toMoment(child.entry_time),
      duration: child.duration,
      card,
      isCardUnreadable: card === null && haveCards.has(child.id),
    };
    listed.push(haveBars.has(child.id) ? await withoutBarred(context, child.parent_id, kept) : kept);
  }
  return {
    inside: listed,
    outside: children.filter((child) => !isInside(child)).map(({ id, name }) => ({ id, name })),
  };
}

type InsideChild = ListedChild & { readonly entry_time: number; readonly duration: number };

function isInside(child: ListedChild): child is InsideChild {
  return child.entry_time !== null && child.duration !== null;
}

/**
 * A child with a bar, without the adults who are barred or sound like it: their names and phones must not lie on a tablet. What the
 * family has written in a note of the card stays.
 */
async function withoutBarred(context: Context, parentId: string, child: KeptChild): Promise<KeptChild> {
  const { db } = context;
  try {
    const isBarred = await barTestOf(context, db, child.id);
    const card = child.card && {
      ...child.card,
      contacts: child.card.contacts.filter((contact) => !isBarred(contact)),
    };
    return {
      ...child,
      card,
      guardian: (await isAccountBarred(context, db, child.id, parentId)) ? null : child.guardian,
    };
  } catch (error) {
    // The others are on the list all the same, and so is the child.
    context.log.error(
      describeFailure(error),
      'the bars of a child on the list of a desk tablet could not be read',
    );
    return { ...child, guardian: null, card: child.card && { ...child.card, contacts: [] } };
  }
}
