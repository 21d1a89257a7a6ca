import * as z from 'zod/mini'
export const order = z.object({})
