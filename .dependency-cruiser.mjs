// The import arrows of docs/architecture.md. Rules match by place: a new app or feature needs no line here. A new room of the
// server does: it gets its place in the order of SERVER_ROOMS.

const test = '\\.test\\.tsx?$';
/** Helpers of tests, which live in a folder `testing` beside what they help to test. */
const testing = '/testing/';
const tests = [test, testing];
/**
 * Everything of ours but what the expression names.
 * @param {string} except
 */
const ours = (except) => `^(packages/(?!${except})|apps/|e2e/|bench/|scripts/)`;

/** The rooms below the server's features: each may import only the rooms named here. */
const SERVER_ROOMS = {
  vault: [],
  mqtt: [],
  db: ['vault'],
  queue: [],
  mail: ['db', 'queue', 'vault'],
  http: ['db', 'vault'],
  vision: ['db', 'vault'],
  erasure: ['db'],
  proposals: ['db', 'mail', 'vision'],
  rooms: ['db'],
  'hand-over': ['db', 'vault'],
  notifications: ['db'],
  backup: ['db', 'vault', 'erasure', 'hand-over'],
};
const serverRooms = Object.keys(SERVER_ROOMS).join('|');

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'declared-in-own-package',
      comment: 'What runs in production stands in the dependencies of its own package.json, not of the root.',
      severity: 'error',
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'packages-by-name',
      comment: 'Import @haris/contract/..., not a relative path into another package.',
      severity: 'error',
      from: { path: '^((?:apps|packages)/[^/]+)/' },
      to: {
        path: '^(apps|packages)/',
        pathNot: '^$1/',
        dependencyTypes: ['local'],
        dependencyTypesNot: ['npm'],
      },
    },

    // Between packages and programs.
    {
      name: 'contract-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^packages/contract/', pathNot: tests },
      to: { path: ours('contract/') },
    },
    {
      name: 'painter-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^packages/painter/', pathNot: tests },
      to: { path: ours('painter/') },
    },
    {
      name: 'runtime-imports-contract-only',
      severity: 'error',
      from: { path: '^packages/runtime/', pathNot: tests },
      to: { path: ours('(runtime|contract)/') },
    },
    {
      name: 'web-imports-contract-only',
      severity: 'error',
      from: { path: '^apps/web/', pathNot: tests },
      to: { path: '^packages/(?!contract/)' },
    },
    {
      name: 'programs-import-runtime-and-contract-only',
      severity: 'error',
      from: { path: '^apps/', pathNot: [...tests, '^apps/web/', '^apps/server/src/demo\\.'] },
      to: { path: '^packages/(?!(contract|runtime)/)' },
    },
    {
      name: 'demo-imports-painter-too',
      severity: 'error',
      from: { path: '^apps/server/src/demo\\.', pathNot: tests },
      to: { path: '^packages/(?!(contract|runtime|painter)/)' },
    },
    {
      name: 'apps-never-import-apps',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: tests },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'product-never-imports-its-checks',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: tests },
      to: { path: ['^(e2e|bench|scripts)/', ...tests] },
    },

    // Inside an app: main → app → features → everything below (db, http, ui, client, ...).
    {
      name: 'features-never-import-each-other',
      severity: 'error',
      from: { path: '^(apps/[^/]+/src)/features/([^/]+)/', pathNot: tests },
      to: { path: '^$1/features/', pathNot: '^$1/features/$2/' },
    },
    {
      name: 'features-never-import-app',
      severity: 'error',
      from: { path: '^(apps/[^/]+/src)/features/', pathNot: tests },
      to: { path: '^$1/(app|main)[./]' },
    },
    {
      name: 'what-lies-below-imports-no-feature',
      comment: 'Folders beside features/ and app/, and config, know neither of the two.',
      severity: 'error',
      from: {
        path: '^(apps/[^/]+/src)/([^/]+/|config\\.)',
        pathNot: [...tests, '^apps/[^/]+/src/(app|features)/'],
      },
      to: { path: '^$1/(app|main|features)[./]' },
    },
    ...Object.entries(SERVER_ROOMS).map(([room, below]) => ({
      name: `server-${room}-imports-${below.join('-and-') || 'no-room'}`,
      comment: 'The order of the rooms stands in docs/architecture.md.',
      severity: /** @type {const} */ ('error'),
      from: { path: `^apps/server/src/${room}/`, pathNot: tests },
      to: { path: `^apps/server/src/(?!(?:${[room, ...below].join('|')})/)[^/]+/` },
    })),
    {
      name: 'lowest-server-rooms-know-no-context',
      comment: 'The context holds parts of every room; these rooms are given what they need.',
      severity: 'error',
      from: { path: '^apps/server/src/(vault|mqtt|db)/', pathNot: tests },
      to: { path: '^apps/server/src/context\\.' },
    },
    {
      name: 'server-config-imports-no-room',
      comment: 'db/ reads the configuration, so whatever it imports lies below db/.',
      severity: 'error',
      from: { path: '^apps/server/src/config\\.', pathNot: tests },
      to: { path: '^apps/server/src/[^/]+/' },
    },
    {
      name: 'each-server-room-has-its-place-in-the-order',
      comment: 'Add the room to SERVER_ROOMS and to docs/architecture.md.',
      severity: 'error',
      from: { path: `^apps/server/src/(?!(?:features|${serverRooms})/)[^/]+/`, pathNot: tests },
      to: { path: '^apps/server/src/[^/]+/' },
    },
    {
      name: 'parts-of-the-dashboard-never-import-each-other',
      comment: 'What two parts share lies below them: lists, stays, undo, moves, proposals.',
      severity: 'error',
      from: { path: '^(apps/web/src/features/dashboard)/(inside|families|entry|desk-scan|sidebar)/' },
      to: { path: '^$1/(inside|families|entry|desk-scan|sidebar|[^/]+$)', pathNot: '^$1/$2/' },
    },
    {
      name: 'what-the-dashboard-shares-imports-no-part',
      comment: 'In this order: lists, stays, undo, moves, proposals.',
      severity: 'error',
      from: { path: '^(apps/web/src/features/dashboard)/(lists|stays|undo|moves|proposals)/' },
      to: { path: '^$1/(inside|families|entry|desk-scan|sidebar|frame|[^/]+$)' },
    },
    {
      name: 'nobody-imports-main',
      severity: 'error',
      from: { pathNot: tests },
      to: { path: '^apps/[^/]+/src/main\\.' },
    },
  ],
  options: {
    parser: 'swc', // dependency-cruiser cannot use TypeScript 7
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^((apps|packages)/[^/]+/dist|\\.cache|test-results)/' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
