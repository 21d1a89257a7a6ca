import { PARTS } from './money-tests.ts'

const part = process.env.MUTANTS_PART ?? ''
/** With MUTANTS_OF=logic, comparisons, conditions and arithmetic alone; a later run of all makes use of what this one found. */
const noLogic = ['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration', 'BlockStatement', 'MethodExpression', 'Regex', 'ArrowFunction']

/** One part of the money code. @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner', './test/mutants/ignore-words.mjs'],
  ignorers: ['words'],
  mutate: [...(PARTS[part]?.mutate ?? []), '!**/*.test.ts'],
  mutator: { excludedMutations: process.env.MUTANTS_OF === 'logic' ? noLogic : [] },
  coverageAnalysis: 'perTest',
  concurrency: Number(process.env.MUTANTS_AT_ONCE ?? 2),
  timeoutMS: 60_000,
  timeoutFactor: 3,
  incremental: true,
  incrementalFile: `test-results/mutants/${part}.incremental.json`,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  jsonReporter: { fileName: `test-results/mutants/${part}.typescript.json` },
  ignorePatterns: ['dist', 'data', 'test-results', 'playwright-report', 'web', 'docs', 'bench', 'resilience', '.ci'],
  allowEmpty: false,
  allowConsoleColors: false,
  disableTypeChecks: false,
  warnings: { slow: false },
  // Stryker would rewrite tsconfig.json with the programming interface of TypeScript, which version 7 has no more; Vitest needs none.
  tsconfigFile: 'no-tsconfig.json',
}
