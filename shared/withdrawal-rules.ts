/** The networks that mobile money is paid out on. */
export const PAYOUT_NETWORKS = ['MTN', 'Telecel', 'AirtelTigo'] as const
export type PayoutNetwork = (typeof PAYOUT_NETWORKS)[number]

/** The most withdrawals of one agent that are not yet paid. */
export const MAX_OPEN_WITHDRAWALS = 5

/** What is wrong with a name that money is sent to; null when nothing is. */
export function recipientNameProblem(name: string): string | null {
  if (name.trim().length < 2) return 'Enter the name on that number.'
  if (name.trim().length > 60) return 'Use at most 60 characters.'
  return /^[\p{L}\p{M}0-9 .,'’&/-]+$/u.test(name.trim()) ? null : 'Use letters, digits and spaces.'
}
