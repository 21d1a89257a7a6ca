import { parseArgs } from 'node:util'
import { openSharedDatabase } from '../process/open-shops.ts'
import { killAroundCalls } from './kill-around-calls.ts'
import { loseReplies } from './lose-replies.ts'

// npm run node -- test/outside/outside-calls.ts --orders 500 --rounds 10
// A supplier whose replies are all lost, and a shop that is killed at each step around each call to the outside.
const { values } = parseArgs({ options: { orders: { type: 'string', default: '500' }, rounds: { type: 'string', default: '10' } } })
const [orders, rounds] = [Number(values.orders), Number(values.rounds)]
if (![orders, rounds].every((value) => Number.isSafeInteger(value) && value >= 0))
  throw new Error('--orders and --rounds are whole numbers')

let broken = false
if (orders > 0) {
  const database = await openSharedDatabase()
  const lost = await loseReplies(database.url, orders).finally(() => database.close())
  broken ||= lost.deliveries !== orders || lost.duplicates > 0 || lost.resolved !== orders
  console.log(`a supplier that takes every order and whose every reply is lost, two processes of the shop`)
  console.log(`  orders       ${orders}\n  deliveries   ${lost.deliveries}\n  duplicates   ${lost.duplicates}`)
  console.log(`  resolved     ${lost.resolved}, within ${(lost.resolvedWithinMs / 1000).toFixed(1)} s`)
}
if (rounds > 0) {
  const database = await openSharedDatabase()
  const killed = await killAroundCalls(database.url, rounds, {
    onKill: (step) => process.stderr.isTTY && process.stderr.write(`killed: ${step}\n`),
  }).finally(() => database.close())
  broken ||= killed.violations.length > 0
  console.log(`\na shop that is killed around each call to the outside`)
  for (const { step, kills } of killed.kills) console.log(`  ${String(kills).padStart(4)} kills   ${step}`)
  console.log(`  orders       ${killed.orders}\n  violations   ${killed.violations.length}`)
  for (const violation of killed.violations) console.log(`  BROKEN       ${violation}`)
}
process.exitCode = broken ? 1 : 0
