import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openPair, type Pair } from './pair/open-pair.ts'

// `npm run pair` sets two machines and a witness up on this one, to try what becomes of the shop when one dies; Ctrl-C ends and removes all of
// it. Its data lies below a temporary folder, its ports are on loopback. docs/scaling.md says what it stands for.

const PASSWORD = 'a pair password'
const HELP = `  kill     kill -9 of everything on the primary's machine; the other takes over
  freeze   the primary's machine hangs; wake lets it go on
  start    the dead machine comes back and follows
  status   who is the primary, and who confirms its sales
  stop     ends and removes everything (as Ctrl-C does)`

const { values } = parseArgs({ options: { port: { type: 'string', default: '3000' } } })
let folder: string | undefined
let close = async () => {}
let closing: Promise<void> | undefined
const stop = () => {
  closing ??= close().finally(() => folder && rmSync(folder, { recursive: true, force: true }))
  return closing
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop().then(() => process.exit(0)))

try {
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('--port: must be a whole number from 1 to 65535')
  folder = mkdtempSync(join(tmpdir(), 'dwadi-pair-'))
  // The database's programs run as an account of their own when we are root.
  chmodSync(folder, 0o711)
  const pair = await openPair({
    folder,
    port,
    tell: (text) => console.log(`  ${text}`),
    shopEnv: { ADMIN_PASSWORD: PASSWORD, CARD: 'off', MAIL: 'off', SMS: 'off', SUPPLIER: 'off' },
    onBegin: (end) => {
      close = end
    },
  })
  console.log(`\n  The shop is open at ${pair.address}, on two machines. Everything lies in ${folder}`)
  console.log(
    `  Sign in as the owner: phone 0200000000, password ${PASSWORD}. Wallets sell; cards, mails and SMS are off here.\n\n${HELP}\n`,
  )
  await obey(pair)
  await stop()
  process.exit(0)
} catch (error) {
  if (closing === undefined) {
    // Its logs say why it did not open, so they stay.
    console.error((error as Error).message)
    process.exitCode = 1
  }
}

async function obey(pair: Pair) {
  let wake: (() => void) | undefined
  for await (const line of createInterface({ input: process.stdin })) {
    const word = line.trim()
    if (word === 'stop') return
    await carryOut(word).catch((error: Error) => console.log(`  ${error.message}`))
  }
  // Without a terminal it goes on until a signal ends it.
  for (;;) await wait(60_000)

  async function carryOut(word: string) {
    const { primary } = await pair.standing()
    if (word === 'status') return tell()
    if (word === 'wake') return wake?.()
    if (word === 'start') {
      for (const name of ['a', 'b', 'c'] as const) if (!pair.machines[name].isUp()) pair.start(name)
      await pair.untilPaired()
      return tell()
    }
    if (word !== 'kill' && word !== 'freeze') return console.log(HELP)
    if (primary === null) return console.log('  There is no primary just now.')
    const since = performance.now()
    if (word === 'kill') await pair.machines[primary].kill()
    else wake = pair.machines[primary].freeze()
    console.log(`  Machine ${primary} ${word === 'kill' ? 'is dead' : 'hangs'}.`)
    while ([null, primary].includes((await pair.standing()).primary)) await wait(200)
    await pair.untilOpen()
    console.log(`  Selling again after ${((performance.now() - since) / 1000).toFixed(1)} s.`)
    await tell()
  }

  async function tell() {
    const { primary, syncStandby } = await pair.standing()
    const alone = 'nobody: a sale is on one machine alone, and if it dies too the shop waits for it'
    console.log(`  primary: ${primary ?? 'none'}; confirmed by: ${syncStandby ?? alone}`)
  }
}
