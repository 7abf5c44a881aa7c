/** The route table of spec §2. Each screen is a chunk of its own. */
import { createBrowserRouter } from 'react-router';
import { CrashScreen } from './crash-screen.tsx';
import { ParentOnly, ParentOrStaffForParent, SignedIn, StaffOnly } from './guards.tsx';
import { lazyScreen, lightScreen } from './lazy-screen.ts';
import { Shell } from './shell.tsx';

const home = lightScreen(() => import('../features/home/home-screen.tsx'), 'home');

/** The build leaves them out. */
const developmentScreens = import.meta.env.DEV
  ? [
      {
        path: '/styleguide',
        lazy: lazyScreen(() => import('../features/styleguide/styleguide-screen.tsx')),
      },
    ]
  : [];

export const router = createBrowserRouter([
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
            lazy: lazyScreen(() => import('../features/auth/login-screen.tsx'), 'auth', 'vouching'),
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
            lazy: lazyScreen(() => import('../features/auth/reset-screen.tsx'), 'auth'),
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
            children: [
              {
                path: '/profile',
                lazy: lazyScreen(
                  () => import('./profile.tsx'),
                  'profile',
                  'stays',
                  'environment',
                  'notices',
                  'recognition',
                  'password',
                  'vouching',
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
            children: [
              {
                path: '/notices',
                lazy: lazyScreen(
                  () => import('../features/notices/notices-screen.tsx'),
                  'notices',
                  'incidents',
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
            children: [
              {
                path: '/addChild',
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
            children: [
              {
                path: '/adminDashboard',
                lazy: lazyScreen(
                  () => import('./dashboard.tsx'),
                  'dashboard',
                  'vouching',
                  'stays',
                  'employees',
                  'entry-slip',
                  'environment',
                  'incidents',
                ),
              },
              {
                path: '/viewEmployees',
                lazy: lazyScreen(() => import('./employees.tsx'), 'employees', 'recognition'),
              },
              {
                path: '/importFamilies',
                lazy: lazyScreen(() => import('../features/imports/import-screen.tsx'), 'imports'),
              },
              {
                path: '/cameras',
                lazy: lazyScreen(
                  () => import('../features/cameras/cameras-screen.tsx'),
                  'cameras',
                  'live-picture',
                ),
              },
              {
                path: '/cameras/wall',
                lazy: lazyScreen(
                  () => import('../features/cameras/wall-screen.tsx'),
                  'cameras',
                  'live-picture',
                ),
              },
              {
                path: '/cameras/:id',
                lazy: lazyScreen(
                  () => import('../features/cameras/camera-screen.tsx'),
                  'cameras',
                  'live-picture',
                ),
              },
              {
                path: '/auditLog',
                lazy: lazyScreen(() => import('../features/audit/audit-screen.tsx'), 'audit'),
              },
              {
                path: '/sensors',
                lazy: lazyScreen(() => import('../features/environment/sensors-screen.tsx'), 'environment'),
              },
              {
                path: '/alarmSettings',
                lazy: lazyScreen(
                  () => import('../features/incidents/alarm-settings-screen.tsx'),
                  'incidents',
                ),
              },
              {
                path: '/incidents',
                lazy: lazyScreen(() => import('../features/incidents/incidents-screen.tsx'), 'incidents'),
              },
              {
                path: '/checkFace',
                lazy: lazyScreen(() => import('../features/check-face/check-face-screen.tsx'), 'check-face'),
              },
              {
                path: '/reports',
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
]);
