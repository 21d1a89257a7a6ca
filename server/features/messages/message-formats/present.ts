import type { ShownFormat, Understood, UnreadMessage } from '../../../../shared/message-format-endpoints.ts'
import { FORMAT_NETWORKS } from '../../../../shared/message-format-endpoints.ts'
import { MESSAGE_FORMATS, type MessageFormat } from '../../../../shared/message-formats.ts'
import { BUILT_IN_SAMPLES } from '../../../../shared/message-samples.ts'
import { toCedis } from '../../../../shared/money.ts'
import { builtInOf } from './choose-formats.ts'
import type { FormatRow, UnreadRow } from './formats.sql.ts'
import { DOUBTS, type Formats, parseAs } from './parse-message.ts'

/** What came with the shop, changed or not, then the shop's own forms, then those that are set where it runs. */
export function presentFormats(rows: readonly FormatRow[], ofServer: readonly MessageFormat[]): ShownFormat[] {
  const builtIn = MESSAGE_FORMATS.flatMap((format) => {
    const row = rows.find(({ network, name }) => network === format.network && name === format.name)
    return row ? [presentFormat(row)] : (presentShipped(format, 'built-in') ?? [])
  })
  const own = rows.filter((row) => !builtInOf(row)).map(presentFormat)
  return [...builtIn, ...own, ...ofServer.flatMap((format) => presentShipped(format, 'server') ?? [])]
}

/** Null for what no network writes: fakes and codes are known whoever they come from, and cannot be changed. */
function presentShipped(format: MessageFormat, origin: 'built-in' | 'server'): ShownFormat | null {
  const network = FORMAT_NETWORKS.find((one) => one === format.network)
  if (!network) return null
  const { name, kind, sure, senders = [] } = format
  const samples = origin === 'server' ? [] : [...(BUILT_IN_SAMPLES[`${network} ${name}`] ?? [])]
  const rest = { on: true, words: null, version: 0, changedAt: null, changedBy: null, sure: sure !== false }
  return { network, name, kind, senders: [...senders], samples, origin, ...rest }
}

export function presentFormat(row: FormatRow): ShownFormat {
  const { network, name, version, isOn, kind, words, senders, samples, changedAt, changedBy } = row
  const builtIn = builtInOf(row)
  const shipped = builtIn && words === null ? presentShipped(builtIn, 'built-in') : null
  return {
    network,
    name,
    version,
    on: isOn,
    kind,
    words,
    senders,
    samples: shipped?.samples ?? samples,
    origin: !builtIn ? 'own' : shipped && isOn ? 'built-in' : 'changed',
    changedAt: changedAt.toISOString(),
    changedBy,
    sure: shipped?.sure ?? true,
  }
}

/** What is understood of a message; `sender` null when it is not known. */
export function presentUnderstood(text: string, sender: string | null, formats: Formats): Understood {
  const { read, format } = parseAs({ text, sender, at: null }, formats)
  const cedis = (pesewas: number | null) => (pesewas === null ? null : toCedis(pesewas))
  const base = {
    text: read.raw,
    kind: read.kind,
    format: format?.name ?? null,
    network: read.network,
    amount: cedis(read.amountPesewas),
    balance: cedis(read.balancePesewas),
    transactionId: read.transactionId,
  }
  if (read.kind !== 'credit') {
    return { ...base, fee: toCedis(read.feePesewas), payer: null, phone: null, reference: null, says: read.says, doubts: [] }
  }
  const { payerName: payer, payerPhone, typedPhone, reference, doubts } = read
  return { ...base, fee: 0, payer, phone: payerPhone ?? typedPhone, reference, says: '', doubts: doubts.map((doubt) => DOUBTS[doubt]) }
}

export function presentUnread({ id, text, network, receivedAt, waiting }: UnreadRow): UnreadMessage {
  return { id, text, network, receivedAt: receivedAt.toISOString(), waiting }
}
