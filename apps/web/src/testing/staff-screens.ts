/** The screens of staff, from the route table, so that no test forgets a new one. */
import type { Permission } from '@haris/contract/permissions';
import { isValidElement } from 'react';
import type { RouteObject } from 'react-router';
import { ParentOrStaffForParent, SignedIn, StaffOnly } from '../app/guards.tsx';
import { createRouter } from '../app/router.tsx';
import { busyIds } from './busy-house.ts';

/** The address of a screen, and the permissions without which it is not shown. */
export interface StaffScreen {
  readonly path: string;
  readonly needs: readonly Permission[];
}

/** The permissions that a route asks for. */
export function needsOf({ handle }: RouteObject): readonly Permission[] {
  return typeof handle === 'object' && handle !== null && 'needs' in handle ? handle.needs : [];
}

const GUARDS = [StaffOnly, SignedIn, ParentOrStaffForParent];

/** Addresses of the screens behind the guards of staff; parameters are filled in. */
function screensIn(routes: readonly RouteObject[], isInside = false): StaffScreen[] {
  return routes.flatMap((route): StaffScreen[] => {
    // The router keeps components as elements.
    const guard = isValidElement(route.element) ? route.element.type : undefined;
    const inside = isInside || GUARDS.some((one) => one === guard);
    if (route.children !== undefined) return screensIn(route.children, inside);
    if (!inside || route.path === undefined) return [];
    const needs = needsOf(route);
    return addressesOf(route.path).map((path) => ({ path, needs }));
  });
}

const SETTINGS_PARTS = ['start', 'facility', 'sign-in', 'mail', 'phones', 'health', 'sample', 'account'];

function addressesOf(path: string): string[] {
  if (path === '/settings/:part?') return SETTINGS_PARTS.map((part) => `/settings/${part}`);
  if (path === '/addChild') return [`/addChild?parentId=${busyIds.family}`];
  if (path === '/adminDashboard')
    return [
      path,
      ...[busyIds.inside, busyIds.outside].map((id) => `${path}?child=${id}`),
      `${path}?family=${busyIds.family}`,
    ];
  return [path.replace(':id', busyIds.camera)];
}

/** Addresses of all screens that staff can open, in the facility of `busyHouse`: each sheet and each part of the settings is one. */
export function staffScreens(): StaffScreen[] {
  const router = createRouter();
  const screens = screensIn(router.routes as RouteObject[]);
  router.dispose();
  return screens;
}
