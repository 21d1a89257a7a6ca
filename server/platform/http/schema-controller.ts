import type { FastifyServerOptions } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'

/** Schemas are zod's. Named when a server is built, they spare every start the loading of Fastify's own compilers. */
export const zodSchemas = {
  compilersFactory: { buildValidator: () => validatorCompiler as never, buildSerializer: () => serializerCompiler as never },
} satisfies FastifyServerOptions['schemaController']
