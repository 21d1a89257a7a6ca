import type * as z from 'zod'
import { Refusal } from './refusal.ts'

/** Checks what a person or a test sent to the sandbox. @throws Refusal that names each wrong field. */
export function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new Refusal(400, parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`).join('; '))
}
