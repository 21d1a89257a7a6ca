import { notAfter } from '../not-after.ts'
import { asDoubtful, asRead, NOTHING, plainText, type Reading, readDecimals } from './reading.ts'
import { volumesOf } from './volumes-of.ts'

/** A unit as it may follow a number. */
export const VOLUME_UNIT = '(?:gbs?|g|gigs?|gigabytes?|mbs?|m|megs?|megabytes?)'

const VOLUME = new RegExp(String.raw`^(\d[\d.,'’ ]*|[.,]\d+) ?(${VOLUME_UNIT})?\.?$`, 'i')
const HALVES = new RegExp(String.raw`^(?:(\d{1,3}) ?)?(?:½|1 ?[/⁄] ?2|half(?: an?)?) ?(${VOLUME_UNIT})$`, 'i')
const SPACED = new RegExp(String.raw`^(\d{1,3}) ?([.,]) ?(\d{1,2}) ?(${VOLUME_UNIT})$`, 'i')

/** The sizes in a longer text, as they stand there. */
export const SIZES = notAfter(/[\d.,]\d$/, new RegExp(String.raw`\d[\d.,]*\s?-?\s?${VOLUME_UNIT}(?![\p{L}\p{N}])`, 'giu'))

/**
 * A volume as people write it, in MB: "1,5gb", "500 MB", "2 gigs". 1 GB is 1000 MB, as suppliers count. A number without a unit is
 * doubtful, unless `bare` says what it counts.
 */
export function readVolume(text: string, { bare }: { bare?: 'GB' | 'MB' } = {}): Reading<number> {
  const plain = plainText(text)
  if (plain === '') return NOTHING
  const [, half = '0', halfUnit] = HALVES.exec(plain) ?? []
  if (halfUnit) return asDoubtful(text, 'Is that a half?', volumesOf({ whole: half, fraction: '5' }, halfUnit))
  const [, number, written] = VOLUME.exec(plain) ?? []
  if (number === undefined) return asDoubtful(text, 'That is not a size, like 5GB or 500MB.')
  const unit = written ?? bare
  if (unit === undefined) return asDoubtful(text, 'Is that GB or MB?', [])
  const isGiga = /^g/i.test(unit)
  // 1.500GB has decimals and 1,000MB has a thousand; the other two may be either, and so may all without their unit.
  const isClear = written !== undefined && /[.]/.test(number) === isGiga && /[.,]/.test(number)
  const { forms, sure } = readDecimals(number.trim(), isClear ? '.' : undefined)
  const volumes = forms.flatMap((form) => volumesOf(form, unit)).sort((one, other) => one - other)
  const [volume] = volumes
  if (sure && volume !== undefined) return asRead(volume)
  const [, whole, , fraction, gapUnit] = SPACED.exec(plain) ?? []
  if (whole && fraction && gapUnit && forms.length === 0) {
    return asDoubtful(text, 'There is a gap in this size.', volumesOf({ whole, fraction }, gapUnit))
  }
  return asDoubtful(text, volume === undefined ? 'That is not a whole number of megabytes.' : 'This size can be read in two ways.', volumes)
}

/** The GB of a computer: the volume that people mean by 1024MB, in MB; null for every other. */
export function meantByBinary(volumeMb: number): number | null {
  if (volumeMb === 512) return 500
  return volumeMb > 0 && volumeMb % 1024 === 0 ? (volumeMb / 1024) * 1000 : null
}
