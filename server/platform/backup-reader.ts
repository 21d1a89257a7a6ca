import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { BackupError, SEAL, SUMS } from './backup-file.ts'

/** The line before the rows of a table: its name and its columns. */
export const COPY_LINE = /^copy (\S+) \((.+)\) from stdin;$/

const NEWLINE = 10
/** More than the empty frame that older backups may end with. */
const LONGEST_END = 64
const END_OF_COPY = Buffer.from('\\.\n')

/**
 * Reads a backup from start to end, as a restore would, and compares its checksum.
 * @throws BackupError when it is damaged or cut short.
 */
export async function proveReadable(file: string) {
  const reader = new BackupReader(file)
  try {
    for (let line = await reader.readLine(); line !== null; line = await reader.readLine()) {
      if (COPY_LINE.test(line)) for await (const _ of reader.readRows());
      if (line.startsWith(SUMS)) return await reader.checkChainLink()
    }
    throw new BackupError('The backup is cut short: its end is missing.')
  } finally {
    reader.close()
  }
}

/** Reads a backup once from start to end: script lines, and the rows of each table between them. */
export class BackupReader {
  readonly #source: Readable
  readonly #chunks: AsyncIterator<Buffer>
  readonly #hash = createHash('sha256')
  #held: Buffer = Buffer.alloc(0)

  constructor(file: string) {
    this.#source = Readable.from(inOneEnd(createReadStream(file)), { objectMode: false })
    const plain = createZstdDecompress()
    this.#source.on('error', (error) => plain.destroy(error))
    this.#chunks = this.#source.pipe(plain)[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  /** The next line without its newline, or null at the end of the file. */
  async readLine(): Promise<string | null> {
    for (let end = this.#held.indexOf(NEWLINE); ; end = this.#held.indexOf(NEWLINE)) {
      if (end >= 0) return this.#take(end + 1).toString('utf8', 0, end)
      if (!(await this.#more())) return null
    }
  }

  /** The rows of a table, in chunks of whole lines, up to the terminator. */
  async *readRows(): AsyncGenerator<Buffer> {
    for (;;) {
      const end = this.#endOfRows()
      if (end >= 0) {
        if (end > 0) yield this.#take(end)
        this.#take(END_OF_COPY.length)
        return
      }
      const lines = this.#held.lastIndexOf(NEWLINE) + 1
      if (lines > 0) yield this.#take(lines)
      if (!(await this.#more())) throw new BackupError('The backup is cut short: the rows of a table do not end.')
    }
  }

  /**
   * Checks the hash of everything read so far against the last line.
   * @throws BackupError when it differs.
   */
  async checkChainLink() {
    const sha256 = this.#hash.copy().digest('hex')
    if ((await this.readLine()) !== `${SEAL}${sha256}`) throw new BackupError('The backup is damaged: its checksum is not right.')
  }

  close() {
    this.#source.destroy()
  }

  /** COPY doubles backslashes in rows, so this sequence at the start of a line can only be the terminator. */
  #endOfRows(): number {
    for (let at = this.#held.indexOf(END_OF_COPY); at >= 0; at = this.#held.indexOf(END_OF_COPY, at + 1)) {
      if (at === 0 || this.#held[at - 1] === NEWLINE) return at
    }
    return -1
  }

  #take(length: number): Buffer {
    const taken = this.#held.subarray(0, length)
    this.#held = this.#held.subarray(length)
    this.#hash.update(taken)
    return taken
  }

  async #more(): Promise<boolean> {
    const next = await this.#chunks.next().catch((error: Error) => {
      throw new BackupError(`The backup cannot be read: ${error.message}`)
    })
    if (next.done) return false
    this.#held = this.#held.length === 0 ? next.value : Buffer.concat([this.#held, next.value])
    return true
  }
}

/** Passes the last bytes on together: Node forgets the first half of a second frame that follows the end of one in its piece. */
async function* inOneEnd(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const all = Buffer.concat([held, piece])
    const cut = Math.max(0, all.length - LONGEST_END)
    if (cut > 0) yield all.subarray(0, cut)
    held = all.subarray(cut)
  }
  if (held.length > 0) yield held
}
