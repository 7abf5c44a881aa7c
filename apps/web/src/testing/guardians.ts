/** Guardians and questions to become one, for page tests: each function fills the fields that a test does not set. */
import type { Guardian, GuardianRequest } from '@haris/contract/http/guardians';

/** The first guardian, with all rights. */
export function guardian(more: Partial<Guardian> = {}): Guardian {
  return {
    parentId: 'parent-mona',
    name: 'Mona Hassan',
    email: 'mona@haris.example',
    phone: '01001234567',
    isFirst: true,
    mayLive: true,
    mayEdit: true,
    mayCollect: true,
    mayTake: true,
    askedAt: '2026-05-01T10:15:00.000Z',
    acceptedAt: '2026-05-01T10:15:00.000Z',
    isBlocked: false,
    ...more,
  };
}

/** Another household's, who watches. */
export function furtherGuardian(more: Partial<Guardian> = {}): Guardian {
  return guardian({
    parentId: 'parent-tarek',
    name: 'Tarek Hassan',
    email: 'tarek@haris.example',
    phone: '01119876543',
    isFirst: false,
    mayEdit: false,
    mayCollect: false,
    mayTake: false,
    acceptedAt: '2026-05-04T10:15:00.000Z',
    ...more,
  });
}

/** Somebody who was asked on 3 May and has not answered. */
export function askedGuardian(more: Partial<Guardian> = {}): Guardian {
  return furtherGuardian({
    parentId: 'parent-hoda',
    name: null,
    email: 'hoda@haris.example',
    phone: null,
    askedAt: '2026-05-03T10:15:00.000Z',
    acceptedAt: null,
    ...more,
  });
}

/** A question about a child of another family. */
export function guardianRequest(more: Partial<GuardianRequest> = {}): GuardianRequest {
  return {
    childId: 'child-sara',
    childName: 'Sara',
    facility: 'Little Stars',
    askedAt: '2026-05-03T10:15:00.000Z',
    mayLive: true,
    mayEdit: false,
    mayCollect: false,
    mayTake: false,
    ...more,
  };
}
