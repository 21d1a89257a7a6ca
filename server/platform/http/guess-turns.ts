import { networkKey } from '../address-key.ts'
import { openFairTurns, runInTurn } from '../fair-turns.ts'

/**
 * Reads of the database for somebody who has proven nothing yet: few at once, and those of a network wait for one another, so that a flood of
 * made-up keys leaves the connections to everybody else.
 */
const turns = openFairTurns({ atOnce: 4, perLane: 60, inAll: 2_000, waitMs: 2_500 })

/** @throws TooManyAttempts or ServiceUnavailable when too many wait; whatever `read` throws. */
export function readForStranger<T>(ip: string | null, read: () => Promise<T>): Promise<T> {
  return runInTurn(turns, { lane: networkKey(ip ?? '') }, read)
}
