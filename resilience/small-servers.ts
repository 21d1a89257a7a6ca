import { jumpClocks, whyNoFakeClock } from './clock-jumps.ts'
import type { Experiment } from './experiment.ts'
import { whyNoLoopDisk } from './loop-disk.ts'
import { whyNoMemoryLimit } from './memory-limit.ts'
import { cutPower } from './power-cuts.ts'
import { sellUntilFull, startOnSmallDisk } from './small-disk.ts'
import { sellInLittleMemory } from './small-memory.ts'
import { upgradeOnFullDisk, whyNoUpgradeOnFullDisk } from './upgrade-on-full-disk.ts'

/** T. A small server: its disk, its power, its memory, its clock. */
export const smallServers: Experiment[] = [
  {
    id: 'T1',
    beside: true,
    expects:
      'the whole shop on a disk of 400 MB sells until it is full: the owner is told before, refusals are 503 and say to try again, /readyz says why, a backup to it fails and leaves nothing, with space it sells again by itself, full again a start says why, and with space, started, it sells at once; no acknowledged order is lost, books right',
    runs: { fast: 1, full: 10 },
    unavailable: whyNoLoopDisk,
    go: sellUntilFull,
  },
  {
    id: 'T2',
    beside: true,
    expects:
      'a first start on a disk with too little space, at whatever it runs out (making the database, migrating, the catalogue), ends and says why; with space the same folder opens and sells',
    runs: { fast: 6, full: 30 },
    unavailable: whyNoLoopDisk,
    go: startOnSmallDisk,
  },
  {
    id: 'T3',
    beside: true,
    expects:
      'power cut under 16 buyers: the file system forgets what was not synced, every process dies; after the start each acknowledged order is there once, books right, selling within 15 s',
    runs: { fast: 4, full: 60 },
    unavailable: whyNoLoopDisk,
    go: cutPower,
  },
  {
    id: 'T4',
    expects:
      'the whole shop with 1 GB of memory and no swap, then less, under 32 buyers, exports, lists of 5,000 lines, pictures and 1,000 sockets: with 1 GB nothing is ended; whatever the kernel ends with less is started again, no acknowledged order is lost, whoever asks again buys once, books right',
    runs: { fast: 2, full: 5 },
    unavailable: whyNoMemoryLimit,
    go: sellInLittleMemory,
  },
  {
    id: 'T5',
    beside: true,
    expects:
      "the clock of the machine, the shop's and its database's, jumps by five minutes, an hour and a day, forth and back, under 16 buyers: selling within 15 s, whoever asks again buys once, the books are checked, no acknowledged order is lost",
    runs: { fast: 6, full: 60 },
    unavailable: whyNoFakeClock,
    go: jumpClocks,
  },
  {
    id: 'T6',
    beside: true,
    expects:
      'a new version started with 0 to 40 MB left on a database that the released one has sold from upgrades it, or ends and says why; then the released one sells on as if nothing had been, and with space the new one upgrades; nothing acknowledged is lost, whoever asks again buys once',
    runs: { fast: 5, full: 20 },
    unavailable: whyNoUpgradeOnFullDisk,
    go: upgradeOnFullDisk,
  },
]
