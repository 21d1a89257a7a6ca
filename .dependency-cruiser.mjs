import { WINGS } from './tools/wings.ts'

const TESTS = '(\\.test\\.tsx?$|^test/)'
const ADMIN = '^web/(app|ui|lib|features/[^/]+/[^/]+)/admin/'
const AGENT = '^web/(app|ui|features/[^/]+/[^/]+)/agent/'
/** Imports against the order, to be mended: a list that is paid by card, and batches on the page of orders. */
const UPWARDS = {
  orders: ['^web/features/card/payments/(api|load-card-popup|pay-by-card|waiting-payments)\\.ts$', '^web/features/delivery/batches/admin/'],
}
const PRODUCT = '^(server|shared|web|sandbox|db)/'

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycle',
      severity: 'error',
      comment: 'Two files that need each other are one file, or lack a third below both.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      comment: 'An import that leads nowhere would slip past every rule that looks at where it leads.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-package',
      severity: 'error',
      comment: 'What is imported stands in package.json.',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-dev-package',
      severity: 'error',
      comment: '`npm ci --omit=dev && npm start` builds and serves the shop.',
      from: { path: [PRODUCT, '^vite\\.config\\.ts$', '^tools/(build-if-stale|build-web|precompress)\\.ts$'], pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'npm-optional', 'npm-peer'] },
    },
    {
      name: 'no-test-code',
      severity: 'error',
      comment: 'The product knows nothing of its tests; bench and tools may use the builders of `test`, not a test.',
      from: { path: PRODUCT, pathNot: TESTS },
      to: { path: TESTS },
    },
    {
      name: 'no-import-of-a-test',
      severity: 'error',
      from: {},
      to: { path: '\\.(test|spec)\\.tsx?$' },
    },
    {
      name: 'no-tooling',
      severity: 'error',
      comment: 'Tools and benches stand on the product, not under it.',
      from: { path: PRODUCT, pathNot: TESTS },
      to: { path: '^(tools|bench)/' },
    },

    {
      name: 'layers-nothing-above-features',
      severity: 'error',
      comment: 'main.ts, open-shop.ts and app.ts put the layers together.',
      from: { path: '^server/(features|ledger|integrations|platform)/', pathNot: TESTS },
      to: { path: '^server/[^/]+$' },
    },
    {
      name: 'layers-ledger',
      severity: 'error',
      from: { path: '^server/ledger/', pathNot: TESTS },
      to: { path: '^server/(features|integrations)/' },
    },
    {
      name: 'ledger-by-its-door',
      severity: 'error',
      comment: 'Only postTransfer moves money. accounts.ts names the accounts; check-ledger.ts and invariants/ only read.',
      from: { path: PRODUCT, pathNot: ['^server/ledger/', TESTS] },
      to: { path: '^server/ledger/', pathNot: '^server/ledger/(ledger\\.ts|accounts\\.ts|check-ledger\\.ts|invariants/)' },
    },
    {
      name: 'layers-integrations',
      severity: 'error',
      from: { path: '^server/integrations/', pathNot: TESTS },
      to: { path: '^server/(features|ledger)/' },
    },
    {
      name: 'layers-platform',
      severity: 'error',
      from: { path: '^server/platform/', pathNot: TESTS },
      to: { path: '^server/(features|ledger|integrations)/' },
    },
    {
      name: 'shared-alone',
      severity: 'error',
      comment: 'It runs on both sides, so it has neither Node nor DOM; zod is all it needs.',
      from: { path: '^shared/', pathNot: TESTS },
      to: { pathNot: ['^shared/', '(^|/)node_modules/zod/'] },
    },

    {
      name: 'server-not-to-web',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^web/' },
    },
    {
      name: 'web-not-to-server',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(server|db|sandbox)/' },
    },
    {
      name: 'web-not-to-node',
      severity: 'error',
      from: { path: '^web/', pathNot: TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'web-ui-and-lib-know-no-feature',
      severity: 'error',
      from: { path: '^web/(ui|lib)/', pathNot: TESTS },
      to: { path: '^web/(features|app)/' },
    },
    ...WINGS.slice(0, -1).map((wing, index) => ({
      name: 'wings-in-order',
      severity: 'error',
      comment: `A feature imports from its own wing and those before it: ${WINGS.join(', ')}.`,
      from: { path: `^(server|web)/features/${wing}/`, pathNot: TESTS },
      to: { path: `^(server|web)/features/(${WINGS.slice(index + 1).join('|')})/`, pathNot: UPWARDS[wing] ?? [] },
    })),
    {
      name: 'web-texts-alone',
      severity: 'error',
      comment: 'A second language is added here, so the texts depend on no screen.',
      from: { path: '^web/texts/', pathNot: TESTS },
      to: { pathNot: '^(web/texts|shared)/' },
    },
    {
      name: 'admin-only-through-the-router',
      severity: 'error',
      comment: 'A customer on a slow line never downloads the admin screens.',
      from: { pathNot: ['^web/app/', ADMIN, TESTS] },
      to: { path: ADMIN },
    },
    {
      name: 'admin-only-when-asked-for',
      severity: 'error',
      from: { path: '^web/app/', pathNot: ['^web/app/admin/', TESTS] },
      to: { path: ADMIN, dependencyTypesNot: ['dynamic-import'] },
    },

    {
      name: 'agent-only-through-the-router',
      severity: 'error',
      comment: "Nor does a customer download the agents' screens.",
      from: { pathNot: ['^web/app/', AGENT, TESTS] },
      to: { path: AGENT },
    },
    {
      name: 'agent-only-when-asked-for',
      severity: 'error',
      from: { path: '^web/app/', pathNot: ['^web/app/agent/', TESTS] },
      to: { path: AGENT, dependencyTypesNot: ['dynamic-import'] },
    },

    {
      name: 'sandbox-only-from-open-shop',
      severity: 'error',
      comment: 'In live mode nothing of the sandbox is loaded, and one import is easy to see.',
      from: { path: '^server/', pathNot: ['^server/open-shop\\.ts$', TESTS] },
      to: { path: '^sandbox/' },
    },
    {
      name: 'sandbox-apart',
      severity: 'error',
      comment: 'A simulator that borrows our code agrees with our mistakes.',
      from: { path: '^sandbox/', pathNot: TESTS },
      to: { path: '^(server|web|db)/' },
    },
  ],
  options: {
    // dependency-cruiser reads TypeScript up to 6 only; with 7 it finds no module and reports no violation.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(tools/boundaries-fixture|dist|data)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}
