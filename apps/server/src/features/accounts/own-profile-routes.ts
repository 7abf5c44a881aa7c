/** Calls with which staff change their own name and photo, and the photos that colleagues and desk tablets show. */
import { staffProfileRoutes } from '@haris/contract/http/staff-profile';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findPhotographedStaff, openPhoto } from '../../db/photos.ts';
import { findDeskStaff } from '../../db/staff-pins.ts';
import { bind } from '../../http/bind.ts';
import { may } from '../../policy.ts';
import { removeOwnPhoto, updateOwnProfile } from './own-profile.ts';
import { presentOwnAccount } from './present-staff.ts';
import { getStaffMember } from './staff.ts';

/** How long browsers may keep a photo (contract §2). Seconds. */
const PHOTO_MAX_AGE_S = 300;

export function bindOwnProfile(app: FastifyInstance, context: Context): void {
  const own = async (actor: Actor) =>
    presentOwnAccount(context, await getStaffMember(context, actor.id), actor);
  bind(app, context, staffProfileRoutes.updateOwnProfile, {
    async handle({ actor, body, files }) {
      await updateOwnProfile(context, actor, { name: body?.name, photo: files.photo });
      return { message: 'Saved', admin: await own(actor) };
    },
  });
  bind(app, context, staffProfileRoutes.removeOwnPhoto, {
    async handle({ actor }) {
      await removeOwnPhoto(context, actor);
      return { message: 'Your photo was deleted.', admin: await own(actor) };
    },
  });
  bind(app, context, staffProfileRoutes.getStaffPhoto, {
    async find({ actor, params }) {
      const id = await shownBy(context, params.id);
      if (id !== actor.id && !may(actor, 'staff.view')) throw new AppError('not_found');
      return id;
    },
    handle: ({ params, subject, reply }) => sendPhoto(context, reply, subject, params.id),
  });
  bind(app, context, staffProfileRoutes.getDeskPhoto, {
    async find({ params }) {
      const id = await shownBy(context, params.id);
      if (!(await findDeskStaff(context.db)).some((member) => member.id === id))
        throw new AppError('not_found');
      return id;
    },
    handle: ({ params, subject, reply }) => sendPhoto(context, reply, subject, params.id),
  });
}

/** The staff member in the photo. Throws 404. */
async function shownBy({ db }: Context, photoId: string): Promise<string> {
  const id = photoId.includes('\0') ? undefined : await findPhotographedStaff(db, photoId);
  if (id === undefined) throw new AppError('not_found');
  return id;
}

/** Viewing is not recorded: the photo is of a colleague, who uploaded it to be shown. */
async function sendPhoto(context: Context, reply: FastifyReply, id: string, photoId: string): Promise<never> {
  const jpeg = await openPhoto(context.db, context, photoId, { owner_kind: 'admin', owner_id: id });
  if (!jpeg) throw new AppError('not_found');
  return reply
    .header('cache-control', `private, max-age=${PHOTO_MAX_AGE_S}`)
    .header('vary', 'authorization')
    .header('content-disposition', 'inline')
    .type('image/jpeg')
    .send(jpeg);
}
