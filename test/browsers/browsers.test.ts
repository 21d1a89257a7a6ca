import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openCuttableLine } from './cuttable-line.ts'
import { findExpression } from './find-in-page.ts'
import { withRun } from './note-run.ts'

test('a line that is cut lets nothing through until it is mended', async () => {
  const far = createServer((_, reply) => reply.end('open'))
  await new Promise<void>((resolve) => far.listen(0, '127.0.0.1', resolve))
  const line = await openCuttableLine(`http://127.0.0.1:${(far.address() as AddressInfo).port}`)
  onTestFinished(async () => {
    await line.close()
    far.close()
  })
  const ask = async () => (await fetch(line.address)).text()
  expect(await ask()).toBe('open')
  line.cut()
  await expect(ask()).rejects.toThrow()
  line.mend()
  expect(await ask()).toBe('open')
})

test('what looks for an element runs in a browser of 2018', async () => {
  const script = await findExpression({ role: 'button', name: { pattern: '^Pay$' }, within: { role: 'dialog', name: 'BUY PAGE' } })
  expect(script).not.toMatch(/\?\.|\?\?/)
  expect(() => new Function(`return ${script}`)).not.toThrow()
})

test('a run replaces its own row of the table and no other', () => {
  const run = { name: 'chromium-72', version: 'Chromium 72', journey: 'customer’s life', tookMs: 57_400, failedAt: null }
  const before = '# Browsers\n\n| browser |\n|---|\n\nEnd\n'
  const once = withRun(before, run, 'abc', '2026-01-05')
  expect(once).toBe(
    '# Browsers\n\n| browser |\n|---|\n| chromium-72 | Chromium 72 | customer’s life | abc, 2026-01-05 | passed in 57 s |\n\nEnd\n',
  )
  const both = withRun(once, { ...run, journey: 'owner’s morning', failedAt: 'signs in' }, 'abc', '2026-01-05')
  expect(both.match(/\| chromium-72/g)).toHaveLength(2)
  expect(withRun(both, { ...run, tookMs: 61_000 }, 'def', '2026-01-06')).toBe(
    both.replace('abc, 2026-01-05 | passed in 57 s', 'def, 2026-01-06 | passed in 61 s'),
  )
})
