/** The list of children that a desk tablet keeps for a time without a connection, sealed for who signed in there last (decision 055). */
import type { CareCard } from '@haris/contract/care-card';
import {
  DESK_LIST_CONTEXT,
  type DeskList,
  type KeptChild,
  type OutsideChild,
} from '@haris/contract/desk-list';
import { describeFailure } from '@haris/runtime/log';
import type { DeskDevice } from '../../actor.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findCareCards } from '../../db/care-cards.ts';
import { findChildrenForDesk, type ListedChild } from '../../db/desk-list.ts';
import { type DeskTicketRow, findLastDeskTicket } from '../../db/desk-tickets.ts';
import { findPermissions } from '../../db/memberships.ts';
import { hasEndedLink } from '../../db/oidc.ts';
import { recordReading } from '../../db/read-audit.ts';
import { findRooms } from '../../db/rooms.ts';
import { readSettings } from '../../db/settings.ts';
import { findStaffMember } from '../../db/staff.ts';
import { deskListKey } from '../../desk-list-key.ts';
import { currentFacility } from '../../facility.ts';
import { barTestOf, isAccountBarred } from '../../hand-over/adults.ts';
import { permissionsAt } from '../../policy.ts';
import { hasHardLimit } from '../../rooms/places.ts';
import { seal } from '../../vault/vault.ts';

/** `revision` null: the tablet must keep none. Without `sealed`: it has the list of now. */
export interface SealedList {
  readonly revision: string | null;
  /** Base64url. */
  readonly sealed?: string;
  readonly until?: string;
}

/** In whose name the list is made, and what that person may do at this tablet. */
interface ListReader {
  readonly ticket: DeskTicketRow;
  readonly seesCare: boolean;
  readonly mayCheckIn: boolean;
}

/** Of a child outside, what the list of somebody who may not check children in leaves out. */
const NAME_ALONE = { isUnconfirmed: false, guardian: null, homeRoomId: null, hasCard: false } as const;

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
  const { ticket } = reader;
  const text = JSON.stringify(await compose(context, reader));
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
): Promise<ListReader | undefined> {
  if (!(await readSettings(db, config)).deskOffline) return undefined;
  const ticket = await findLastDeskTicket(db, vault, desk.id, clock.now());
  if (!ticket) return undefined;
  const id = ticket.staff_id;
  if (!(await findStaffMember(db, id)) || (await hasEndedLink(db, id))) return undefined;
  const own = (await findPermissions(db, currentFacility(), [id])).get(id);
  const permissions = permissionsAt(own ?? new Set(), desk.id);
  if (!permissions.has('families.view')) return undefined;
  const [seesCare, mayCheckIn] = [permissions.has('care.view'), permissions.has('children.check_in')];
  return { ticket, seesCare, mayCheckIn };
}

/**
 * The list is made anew for each question, every few seconds where much happens. So only the cards of children inside are opened, and of the
 * others the database says whether there is one.
 */
async function compose(
  context: Context,
  { seesCare, mayCheckIn }: Pick<ListReader, 'seesCare' | 'mayCheckIn'>,
): Promise<DeskList> {
  const { db, vault } = context;
  const children = await findChildrenForDesk(db);
  const inside = children.filter(isInside);
  const ids = inside.map(({ id }) => id);
  const cards = seesCare ? await findCareCards(db, vault, ids) : null;
  const list: DeskList = { inside: [], outside: [], checkIn: mayCheckIn ? await checkInOf(context) : null };
  for (const child of inside) list.inside.push(await keptChild(context, child, cards));
  for (const child of children.filter((one) => !isInside(one)))
    list.outside.push(
      mayCheckIn
        ? await outsideChild(context, child, seesCare)
        : { ...NAME_ALONE, id: child.id, name: child.name },
    );
  return list;
}

/** What check-ins need: until places are reserved for tablets, only a room without a hard limit takes children during a cut. */
async function checkInOf({ db }: Context): Promise<DeskList['checkIn']> {
  const rooms = (await findRooms(db, currentFacility())).filter((room) => !hasHardLimit(room));
  return { rooms: rooms.map(({ id, name, is_default }) => ({ id, name, isDefault: is_default === 1 })) };
}

type InsideChild = ListedChild & { readonly entry_time: number; readonly duration: number };

function isInside(child: ListedChild): child is InsideChild {
  return child.entry_time !== null && child.duration !== null;
}

const isUnconfirmed = ({ photo_confirmed_at, name_confirmed_at }: ListedChild) =>
  photo_confirmed_at === null || name_confirmed_at === null;

/** `cards`: those that can be read; null for somebody who may not see them. */
async function keptChild(
  context: Context,
  child: InsideChild,
  cards: ReadonlyMap<string, CareCard> | null,
): Promise<KeptChild> {
  const { id, name, parent_id, parent_name, phone, room_name, entry_time, duration } = child;
  const card = cards?.get(id) ?? null;
  const kept: KeptChild = {
    id,
    name,
    isUnconfirmed: isUnconfirmed(child),
    guardian: { name: parent_name, phone },
    room: room_name,
    entryTime: toMoment(entry_time),
    duration,
    card,
    isCardUnreadable: cards !== null && card === null && child.has_card === 1,
  };
  return child.is_barred === 1 ? withoutBarred(context, parent_id, kept) : kept;
}

async function outsideChild(context: Context, child: ListedChild, seesCare: boolean): Promise<OutsideChild> {
  const { id, name, parent_name, home_room_id } = child;
  return {
    id,
    name,
    isUnconfirmed: isUnconfirmed(child),
    guardian: child.is_barred === 1 && !(await mayBeNamed(context, child)) ? null : parent_name,
    homeRoomId: home_room_id,
    hasCard: seesCare && child.has_card === 1,
  };
}

/** Whether the first guardian of a child with a bar is nobody who is barred or sounds like it. */
async function mayBeNamed(context: Context, { id, parent_id }: ListedChild): Promise<boolean> {
  try {
    return !(await isAccountBarred(context, context.db, id, parent_id));
  } catch (error) {
    logUnreadable(context, error);
    return false;
  }
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
    logUnreadable(context, error);
    return { ...child, guardian: null, card: child.card && { ...child.card, contacts: [] } };
  }
}

function logUnreadable({ log }: Context, error: unknown): void {
  log.error(describeFailure(error), 'the bars of a child on the list of a desk tablet could not be read');
}
