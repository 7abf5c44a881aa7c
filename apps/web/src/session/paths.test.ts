import { describe, expect, it } from 'vitest';
import { pathAfterLogin } from './paths.ts';

describe('pathAfterLogin', () => {
  it('goes back to where the person was', () => {
    expect(pathAfterLogin({ from: '/addChild?parentId=7' }, 'admin')).toBe('/addChild?parentId=7');
  });

  it('goes home without a past', () => {
    expect(pathAfterLogin(null, 'admin')).toBe('/adminDashboard');
    expect(pathAfterLogin({}, 'parent')).toBe('/profile');
  });

  it('never goes to a screen of the other kind, nor to another site', () => {
    expect(pathAfterLogin({ from: '/viewEmployees' }, 'parent')).toBe('/profile');
    expect(pathAfterLogin({ from: '/profile' }, 'admin')).toBe('/adminDashboard');
    expect(pathAfterLogin({ from: '//evil.example' }, 'parent')).toBe('/profile');
    expect(pathAfterLogin({ from: 'https://evil.example' }, 'parent')).toBe('/profile');
  });
});
