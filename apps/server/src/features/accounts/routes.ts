/** Binds all calls of accounts. */
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { bindDesk } from './desk-routes.ts';
import { bindFactors, bindSessions } from './factor-routes.ts';
import { bindKioskLeave } from './kiosk-leave.ts';
import { bindOidc } from './oidc-routes.ts';
import { bindOwnAccount } from './own-account-routes.ts';
import { bindOwnProfile } from './own-profile-routes.ts';
import { bindParents } from './parent-routes.ts';
import { bindRegistration } from './registration-routes.ts';
import { bindRoles } from './role-routes.ts';
import { bindSignIn } from './sign-in-routes.ts';
import { bindStaff } from './staff-routes.ts';
import { bindVouching } from './vouching-routes.ts';

export function accountFeature(app: FastifyInstance, context: Context): void {
  bindSignIn(app, context);
  bindOidc(app, context);
  bindOwnAccount(app, context);
  bindOwnProfile(app, context);
  bindFactors(app, context);
  bindSessions(app, context);
  bindRegistration(app, context);
  bindVouching(app, context);
  bindParents(app, context);
  bindStaff(app, context);
  bindRoles(app, context);
  bindKioskLeave(app, context);
  bindDesk(app, context);
}
