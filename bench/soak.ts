import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findRunningPostgres } from '../server/platform/embedded-postgres.ts'
import { closeShop, type OpenShop, openShop } from '../test/process/open-shops.ts'
import { openRealtimeProbe, type RealtimeProbe } from '../test/realtime-probe.ts'
import { openHttpBuyers } from './buy-over-http.ts'
import { currentLoad, describeCommit, type Figure } from './figures.ts'
import { INSPECTED, type LiveHeap, openLiveHeap } from './live-heap.ts'
import { makeBuyers } from './make-buyers.ts'
import { measure, measurePaced, percentile } from './measure.ts'

// Whether the memory of the shop's process grows while it sells at a part of its limit for hours: npm run node -- bench/soak.ts
// [--minutes 480] [--part 0.3] [--per-second N] [--json]. Without --per-second the limit is measured first. Linux: read from /proc. What its
// objects take after a collection is asked too: what grows there with the sales is held by somebody, while the rest may be the collector's ease.
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '480' },
    part: { type: 'string', default: '0.3' },
    'per-second': { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const minutes = Number(values.minutes)
const CLIENTS = 16
const LISTENERS = 100
const LOOK_EVERY_MS = 5_000
const COLLECT_EVERY_MS = Math.min(120_000, minutes * 3_000)
/** Caches fill and code is compiled in the first part of a run; the slope is of what follows. */
const WARM_UP = 0.25

type Look = { minutes: number; mb: number }
/** `sold`: purchases until then. */
type HeapLook = Look & { sold: number }

const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-soak-'))
const looks: Look[] = []
const heapLooks: HeapLook[] = []
let shop: OpenShop | undefined
let heap: LiveHeap | undefined
const probes: RealtimeProbe[] = []
try {
  // As `npm start` starts it, and to be asked for its heap.
  shop = await openShop({ DATA_DIR: dataDir, NODE_OPTIONS: `--max-semi-space-size=4 ${INSPECTED}` })
  heap = await openLiveHeap(shop)
  const pid = shop.program.process.pid as number
  const buyers = await makeBuyers((await findRunningPostgres({ dataDir })) as string, LISTENERS, 100_000_000)
  for (const { token } of buyers) probes.push(await openRealtimeProbe(shop.address, token))
  const { buy, close } = await openHttpBuyers(shop.address, buyers, CLIENTS)
  // In hours on a machine that does other work a purchase may find the shop too busy; what is asked here is its memory.
  let refused = 0
  let sold = 0
  const buyOrWait: typeof buy = async (...client) => {
    try {
      await buy(...client)
      sold += 1
    } catch (error) {
      if (!String(error).includes('refused with 503')) throw error
      refused += 1
    }
  }
  const limit = values['per-second'] ? null : (await measure({ clients: CLIENTS, seconds: 10, work: buy })).perSecond
  const perSecond = limit === null ? Number(values['per-second']) : limit * Number(values.part)
  const since = performance.now()
  const look = async () => {
    looks.push({ minutes: (performance.now() - since) / 60_000, mb: await memoryMb(pid) })
    if (looks.length % 60 === 0) console.error(`${looks.at(-1)?.minutes.toFixed(0)} min: ${looks.at(-1)?.mb.toFixed(0)} MB`)
  }
  const looking = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS)
  const lookAtHeap = async () => {
    const now = performance.now()
    heapLooks.push({ minutes: (now - since) / 60_000, sold, mb: (await heap?.readMb()) ?? Number.NaN })
    const { minutes: at, mb } = heapLooks.at(-1) as HeapLook
    console.error(`${at.toFixed(0)} min, ${sold} sold: ${mb.toFixed(2)} MB of live objects`)
  }
  const collecting = setInterval(() => void lookAtHeap().catch(() => undefined), COLLECT_EVERY_MS)
  const latenciesMs = await measurePaced({ clients: CLIENTS, perSecond, seconds: minutes * 60, work: buyOrWait })
  clearInterval(looking)
  clearInterval(collecting)
  close()
  const counted = looks.filter((one) => one.minutes > minutes * WARM_UP)
  const countedHeap = heapLooks.filter((one) => one.minutes > minutes * WARM_UP)
  const live = fitLine(countedHeap)
  const soldMeanwhile = (countedHeap.at(-1)?.sold ?? 0) - (countedHeap[0]?.sold ?? 0)
  const { perHour, ends } = fitLine(counted)
  const most = Math.max(...looks.map(({ mb }) => mb))
  const figures: Figure[] = [
    {
      id: 'soak-slope',
      name: `Memory of the shop's process, growth in an hour, over ${minutes} minutes of selling`,
      keep: 'at most',
      target: 2,
      value: perHour,
      unit: 'MB',
      note: `${latenciesMs.length - refused} purchases${refused > 0 ? ` and ${refused} refusals of a busy machine` : ''}, ${perSecond.toFixed(0)} a second${limit === null ? '' : ` of ${limit.toFixed(0)}`}; ${ends[0].toFixed(0)} to ${ends[1].toFixed(0)} MB by the line after the first quarter, at most ${most.toFixed(0)} MB; p99 ${percentile(latenciesMs, 0.99).toFixed(1)} ms`,
    },
    {
      id: 'soak-live-slope',
      name: "What the process's objects take after a collection, growth in an hour",
      keep: 'at most',
      target: 1,
      value: live.perHour,
      unit: 'MB',
      note: `${live.ends[0].toFixed(2)} to ${live.ends[1].toFixed(2)} MB by the line through ${countedHeap.length} looks, ${soldMeanwhile} purchases meanwhile`,
    },
  ]
  if (values.json) console.log(JSON.stringify({ load: currentLoad(), commit: describeCommit(), looks, heapLooks, figures }))
  else for (const { name, value, note = '' } of figures) console.log(`${name}: ${value.toFixed(2)} MB (${note})`)
} finally {
  heap?.close()
  for (const probe of probes) probe.close()
  if (shop) await closeShop(shop)
  await rm(dataDir, { recursive: true, force: true })
}

/** The straight line with the least squares through the looks: its slope in MB an hour, and its values at both ends. */
function fitLine(points: Look[]): { perHour: number; ends: [number, number] } {
  const mean = (of: (point: Look) => number) => points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean((point) => point.minutes), mean((point) => point.mb)]
  const slope =
    points.reduce((sum, point) => sum + (point.minutes - x) * (point.mb - y), 0) /
    points.reduce((sum, point) => sum + (point.minutes - x) ** 2, 0)
  const at = (time: number) => y + slope * (time - x)
  return { perHour: slope * 60, ends: [at(points[0]?.minutes ?? 0), at(points.at(-1)?.minutes ?? 0)] }
}

async function memoryMb(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
