import * as z from 'zod/mini'

/** A path's `:id` of our own making. */
export function idParam(what: string) {
  return z.object({ id: z.uuid({ error: `That ${what} does not exist.` }) })
}
