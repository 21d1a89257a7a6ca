import type { FastifyServerOptions } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { Invalid } from '../errors.ts'

/** Nobody types so many lines into a form. All mistakes of a list of 5,000 wrong lines would keep everybody waiting for a third of a second. */
const EXPLAINED = 200

/** As zod's `validate` stops before the next line (its type leaves that out for other callers). */
const UP_TO_A_MISTAKE = { abortEarly: true } as object

/** The usual validator; of a long list it says the first mistake alone. */
function compileValidator(route: Parameters<typeof validatorCompiler>[0]): ReturnType<typeof validatorCompiler> {
  const validate = validatorCompiler(route)
  const schema = route.schema as z.core.$ZodType
  return (data: unknown) => {
    if (!hasLongList(data)) return validate(data)
    const { error, data: value } = z.safeParse(schema, data, UP_TO_A_MISTAKE)
    return error ? { error: new Invalid(error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))) } : { value }
  }
}

function hasLongList(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false
  return Object.values(data).some((value) => Array.isArray(value) && value.length > EXPLAINED)
}

/** Schemas are zod's. Named when a server is built, they spare every start the loading of Fastify's own compilers. */
export const zodSchemas = {
  compilersFactory: { buildValidator: () => compileValidator as never, buildSerializer: () => serializerCompiler as never },
} satisfies FastifyServerOptions['schemaController']
