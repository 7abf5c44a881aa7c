/** Every audit action of the server has a translation in both languages. */
import { AUDIT_ACTIONS, AUDIT_SUBJECTS } from '@haris/contract/audit';
import { describe, expect, it } from 'vitest';
import arabic from '../../i18n/ar/audit.json' with { type: 'json' };
import english from '../../i18n/en/audit.json' with { type: 'json' };
import { actionKey } from './action-key.ts';

describe.each([
  ['English', english],
  ['Arabic', arabic],
] as const)('%s', (_, texts) => {
  const actions: Readonly<Record<string, string>> = texts.actions;
  const subjects: Readonly<Record<string, string>> = texts.subjects;

  it.each(AUDIT_ACTIONS)('has words for %s', (action) => {
    expect(actions[actionKey(action)]).toMatch(/\S \S|\S{4,}/);
  });

  it.each(AUDIT_SUBJECTS)('names the subject %s', (kind) => {
    expect(subjects[kind]).toMatch(/\S/);
  });

  it('has no words for what is never written down', () => {
    expect(Object.keys(actions).sort()).toEqual(AUDIT_ACTIONS.map(actionKey).sort());
    expect(Object.keys(subjects).sort()).toEqual([...AUDIT_SUBJECTS].sort());
  });

  it('says something else of each action', () => {
    expect(new Set(Object.values(actions)).size).toBe(AUDIT_ACTIONS.length);
  });
});
