import { hashToken } from '../server/platform/hash-token.ts'
import { openRealtimeProbe, type RealtimeProbe } from '../test/realtime-probe.ts'
import { until } from '../test/until.ts'
import { makeRecharges } from './concurrency.ts'
import type { Experiment } from './experiment.ts'
import { eachOf, quantile } from './measure.ts'
import type { Person, Shops } from './shops.ts'

/** K. The realtime channel. */
export const realtime: Experiment[] = [
  {
    id: 'K1',
    expects: 'a customer listens at each process while others buy, are credited, ask and are decided: not one frame about them',
    runs: { fast: 100, full: 1_000 },
    async go(trial) {
      const shops = await trial.shops()
      const listener = await shops.makeUser()
      const probes = await Promise.all(shops.all.map(({ address }) => openRealtimeProbe(address, listener.token)))
      await trial.repeat(async () => {
        const other = await shops.makeUser({ pesewas: 10_000 })
        await everythingHappensTo(shops, other)
      })
      const own = await shops.call('PUT', '/user/balance', { as: shops.admins[0], body: { chosenId: listener.id, amount: 1 } })
      trial.same('their own news', own.status, 200)
      await until(() => probes.every((probe) => probe.heard.length > 0), 5_000).catch(() => trial.wrong('they did not hear their own news'))
      for (const probe of probes) {
        const foreign = probe.heard.filter(({ payload }) => !JSON.stringify(payload).includes(listener.id))
        trial.same(
          'frames about others',
          foreign.map(({ event }) => event),
          [],
        )
        probe.close()
      }
    },
  },
  {
    id: 'K2',
    expects:
      'a socket with no, a forged, an expired, a banned token, of another site: refused; asking for a room or sending news does nothing',
    runs: { fast: 10, full: 100 },
    async go(trial) {
      const shops = await trial.shops()
      const address = shops.all[0]?.address as string
      await trial.repeat(async () => {
        const [banned, expired, good, victim] = await shops.makeUsers(4)
        await shops.db.query(`update users set status = 'Banned' where id = $1`, [banned?.id])
        await shops.db.query(`update sessions set expires_at = now() - interval '1 second' where token_hash = $1`, [
          hashToken(expired?.token as string),
        ])
        for (const token of [undefined, '', 'A'.repeat(43), banned?.token, expired?.token]) {
          const probe = await openRealtimeProbe(address, token).catch(() => null)
          if (probe) trial.wrong(`token ${token} was let in`)
          probe?.close()
        }
        for (const origin of ['http://evil.example', 'null', `http://${new URL(address).host}.evil.example`]) {
          const probe = await openRealtimeProbe(address, good?.token, { origin }).catch(() => null)
          if (probe) trial.wrong(`a page of ${origin} was let in`)
          probe?.close()
        }
        const [probe, theirs] = await Promise.all([openRealtimeProbe(address, good?.token), openRealtimeProbe(address, victim?.token)])
        const raw = probe.socket as unknown as { emit: (name: string, ...values: unknown[]) => void }
        for (const name of ['join', 'subscribe', 'room', 'joinRoom'])
          for (const room of ['staff:owner', `user:${victim?.id}`]) raw.emit(name, room)
        raw.emit('CurrUserUpdated', { _id: victim?.id, balance: 1_000_000 })
        raw.emit('noticeUpdated', { noticeContent: 'hacked' })
        await shops.call('PUT', '/user/balance', { as: shops.admins[0], body: { chosenId: victim?.id, amount: 1 } })
        await until(() => theirs.heard.length > 0, 5_000)
        trial.same('what the intruder heard', probe.heard, [])
        trial.same(
          'what the victim heard',
          theirs.heard.map(({ event }) => event),
          ['CurrUserUpdated'],
        )
        for (const one of [probe, theirs]) one.close()
      })
    },
  },
  {
    id: 'K3',
    expects: 'an event made at one process is heard at the other within 1 s (p99)',
    runs: { fast: 50, full: 500 },
    async go(trial) {
      const shops = await trial.shops()
      const person = await shops.makeUser()
      const probe = await openRealtimeProbe(shops.all[1]?.address as string, person.token)
      const tookMs: number[] = []
      await trial.repeat(async () => {
        const before = probe.heard.length
        const since = performance.now()
        await shops.call('PUT', '/user/balance', { as: shops.admins[0], body: { chosenId: person.id, amount: 1 }, shop: 0 })
        await until(() => probe.heard.length > before, 5_000).catch(() => trial.wrong('the other process never told of it'))
        tookMs.push(performance.now() - since)
      })
      probe.close()
      const p99 = quantile(tookMs, 0.99)
      trial.note(`p99 ${p99.toFixed(0)} ms, the call included`)
      trial.within('the 99th of 100 events', p99, 1_000)
    },
  },
  {
    id: 'K5',
    expects: 'many changes of one balance at once: the event with the highest version has the balance of the books',
    runs: { fast: 20, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const person = await shops.makeUser({ pesewas: 100_000 })
        const probe = await openRealtimeProbe(shops.all[0]?.address as string, person.token)
        await Promise.all(
          Array.from({ length: 16 }, (_, index) =>
            index % 2 === 0
              ? shops.buy(person, [shops.line()])
              : shops.call('PUT', '/user/balance', { as: shops.admins[0], body: { chosenId: person.id, amount: index } }),
          ),
        )
        const balances = () => probe.heard.flatMap(({ event, payload }) => (event === 'CurrUserUpdated' ? [payload] : []))
        await until(() => balances().length >= 16, 5_000).catch(() => undefined)
        const newest = balances().reduce((best, one) => (one.balanceVersion > best.balanceVersion ? one : best))
        trial.same('the newest balance heard', Math.round(newest.balance * 100), (await shops.books(person.id)).pesewas)
        probe.close()
      })
    },
  },
  {
    id: 'K6',
    expects: 'refused and undone transactions: nothing is announced to the user or to the admins',
    runs: { fast: 30, full: 300 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const person = await shops.makeUser({ pesewas: 100 })
        const probes: RealtimeProbe[] = [
          await openRealtimeProbe(shops.all[0]?.address as string, person.token),
          await openRealtimeProbe(shops.all[1]?.address as string, shops.admins[1].token),
        ]
        await shops.buy(person, [shops.line()])
        await shops.buy(person, [{ ...shops.line(), amount: 0.01 }])
        await shops.call('PUT', '/user/balance', { as: shops.admins[0], body: { chosenId: person.id, amount: -2 } })
        await shops.call('POST', '/recharge', { as: person, body: { amount: 1 } })
        // Whatever they caused would be announced before this.
        await shops.call('PUT', '/user/balance', { as: shops.admins[0], body: { chosenId: person.id, amount: 1 } })
        await until(() => probes.every((probe) => probe.heard.some(({ payload }) => JSON.stringify(payload).includes(person.id))), 5_000)
        trial.same('heard by the user', probes[0]?.heard.length, 1)
        trial.same(
          'heard by the admin of the user',
          probes[1]?.heard.filter(({ payload }) => JSON.stringify(payload).includes(person.id)).length,
          1,
        )
        for (const probe of probes) probe.close()
      })
    },
  },
  {
    id: 'K7',
    expects: 'hundreds of sockets hear all of a news within 1 s (p99); a frame of 1 MB ends its socket alone',
    runs: { fast: 200, full: 2_000 },
    async go(trial) {
      const shops = await trial.shops()
      const people = await shops.makeUsers(20)
      const probes = await eachOf(Array.from({ length: trial.runs }), 20, (_, index) =>
        openRealtimeProbe(shops.all[index % shops.all.length]?.address as string, (people[index % people.length] as Person).token),
      )
      const tookMs: number[] = []
      const since = performance.now()
      for (const probe of probes) probe.socket.once('noticeUpdated', () => tookMs.push(performance.now() - since))
      await shops.call('PUT', '/extra/notice', { as: shops.admins[0], body: { noticeContent: `News ${trial.random()}` } })
      await until(() => tookMs.length === probes.length, 10_000).catch(() => trial.wrong(`${tookMs.length} of ${probes.length} heard it`))
      trial.note(`p99 ${quantile(tookMs, 0.99).toFixed(0)} ms`)
      trial.within('the 99th of 100 events', quantile(tookMs, 0.99), 1_000)
      const [abuser, ...others] = probes as [RealtimeProbe, ...RealtimeProbe[]]
      ;(abuser.socket as unknown as { emit: (name: string, body: string) => void }).emit('x', 'x'.repeat(1_000_000))
      await until(() => abuser.closed() !== null, 5_000).catch(() => trial.wrong('the socket with a frame of 1 MB stayed'))
      trial.same('others that were closed', others.filter((probe) => probe.closed() !== null).length, 0)
      for (const probe of probes) probe.close()
      trial.did(probes.length)
    },
  },
]

async function everythingHappensTo(shops: Shops, other: Person) {
  const [admin] = shops.admins
  const { body } = await shops.buy(other, [shops.line()])
  const [order] = body.orders as { _id: string }[]
  await shops.call('PUT', `/order/update-status/${order?._id}`, { as: admin, body: { status: 'rejected' } })
  await shops.call('PUT', '/user/balance', { as: admin, body: { chosenId: other.id, amount: 2 } })
  const [recharge] = await makeRecharges(shops, other, 1)
  await shops.call('PUT', `/recharge/${recharge?.id}/approve`, { as: admin, body: {} })
  await shops.call('POST', '/recharge', { as: other, body: { amount: 60 } })
  await shops.call('PUT', `/user/${other.id}/level`, { as: admin, body: { userLevel: 'Agent' } })
}
