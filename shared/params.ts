import * as z from 'zod/mini'

/** The parameters of a path with the id of one of our records. */
/* @__NO_SIDE_EFFECTS__ */
export function idParam(what: string) {
  return z.object({ id: z.uuid({ error: `That ${what} does not exist.` }) })
}
