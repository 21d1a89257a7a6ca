/** The simulators' routes have no schemas; saying so spares every start the loading of Fastify's compilers. */
export const NO_SCHEMAS = { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } }

function refuse(): never {
  throw new Error('A simulator has no schemas.')
}
