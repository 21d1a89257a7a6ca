import { offerAirtime } from './airtime.ts'
import { notAfter } from './not-after.ts'
import { volumesOf } from './readers/volumes-of.ts'

const QUANTITY = notAfter(/[^\s(].$/s, /(\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,9})?|\d{0,15}\.?\d{1,15})[ \u00a0]{0,9}(GB|MB)(?![\p{L}\p{N}])/giu)
/** A duration and a price may stand beside the volume: "1GB (30 days)", "GHS 5 1GB". */
const OTHER_NUMBERS = notAfter(
  /[^\s(].$/s,
  /(?:\d{1,3}[ -]?(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?)|(?:GHS|GH¢|GH₵|¢|₵)[ ]?\d{1,4}(?:\.\d{1,2})?)(?![\p{L}\p{N}.,])/giu,
)
/** Words that make the volume a different or uncertain one: "2 x 1GB", "1GB daily", "half 1GB". */
const CHANGES_VOLUME = notAfter(
  /\p{L}.$/su,
  /(?:x|times|twice|double|triple|per|every|each|daily|weekly|monthly|plus|minus|bonus|free|extra|half|quarter|two|three|four|five|six|seven|eight|nine|ten|dozen)(?!\p{L})/iu,
)
const ONLY_WORDS = /^[\p{L}\p{M}\s()[\].,:;!'’"-]*$/u

/**
 * The volume in an offer's name, in megabytes: "1.5GB" is 1500 and "12,000 MB" is 12000 (suppliers count 1 GB as 1000 MB).
 * Null when it names none or is ambiguous: "1GB + 500MB", "1,5GB", "2 x 1GB", "0.5MB".
 */
export function offerVolumeMb(offer: string): number | null {
  const [found, another] = offer.matchAll(QUANTITY)
  if (!found || another) return null
  const [matched, amount = '', unit = ''] = found
  const rest = `${offer.slice(0, found.index)} ${offer.slice(found.index + matched.length)}`.replace(OTHER_NUMBERS, ' ')
  if (!ONLY_WORDS.test(rest) || CHANGES_VOLUME.test(rest)) return null
  const [whole = '', fraction = ''] = amount.replaceAll(',', '').split('.')
  return volumesOf({ whole, fraction }, unit)[0] ?? null
}

/** Whether an offer's name says what a supplier would be sent: a volume, or the operator and the amount of airtime. */
export function namesDelivery(network: string, offer: string): boolean {
  return (network === 'Airtime' ? offerAirtime(offer) : offerVolumeMb(offer)) !== null
}

/** The error for a supplier's offer whose name does not say that. */
export function unreadableOffer(network: string): string {
  if (network === 'Airtime') return 'An airtime offer goes to a supplier, so it names one network and one amount, like MTN GHS 5.'
  const article = network === 'AirtelTigo' ? 'An' : 'A'
  return `${article} ${network} offer goes to a supplier, so it names one volume, like 1GB or 500MB.`
}
