/** The route table of spec §2. Each screen is a chunk of its own. */
import { createBrowserRouter, type RouteObject } from 'react-router';
import { LoadingScreen } from '../ui/loading-screen.tsx';
import { CrashScreen } from './crash-screen.tsx';
import { needs, ParentOnly, ParentOrStaffForParent, SignedIn, StaffOnly } from './guards.tsx';
import { lazyScreen, lightScreen } from './lazy-screen.ts';
import { BEHIND_LOGIN, Shell } from './shell.tsx';

export type Router = ReturnType<typeof createBrowserRouter>;

const home = lightScreen(() => import('../features/home/home-screen.tsx'), 'home');

/** The build leaves these screens out. */
const developmentScreens = import.meta.env.DEV
  ? [
      {
        path: '/styleguide',
        lazy: lazyScreen(() => import('../features/styleguide/styleguide-screen.tsx')),
      },
    ]
  : [];

const routes: RouteObject[] = [
  {
    // A locked device: no header, no menu, no links.
    path: '/kiosk/:code?',
    HydrateFallback: LoadingScreen,
    ErrorBoundary: CrashScreen,
    lazy: lazyScreen(() => import('../features/kiosk/kiosk-screen.tsx'), 'kiosk', 'desk'),
  },
  {
    // Likewise, until somebody signs in.
    path: '/desk/:code?',
    HydrateFallback: LoadingScreen,
    ErrorBoundary: CrashScreen,
    lazy: lazyScreen(() => import('../features/desk/desk-screen.tsx'), 'desk', 'kiosk'),
  },
  {
    Component: Shell,
    HydrateFallback: Shell,
    ErrorBoundary: CrashScreen,
    children: [
      {
        ErrorBoundary: CrashScreen,
        children: [
          { path: '/', lazy: home },
          { path: '/overview', lazy: home },
          {
            path: '/login',
            lazy: lazyScreen(
              () => import('../features/auth/login-screen.tsx'),
              'auth',
              'vouching',
              'security',
            ),
          },
          {
            path: '/oidc',
            lazy: lazyScreen(() => import('../features/auth/provider-screen.tsx'), 'auth', 'security'),
          },
          {
            path: '/register',
            lazy: lazyScreen(() => import('../features/auth/register-screen.tsx'), 'auth'),
          },
          {
            path: '/adminPreLogin',
            lazy: lazyScreen(() => import('../features/auth/pre-login-screen.tsx'), 'auth'),
          },
          {
            path: '/verify/:token',
            lazy: lazyScreen(() => import('../features/auth/verify-admin-screen.tsx'), 'auth'),
          },
          {
            path: '/verify-parent/:token',
            lazy: lazyScreen(() => import('../features/auth/verify-parent-screen.tsx'), 'auth'),
          },
          {
            path: '/change-email/:token',
            lazy: lazyScreen(() => import('../features/auth/change-email-screen.tsx'), 'auth'),
          },
          {
            path: '/forgot-password',
            lazy: lazyScreen(() => import('../features/auth/forgot-screen.tsx'), 'auth'),
          },
          {
            path: '/privacy',
            lazy: lazyScreen(() => import('../features/legal/privacy-screen.tsx'), 'legal'),
          },
          { path: '/terms', lazy: lazyScreen(() => import('../features/legal/terms-screen.tsx'), 'legal') },
          {
            path: '/reset-password/:token',
            lazy: lazyScreen(() => import('../features/auth/reset-screen.tsx'), 'auth', 'security'),
          },
          {
            path: '/reach/:code',
            lazy: lazyScreen(() => import('../features/reach/reach-screen.tsx'), 'reach'),
          },
          {
            // The token is in the fragment, which browsers send to nobody.
            path: '/pass',
            lazy: lazyScreen(() => import('../features/pickup-pass/pass-screen.tsx'), 'pass'),
          },
          {
            path: '/camera/:code?',
            lazy: lazyScreen(
              () => import('../features/device-camera/device-camera-screen.tsx'),
              'device-camera',
            ),
          },
          {
            Component: ParentOnly,
            handle: BEHIND_LOGIN,
            children: [
              {
                path: '/profile',
                lazy: lazyScreen(
                  () => import('./profile.tsx'),
                  'profile',
                  'collectors',
                  'photo-field',
                  'bookings',
                  'care-card',
                  'care-log',
                  'stays',
                  'environment',
                  'live-picture',
                  'vouching',
                  'emergency',
                ),
              },
              {
                path: '/liveFeed',
                lazy: lazyScreen(
                  () => import('../features/live-feed/live-feed-screen.tsx'),
                  'live-feed',
                  'live-picture',
                ),
              },
            ],
          },
          {
            Component: SignedIn,
            handle: BEHIND_LOGIN,
            children: [
              {
                path: '/account',
                lazy: lazyScreen(
                  () => import('./account.tsx'),
                  'account',
                  'vouching',
                  'recognition',
                  'kiosk-pin',
                  'desk',
                  'security',
                  'roles',
                  'frame',
                  'photo-field',
                ),
              },
              {
                path: '/notices',
                lazy: lazyScreen(
                  () => import('../features/notifications/notifications-screen.tsx'),
                  'notifications',
                  'incidents',
                  'frame',
                ),
              },
              {
                path: '/password',
                lazy: lazyScreen(
                  () => import('../features/password/password-screen.tsx'),
                  'password',
                  'auth',
                ),
              },
            ],
          },
          {
            Component: ParentOrStaffForParent,
            handle: BEHIND_LOGIN,
            children: [
              {
                path: '/addChild',
                handle: needs('families.edit'),
                lazy: lazyScreen(
                  () => import('../features/add-child/add-child-screen.tsx'),
                  'add-child',
                  'vouching',
                ),
              },
            ],
          },
          {
            Component: StaffOnly,
            handle: BEHIND_LOGIN,
            children: [
              {
                path: '/adminDashboard',
                handle: needs('families.view'),
                lazy: lazyScreen(
                  () => import('./dashboard.tsx'),
                  'dashboard',
                  'bookings',
                  'care-card',
                  'approvals',
                  'child',
                  'kiosks',
                  'vouching',
                  'stays',
                  'environment',
                ),
              },
              {
                path: '/viewEmployees',
                handle: needs('staff.view'),
                lazy: lazyScreen(
                  () => import('./employees.tsx'),
                  'employees',
                  'recognition',
                  'roles',
                  'security',
                  'frame',
                ),
              },
              {
                path: '/roles',
                handle: needs('staff.view'),
                lazy: lazyScreen(() => import('../features/roles/roles-screen.tsx'), 'roles'),
              },
              {
                path: '/facilities',
                handle: needs('facilities.manage'),
                lazy: lazyScreen(
                  () => import('../features/facilities/facilities-screen.tsx'),
                  'facilities',
                  'frame',
                ),
              },
              {
                path: '/visitors',
                handle: needs('visitors.view'),
                lazy: lazyScreen(() => import('./visitors.tsx'), 'emergency', 'care-card'),
              },
              {
                path: '/importFamilies',
                handle: needs('families.import'),
                lazy: lazyScreen(() => import('../features/imports/import-screen.tsx'), 'imports'),
              },
              {
                path: '/cameras',
                handle: needs('cameras.view'),
                lazy: lazyScreen(
                  () => import('../features/cameras/cameras-screen.tsx'),
                  'cameras',
                  'live-picture',
                ),
              },
              {
                path: '/cameras/wall',
                handle: needs('cameras.view', 'live.watch'),
                lazy: lazyScreen(
                  () => import('../features/cameras/wall-screen.tsx'),
                  'cameras',
                  'live-picture',
                ),
              },
              {
                path: '/cameras/:id',
                handle: needs('cameras.view'),
                lazy: lazyScreen(
                  () => import('../features/cameras/camera-screen.tsx'),
                  'cameras',
                  'live-picture',
                  'pairing',
                ),
              },
              {
                path: '/rooms',
                handle: needs('rooms.view'),
                lazy: lazyScreen(() => import('../features/rooms/rooms-screen.tsx'), 'rooms'),
              },
              {
                path: '/headCounts',
                handle: needs('children.move'),
                lazy: lazyScreen(
                  () => import('../features/head-counts/head-counts-screen.tsx'),
                  'head-counts',
                ),
              },
              {
                path: '/headCounts/:id',
                handle: needs('children.move'),
                lazy: lazyScreen(
                  () => import('../features/head-counts/head-count-screen.tsx'),
                  'head-counts',
                ),
              },
              {
                path: '/deskConflicts',
                handle: needs('children.check_in'),
                lazy: lazyScreen(
                  () => import('../features/desk-conflicts/desk-conflicts-screen.tsx'),
                  'desk-conflicts',
                ),
              },
              {
                path: '/kiosks',
                handle: needs('kiosks.manage'),
                lazy: lazyScreen(() => import('../features/kiosks/kiosks-screen.tsx'), 'kiosks', 'pairing'),
              },
              {
                path: '/auditLog',
                handle: needs('audit.view'),
                lazy: lazyScreen(() => import('../features/audit/audit-screen.tsx'), 'audit', 'incidents'),
              },
              {
                path: '/sensors',
                handle: needs('sensors.view'),
                lazy: lazyScreen(() => import('../features/environment/sensors-screen.tsx'), 'environment'),
              },
              {
                path: '/settings/:part?',
                handle: needs('settings.view'),
                lazy: lazyScreen(
                  () => import('../features/settings/settings-screen.tsx'),
                  'settings',
                  'frame',
                ),
              },
              {
                path: '/alarmSettings',
                handle: needs('settings.view'),
                lazy: lazyScreen(
                  () => import('../features/incidents/incident-settings-screen.tsx'),
                  'incidents',
                  'frame',
                ),
              },
              {
                path: '/incidents',
                handle: needs('incidents.view'),
                lazy: lazyScreen(() => import('../features/incidents/incidents-screen.tsx'), 'incidents'),
              },
              {
                path: '/checkFace',
                handle: needs('families.edit'),
                lazy: lazyScreen(
                  () => import('./check-face.tsx'),
                  'check-face',
                  'add-child',
                  'child',
                  'dashboard',
                  'bookings',
                  'stays',
                ),
              },
              {
                path: '/reports',
                handle: needs('reports.view'),
                lazy: lazyScreen(() => import('../features/reports/reports-screen.tsx'), 'reports'),
              },
            ],
          },
          ...developmentScreens,
          { path: '*', lazy: home },
        ],
      },
    ],
  },
];

/** Creates the router, starting at the address that the browser shows. */
export function createRouter(): Router {
  return createBrowserRouter(routes);
}
