import { RefusedError } from '../../../lib/http.ts'

/** True when the shop has no such order for who asks, or its name in the address cannot be one. */
export function isAbsent(error: Error): boolean {
  return error instanceof RefusedError && (error.status === 404 || error.status === 400)
}
