import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { fileTexts } from '../texts/files.ts'
import { unzip } from './unzip.ts'

const sheet = `<row>${'<c>055 123 4567</c>'.repeat(5_000)}</row>`

test('the XML of a workbook is unpacked, and one that grows too large is refused', () => {
  const packed = zipSync({
    'xl/sheet1.xml': strToU8(sheet),
    'xl/plain.xml': [strToU8('<a/>'), { level: 0 }],
    'xl/picture.png': strToU8('x'),
  })
  expect(unzip(packed)).toEqual(
    new Map([
      ['xl/sheet1.xml', sheet],
      ['xl/plain.xml', '<a/>'],
    ]),
  )
  expect(() => unzip(zipSync({ 'xl/sheet1.xml': new Uint8Array(50_000_000) }))).toThrow(fileTexts.tooMuch)
})

const SHEET_BYTES = sheet.length
test.each([
  [1, null],
  [200, null],
  [SHEET_BYTES - '</row>'.length, null],
  [SHEET_BYTES - 1, null],
  [SHEET_BYTES + 100_000, sheet],
])('a part that says that it has %i bytes is read whole or not at all', (said, read) => {
  const packed = zipSync({ 'xl/sheet1.xml': strToU8(sheet) })
  const view = new DataView(packed.buffer)
  const entry = packed.findLastIndex((_, at) => at + 4 <= packed.length && view.getUint32(at, true) === 0x02014b50)
  view.setUint32(entry + 24, said, true)
  if (read) expect(unzip(packed).get('xl/sheet1.xml')).toBe(read)
  else expect(() => unzip(packed)).toThrow()
})

test.each(['', 'PK', 'PK\u0003\u0004 and no more'])('%j is no workbook', (text) => {
  expect(() => unzip(strToU8(text))).toThrow()
})
