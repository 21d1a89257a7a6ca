import { strToU8, zipSync } from 'fflate'
import { afterEach, expect, test, vi } from 'vitest'
import { fileTexts } from '../texts/files.ts'
import { unzip } from './unzip.ts'

class NoInflation {
  constructor() {
    throw new TypeError('Unsupported compression format: deflate-raw')
  }
}

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['this browser', globalThis.DecompressionStream],
  ['one of 2021', NoInflation],
])('a workbook is unpacked in %s, and one that grows too large is refused', async (_name, own) => {
  vi.stubGlobal('DecompressionStream', own)
  const sheet = `<row>${'<c>055 123 4567</c>'.repeat(5_000)}</row>`
  const packed = zipSync({
    'xl/sheet1.xml': strToU8(sheet),
    'xl/plain.xml': [strToU8('<a/>'), { level: 0 }],
    'xl/picture.png': strToU8('x'),
  })
  expect(await unzip(new Uint8Array(packed))).toEqual(
    new Map([
      ['xl/sheet1.xml', sheet],
      ['xl/plain.xml', '<a/>'],
    ]),
  )
  const bomb = new Uint8Array(zipSync({ 'xl/sheet1.xml': new Uint8Array(50_000_000) }))
  await expect(unzip(bomb)).rejects.toThrow(fileTexts.tooMuch)
})
