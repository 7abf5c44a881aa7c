/**
 * The facility that a piece of work is for (decision 048). Every query on a table of facilities is limited to it
 * (`db/facility-plugin.ts`), so that no caller can forget it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The facility that an installation begins with. Where only one name can be shown, its name stands for the organisation. */
export const MAIN_FACILITY = 'main';

/** In a membership: every facility, including future ones. In an audit row or event: not tied to one facility. */
export const ALL_FACILITIES = '';

/** A facility's id; `all`: work for the whole organisation; `none`: a request whose sender is not known yet. */
type Scope = { readonly facility: string } | 'all' | 'none';

/** The scope of a request, which changes once its sender is known. */
export interface RequestScope {
  scope: Scope;
}

const scopes = new AsyncLocalStorage<RequestScope>();

/** Work was done for no facility although it belongs to one. A defect: the request fails with 500. */
export class FacilityScopeError extends Error {
  override name = 'FacilityScopeError';
}

/** The current scope. Outside of requests and of {@link inFacility} it is the whole organisation. */
function currentScope(): Scope {
  return scopes.getStore()?.scope ?? 'all';
}

/**
 * The current scope in one word, for the policies of PostgreSQL: a facility's id, an empty string for the whole
 * organisation, and `-`, which is not an id, before the sender is known.
 */
export function scopeName(): string {
  const scope = currentScope();
  if (scope === 'none') return '-';
  return scope === 'all' ? '' : scope.facility;
}

/** Runs work for one facility. */
export function inFacility<T>(facility: string, work: () => T): T {
  return scopes.run({ scope: { facility } }, work);
}

/** Runs work for the whole organisation, such as signing in, which belongs to no facility. */
export function acrossFacilities<T>(work: () => T): T {
  return scopes.run({ scope: 'all' }, work);
}

/** Runs a request in its own scope, which its sender decides later. */
export function inScopeOf<T>(request: RequestScope, work: () => T): T {
  return scopes.run(request, work);
}

/** The facility of the current work; null if it is for the whole organisation. Throws {@link FacilityScopeError}. */
export function facilityOrNull(): string | null {
  const scope = currentScope();
  if (scope === 'none') throw new FacilityScopeError('the facility is not known yet');
  return scope === 'all' ? null : scope.facility;
}

/** The facility of the current work; the main one stands for the whole organisation. */
export function facilityOrMain(): string {
  return facilityOrNull() ?? MAIN_FACILITY;
}

/** The facility of the current work. Throws {@link FacilityScopeError} if it is for the whole organisation. */
export function currentFacility(): string {
  const facility = facilityOrNull();
  if (facility === null) throw new FacilityScopeError('this work belongs to one facility');
  return facility;
}
