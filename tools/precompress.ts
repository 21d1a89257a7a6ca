import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const COMPRESSIBLE = /\.(html|js|mjs|css|svg|json|webmanifest|txt|xml|ico|map|wasm)$/
const LEAST_BYTES = 200

/** Puts a `.br` and a `.gz` beside every file of a folder that shrinks, once, at their best. */
export async function precompress(folder: string) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => COMPRESSIBLE.test(name))
  await Promise.all(files.map((name) => precompressFile(join(folder, name))))
}

async function precompressFile(path: string) {
  const plain = await readFile(path)
  if (plain.length < LEAST_BYTES) return
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
    promisify(gzip)(plain, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}
