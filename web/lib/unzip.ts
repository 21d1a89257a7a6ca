import { fileTexts } from '../texts/files.ts'

/** A ZIP of 5 MB may hold a thousand times as much. */
const MOST_UNPACKED_BYTES = 40_000_000
const MOST_ENTRIES = 1_000
/** Of these, each may become a thousand at once. */
const OLD_STEP_BYTES = 4_096

const END = 0x06054b50
const END_BYTES = 22
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const STORED = 0
const DEFLATED = 8

type Entry = { name: string; method: number; packed: Uint8Array<ArrayBuffer> }

/**
 * The texts of a ZIP's XML parts by name. Unpacked sizes are counted, since a file may lie about them.
 * @throws Error with a sentence for whoever chose the file.
 */
export async function unzip(bytes: Uint8Array<ArrayBuffer>): Promise<Map<string, string>> {
  const parts = new Map<string, string>()
  let left = MOST_UNPACKED_BYTES
  for (const { name, method, packed } of listEntries(bytes)) {
    if (!/\.(?:xml|rels)$/i.test(name)) continue
    const unpacked = method === STORED ? packed : await inflate(packed, left)
    left -= unpacked.length
    if (left < 0) throw new Error(fileTexts.tooMuch)
    parts.set(name, new TextDecoder().decode(unpacked))
  }
  return parts
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
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of inflatedParts(packed)) {
    parts.push(part)
    length += part.length
    if (length > most) throw new Error(fileTexts.tooMuch)
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

async function* inflatedParts(packed: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array> {
  const stream = openInflation()
  if (!stream) {
    const { Inflate } = await import('./old-inflate.ts')
    const ready: Uint8Array[] = []
    const inflation = new Inflate((part) => void ready.push(part))
    for (let at = 0; at < packed.length; at += OLD_STEP_BYTES) {
      inflation.push(packed.subarray(at, at + OLD_STEP_BYTES), at + OLD_STEP_BYTES >= packed.length)
      yield* ready.splice(0)
    }
    return
  }
  const reader = new Blob([packed]).stream().pipeThrough(stream).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

/** Null before Chrome 103, Firefox 113 and Safari 16.4. */
function openInflation(): DecompressionStream | null {
  try {
    return new DecompressionStream('deflate-raw')
  } catch {
    return null
  }
}
