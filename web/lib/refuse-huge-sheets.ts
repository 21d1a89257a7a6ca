import { fileTexts } from '../texts/files.ts'

/** More than any list or statement has; a ZIP of 5 MB may hold a thousand times as much. */
const MOST_UNPACKED_BYTES = 40_000_000
const MOST_ENTRIES = 1_000
const MOST_ROWS = 20_000
const MOST_CELLS = 1_000_000

const END = 0x06054b50
const END_BYTES = 22
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const STORED = 0
const DEFLATED = 8

type Entry = { name: string; method: number; packed: Uint8Array<ArrayBuffer> }

/**
 * Refuses an .xlsx that would fill the memory of a phone once it is read: one that unpacks to very much, or whose rows and cells lie so far
 * out that the empty ones before them are too many. Packed sizes are counted, since a file may lie about them.
 * @throws Error with a sentence for whoever chose the file.
 */
export async function refuseHugeSheets(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  // A browser of before 2023 reads it unseen.
  if (typeof DecompressionStream === 'undefined') return
  let left = MOST_UNPACKED_BYTES
  for (const { name, method, packed } of listEntries(bytes)) {
    const unpacked = method === STORED ? packed : await inflate(packed, left)
    left -= unpacked.length
    if (left < 0) throw new Error(fileTexts.tooMuch)
    if (/^xl\/worksheets\/[^/]+\.xml$/i.test(name)) refuseFarCells(new TextDecoder().decode(unpacked))
  }
}

function listEntries(bytes: Uint8Array<ArrayBuffer>): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - END_BYTES
  while (end >= 0 && view.getUint32(end, true) !== END) end--
  if (end < 0) throw new Error(fileTexts.unreadable)
  const count = view.getUint16(end + 10, true)
  if (count > MOST_ENTRIES) throw new Error(fileTexts.tooMuch)
  const entries: Entry[] = []
  let at = view.getUint32(end + 16, true)
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_BYTES > bytes.length || view.getUint32(at, true) !== ENTRY) throw new Error(fileTexts.unreadable)
    const nameBytes = view.getUint16(at + 28, true)
    const local = view.getUint32(at + 42, true)
    if (local + LOCAL_BYTES > bytes.length) throw new Error(fileTexts.unreadable)
    const start = local + LOCAL_BYTES + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes)),
      method: view.getUint16(at + 10, true),
      packed: bytes.subarray(start, start + view.getUint32(at + 20, true)),
    })
    at += ENTRY_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  if (entries.some(({ method }) => method !== STORED && method !== DEFLATED)) throw new Error(fileTexts.unreadable)
  return entries
}

/** Stops as soon as it is more than `most`. */
async function inflate(packed: Uint8Array<ArrayBuffer>, most: number): Promise<Uint8Array> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const parts: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    length += value.length
    if (length > most) {
      void reader.cancel().catch(() => undefined)
      throw new Error(fileTexts.tooMuch)
    }
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** A number that is written in another way, such as 1e9, is no row of Excel's. */
function refuseFarCells(sheet: string) {
  let [rows, columns, rowTags] = [0, 0, 0]
  for (const [, tag, written = ''] of sheet.matchAll(/<(?:\w+:)?(row|c)\b(?:[^>]*?\sr\s*=\s*["']([^"']*))?/g)) {
    if (tag === 'row') rows = Math.max(rows, ++rowTags)
    if (written === '') continue
    const [, letters = '', digits = ''] = /^([A-Z]{0,3})(\d{1,7})$/.exec(written) ?? []
    if (digits === '' || (letters === '') !== (tag === 'row')) throw new Error(fileTexts.unreadable)
    rows = Math.max(rows, Number(digits))
    columns = Math.max(columns, toColumn(letters))
  }
  if (rows > MOST_ROWS || rows * columns > MOST_CELLS) throw new Error(fileTexts.tooFar(rows))
}

function toColumn(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
}
